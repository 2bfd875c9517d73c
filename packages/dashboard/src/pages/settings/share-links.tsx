import { Plus, X } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Confirm, FormDialog, OnceDialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Loaded, Panel } from '../../parts/page.tsx';
import { aboutField } from '../../parts/problem-note.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text.ts';
import { SHARE_LINKS as w } from './text.ts';

type ShareLink = components['schemas']['ShareLink'];
type Created = components['schemas']['CreatedShareLink'];

/** Links that show the project's analytics to people without an account. */
export function ShareLinks({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState<ShareLink | 'new' | null>(null);
  const path = { projectId };
  const found = useResource(`share links ${projectId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/share-links', { params: { path }, signal })),
  );
  const done = () => {
    setOpen(null);
    found.reload();
  };
  return (
    <Panel title={w.title}>
      <p class="hint">{w.hint}</p>
      <Loaded from={found} rows={1}>
        {({ shareLinks }) => (
          <ul class="lines">
            {shareLinks.map((link) => (
              <li key={link.id}>
                <strong>{link.name}</strong>{' '}
                <span class="hint">
                  {link.hasPassword && `${w.withPassword}, `}
                  {w.expires} {link.expiresAt ? <When at={link.expiresAt} /> : text.common.never}, {w.lastUse}{' '}
                  {link.lastUsedAt ? <When at={link.lastUsedAt} /> : text.common.never}
                </span>
                <IconButton icon={X} label={w.deleteOf(link.name)} onClick={() => setOpen(link)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Button icon={Plus} onClick={() => setOpen('new')}>
        {w.create}
      </Button>
      {open === 'new' && <NewShareLink projectId={projectId} onClose={done} />}
      {open !== null && open !== 'new' && (
        <Confirm
          title={w.deleteTitle(open.name)}
          action={w.delete}
          isDanger
          onClose={done}
          onConfirm={() =>
            answerOf(
              api.DELETE('/v1/projects/{projectId}/share-links/{shareLinkId}', {
                params: { path: { projectId, shareLinkId: open.id } },
              }),
            )
          }
        >
          <p>{w.deleteHint}</p>
        </Confirm>
      )}
    </Panel>
  );
}

/** Creates a link, and shows its address once. Neither the address nor the password is stored as a draft. */
function NewShareLink({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [expiry, setExpiry] = useState('90');
  const [made, setMade] = useState<Created>();
  const { isBusy, problem, submit } = useSubmit();
  if (made) {
    return (
      <OnceDialog title={made.name} done={text.common.close} onClose={onClose}>
        <p>{made.url === null ? w.answerLost : w.shownOnce}</p>
        {made.url !== null && <Snippet code={made.url} title={w.address} />}
      </OnceDialog>
    );
  }
  const send = () => {
    submit(
      (once) =>
        answerOf(
          api.POST('/v1/projects/{projectId}/share-links', {
            params: { path: { projectId }, header: { 'Idempotency-Key': once } },
            body: {
              name: name.trim(),
              expiresInDays: expiry === '' ? null : Number(expiry),
              password: password === '' ? null : password,
            },
          }),
        ),
      setMade,
    );
  };
  return (
    <FormDialog title={w.create} submit={w.create} sending={{ isBusy, problem }} onSubmit={send} onClose={onClose}>
      <TextField
        label={w.name}
        hint={w.nameHint}
        required
        maxLength={100}
        value={name}
        onValue={setName}
        error={aboutField(problem, 'name')}
      />
      <Select label={text.keys.expiry} value={expiry} onValue={setExpiry} options={text.keys.expiries} />
      <TextField
        label={w.password}
        hint={w.passwordHint}
        type="password"
        autocomplete="off"
        isOptional
        value={password}
        onValue={setPassword}
        error={aboutField(problem, 'password')}
      />
    </FormDialog>
  );
}
