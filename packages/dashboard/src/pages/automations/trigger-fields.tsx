import type { components } from '@docent/client';
import type { Problem } from '../../api/problem.ts';
import { CheckBox, Select, TextField } from '../../parts/field.tsx';
import { aboutField } from '../../parts/problem-note.tsx';
import { automations as w } from './text.ts';

type Trigger = components['schemas']['Trigger'];
type Code = Extract<Trigger, { type: 'code' }>;
type Readers = Extract<Trigger, { type: 'readers' }>;

/** The fields of all triggers, as they are typed. */
interface TriggerForm extends Record<string, string | readonly string[]> {
  type: Trigger['type'];
  cron: string;
  timezone: string;
  filter: string;
  events: Code['events'];
  repositories: string;
  paths: string;
  branches: string;
  signal: Readers['signal'];
  threshold: string;
  days: string;
}

const listed = (values: readonly string[] | undefined) => (values ?? []).join(', ');
const values = (typed: string) =>
  typed
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

export function triggerForm(trigger: Trigger): TriggerForm {
  const schedule = trigger.type === 'schedule' ? trigger : undefined;
  const code = trigger.type === 'code' ? trigger : undefined;
  const readers = trigger.type === 'readers' ? trigger : undefined;
  return {
    type: trigger.type,
    cron: schedule?.cron ?? '0 9 * * 1',
    timezone: schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    filter: (trigger.type === 'webhook' ? trigger.filter : undefined) ?? '',
    events: code?.events ?? ['pushed'],
    repositories: listed(code?.repositories),
    paths: listed(code?.paths),
    branches: listed(code?.branches),
    signal: readers?.signal ?? 'not_found',
    threshold: String(readers?.threshold ?? 5),
    days: String(readers?.days ?? 7),
  };
}

/** @param before the automation's current trigger: fields that the form does not show stay */
export function triggerOf(form: TriggerForm, before: Trigger | undefined): Trigger {
  switch (form.type) {
    case 'schedule':
      return {
        ...(before?.type === 'schedule' ? before : {}),
        type: 'schedule',
        cron: form.cron,
        timezone: form.timezone,
      };
    case 'webhook':
      return { type: 'webhook', ...(form.filter.trim() === '' ? {} : { filter: form.filter.trim() }) };
    case 'code':
      return {
        ...(before?.type === 'code' ? before : {}),
        type: 'code',
        events: form.events,
        repositories: values(form.repositories),
        paths: values(form.paths),
        branches: values(form.branches),
      };
    case 'readers':
      return { type: 'readers', signal: form.signal, threshold: Number(form.threshold), days: Number(form.days) };
    default:
      return { type: 'api' };
  }
}

/** The kind of trigger, and its fields. */
export function TriggerFields({
  form,
  set,
  problem,
}: {
  form: TriggerForm;
  set: (changes: Partial<TriggerForm>) => void;
  problem: Problem | undefined;
}) {
  const typed = (field: Exclude<keyof TriggerForm, 'type' | 'events' | 'signal'> & string) => ({
    label: w.triggerFields[field] ?? field,
    value: String(form[field]),
    onValue: (value: string) => set({ [field]: value }),
    error: aboutField(problem, `trigger.${field}`),
  });
  return (
    <>
      <Select
        label={w.starts}
        value={form.type}
        onValue={(type) => set({ type: type as Trigger['type'] })}
        options={Object.entries(w.triggerTypes)}
        error={aboutField(problem, 'trigger')}
      />
      {form.type === 'schedule' && (
        <>
          <TextField {...typed('cron')} required hint={w.cronHint} />
          <TextField {...typed('timezone')} required />
        </>
      )}
      {form.type === 'webhook' && <TextField {...typed('filter')} isOptional hint={w.filterHint} />}
      {form.type === 'code' && (
        <>
          {Object.entries(w.codeEvents).map(([name, label]) => (
            <CheckBox
              key={name}
              label={label}
              isOn={form.events.includes(name as Code['events'][number])}
              onChange={(isOn) =>
                set({
                  events: [...form.events.filter((other) => other !== name), ...(isOn ? [name] : [])] as Code['events'],
                })
              }
            />
          ))}
          <TextField {...typed('repositories')} isOptional hint={w.repositoriesHint} />
          <TextField {...typed('paths')} isOptional hint={w.pathsHint} />
          <TextField {...typed('branches')} isOptional hint={w.branchesHint} />
        </>
      )}
      {form.type === 'readers' && (
        <>
          <Select
            label={w.signal}
            value={form.signal}
            onValue={(signal) => set({ signal: signal as Readers['signal'] })}
            options={Object.entries(w.signals)}
          />
          <TextField {...typed('threshold')} type="number" required />
          <TextField {...typed('days')} type="number" required />
        </>
      )}
    </>
  );
}
