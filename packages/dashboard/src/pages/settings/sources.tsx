import { Plus, X } from 'lucide';
import { useState } from 'preact/hooks';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Confirm, FormDialog } from '../../parts/dialog.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Loaded, Panel } from '../../parts/page.tsx';
import { fieldsOf } from '../../parts/problem-note.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';

const { sources: w } = text;

/** The repositories that the project's jobs can read. */
export function Sources({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState<{ remove: string } | 'new' | null>(null);
  const found = useResource(`sources ${projectId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/sources', { params: { path: { projectId } }, signal })),
  );
  const done = () => {
    setOpen(null);
    found.reload();
  };
  return (
    <Panel title={w.title}>
      <p class="hint">{w.hint}</p>
      <Loaded from={found} rows={1}>
        {({ sources }) =>
          sources.length === 0 ? (
            <p>{w.empty}</p>
          ) : (
            <ul class="lines">
              {sources.map(({ name, repository, ref, paths }) => (
                <li key={name}>
                  <strong>{name}</strong>{' '}
                  <span class="break">
                    <Foreign text={repository} />
                  </span>{' '}
                  <span class="hint">
                    <Foreign text={w.part(ref, paths)} />
                  </span>
                  {may('admin', projectId) && (
                    <IconButton icon={X} label={w.removeOf(name)} onClick={() => setOpen({ remove: name })} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {may('admin', null) && (
        <Button icon={Plus} onClick={() => setOpen('new')}>
          {w.create}
        </Button>
      )}
      {open === 'new' && <SourceDialog projectId={projectId} onClose={done} />}
      {open !== null && open !== 'new' && (
        <Confirm
          title={w.removeTitle(open.remove)}
          action={w.remove}
          isDanger
          onClose={done}
          onConfirm={() => {
            const path = { projectId, sourceName: open.remove };
            return answerOf(api.DELETE('/v1/projects/{projectId}/sources/{sourceName}', { params: { path } }));
          }}
        >
          <p>{w.removeHint}</p>
        </Confirm>
      )}
    </Panel>
  );
}

function SourceDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [form, set, forget] = useFormDraft(`source:${projectId}`, { name: '', repository: '', ref: '', paths: '' });
  const { isBusy, problem, submit: send } = useSubmit();
  const field = fieldsOf(form, set, problem);
  const submit = () => {
    const body = {
      name: form.name.trim(),
      repository: form.repository.trim(),
      ref: form.ref.trim() || null,
      paths: form.paths.split('\n').flatMap((line) => line.trim() || []),
    };
    send(
      (once) =>
        answerOf(
          api.POST('/v1/projects/{projectId}/sources', {
            params: { path: { projectId }, header: { 'Idempotency-Key': once } },
            body,
          }),
        ),
      () => {
        forget();
        onClose();
      },
    );
  };
  return (
    <FormDialog title={w.create} submit={w.create} sending={{ isBusy, problem }} onSubmit={submit} onClose={onClose}>
      <TextField label={w.name} hint={w.nameHint} required {...field('name')} />
      <TextField
        label={w.repository}
        hint={w.repositoryHint}
        placeholder={w.repositoryExample}
        required
        {...field('repository')}
      />
      <TextField label={w.ref} isOptional {...field('ref')} />
      <TextArea label={w.paths} hint={w.pathsHint} isOptional rows={3} {...field('paths')} />
    </FormDialog>
  );
}
