import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import type { Problem } from '../../api/problem.ts';
import { Choice, Select, TextArea, TextField } from '../../parts/field.tsx';
import { aboutField, fieldsOf } from '../../parts/problem-note.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';

const { newJob: w } = text;
type NewJob = components['schemas']['NewJob'];

const NONE = {
  mode: 'pull-request',
  ref: '',
  branch: '',
  title: '',
  draft: '',
  model: '',
  effort: '',
  tokens: '',
  usd: '',
  metadata: '',
};
export type Options = typeof NONE;

/** The options of a job that is being written, kept as its prompt is. */
export function useOptions(place: string): [Options, (changes: Partial<Options>) => void, () => void] {
  return useFormDraft(`${place}:options`, NONE);
}

/** The invalid line of the metadata, or null. */
export function wrongLine({ metadata }: Options): string | null {
  return metadata.split('\n').find((line) => line.trim() !== '' && !/^\s*[A-Za-z0-9_.:-]{1,64}\s*=/.test(line)) ?? null;
}

/** The options for the body: unset ones are left to the project. */
export function bodyOf(options: Options): Omit<NewJob, 'prompt'> {
  const text = (name: 'ref' | 'branch' | 'title' | 'model') =>
    options[name].trim() ? { [name]: options[name].trim() } : {};
  const lines = options.metadata.split('\n').filter((line) => line.includes('='));
  const budget = {
    ...(options.tokens ? { tokens: Number(options.tokens) } : {}),
    ...(options.usd ? { usd: Number(options.usd) } : {}),
  };
  return {
    ...(options.mode === NONE.mode ? {} : { mode: options.mode as NewJob['mode'] }),
    ...text('ref'),
    ...text('branch'),
    ...text('title'),
    ...text('model'),
    ...(options.draft ? { draft: options.draft === 'true' } : {}),
    ...(options.effort ? { effort: options.effort as NewJob['effort'] } : {}),
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
    ...(lines.length > 0
      ? {
          metadata: Object.fromEntries(
            lines.map((line) => {
              const at = line.indexOf('=');
              return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
            }),
          ),
        }
      : {}),
  };
}

/** @param mayPush whether the project takes commits without review */
export function JobOptions({
  options,
  onChange,
  problem,
  mayPush,
}: {
  options: Options;
  onChange: (changes: Partial<Options>) => void;
  problem: Problem | undefined;
  mayPush: boolean;
}) {
  const field = fieldsOf(options, onChange, problem);
  const [isOpen] = useState(() => Object.keys(bodyOf(options)).length > 0);
  const wrong = wrongLine(options);
  const isAsking = options.mode === 'ask';
  return (
    <details class="fold options" open={isOpen}>
      <summary>{w.options}</summary>
      <div class="options-body">
        <Choice
          label={w.mode}
          value={options.mode}
          onValue={(mode) => onChange({ mode })}
          options={w.modes.filter(({ value }) => value !== 'push' || mayPush || options.mode === 'push')}
        />
        <div class="row">
          <TextField label={w.ref} hint={w.refHint} placeholder={w.asProject} maxLength={200} {...field('ref')} />
          {!isAsking && (
            <TextField
              label={w.branch}
              hint={w.branchHint}
              placeholder={w.ownBranch}
              maxLength={200}
              {...field('branch')}
            />
          )}
        </div>
        <TextField label={w.jobTitle} hint={w.jobTitleHint} isOptional maxLength={100} {...field('title')} />
        <div class="row">
          <TextField label={w.model} placeholder={w.asProject} maxLength={170} {...field('model')} />
          <Select label={w.effort} options={w.efforts} {...field('effort')} />
          {!isAsking && <Select label={w.draft} options={w.drafts} {...field('draft')} />}
        </div>
        <div class="row">
          <TextField
            label={w.tokens}
            type="number"
            min={1}
            step={1}
            isOptional
            {...field('tokens')}
            error={aboutField(problem, 'budget.tokens')}
          />
          <TextField
            label={w.usd}
            type="number"
            min={0}
            step="any"
            isOptional
            {...field('usd')}
            error={aboutField(problem, 'budget.usd')}
          />
        </div>
        <TextArea
          label={w.metadata}
          hint={w.metadataHint}
          isOptional
          rows={2}
          {...field('metadata')}
          error={wrong === null ? aboutField(problem, 'metadata') : w.metadataWrong(wrong)}
        />
      </div>
    </details>
  );
}
