import { Plus, X } from 'lucide';
import { useState } from 'preact/hooks';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { Confirm, FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Loaded, Panel } from '../../parts/page.tsx';
import { aboutField } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text.ts';
import { SECRETS as w } from './text.ts';

/** The secrets that webhooks of automations name. Their values are never shown. */
export function Secrets({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState<{ remove: string } | 'new' | null>(null);
  const found = useResource(`secrets ${projectId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/secrets', { params: { path: { projectId } }, signal })),
  );
  const done = () => {
    setOpen(null);
    found.reload();
  };
  return (
    <Panel title={w.title}>
      <p class="hint">{w.hint}</p>
      <Loaded from={found} rows={1}>
        {({ secrets }) => (
          <ul class="lines">
            {secrets.map(({ name, updatedAt }) => (
              <li key={name}>
                <strong class="break">{name}</strong>{' '}
                <span class="hint">
                  {w.set} <When at={updatedAt} />
                </span>
                <IconButton icon={X} label={w.removeOf(name)} onClick={() => setOpen({ remove: name })} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Button icon={Plus} onClick={() => setOpen('new')}>
        {w.create}
      </Button>
      {open === 'new' && <SecretDialog projectId={projectId} onClose={done} />}
      {open !== null && open !== 'new' && (
        <Confirm
          title={w.removeTitle(open.remove)}
          action={w.remove}
          isDanger
          onClose={done}
          onConfirm={() => {
            const path = { projectId, secretName: open.remove };
            return answerOf(api.DELETE('/v1/projects/{projectId}/secrets/{secretName}', { params: { path } }));
          }}
        >
          <p>{w.removeHint}</p>
        </Confirm>
      )}
    </Panel>
  );
}

/** Nothing of it is stored as a draft. */
function SecretDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { isBusy, problem, submit } = useSubmit();
  const send = () => {
    const path = { projectId, secretName: name };
    submit(
      () =>
        answerOf(
          api.PATCH('/v1/projects/{projectId}/secrets/{secretName}', {
            params: { path },
            body: { value: value.trim() },
          }),
        ),
      () => {
        toast(text.common.saved);
        onClose();
      },
    );
  };
  return (
    <FormDialog title={w.create} submit={w.create} sending={{ isBusy, problem }} onSubmit={send} onClose={onClose}>
      <TextField
        label={w.name}
        hint={w.nameHint}
        required
        pattern="[A-Za-z0-9][A-Za-z0-9_\-]{0,62}"
        title={w.nameRule}
        value={name}
        onValue={setName}
      />
      <TextField
        label={w.value}
        hint={<Code text={w.valueHint} />}
        type="password"
        autocomplete="off"
        required
        value={value}
        onValue={setValue}
        error={aboutField(problem, 'value')}
      />
    </FormDialog>
  );
}
