import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useSubmit } from '../../api/submit.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Select, TextArea, TextField } from '../../parts/field.tsx';
import { aboutField, fieldsOf } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';

const { hosts: w } = text;
type Host = components['schemas']['Host'];
type Kind = components['schemas']['HostKind'];
const KINDS: readonly Kind[] = ['github', 'gitlab', 'gitea'];

/**
 * Adds a code host, or replaces its credential, which is tried before it is stored. Everything except secrets
 * is kept as a draft.
 */
export function HostDialog({ of: host, onClose }: { of?: Host; onClose: () => void }) {
  const [form, set, forget] = useFormDraft(`host:${host?.id ?? 'new'}`, {
    kind: host?.kind ?? 'github',
    id: host?.id ?? 'github',
    url: '',
    appId: host?.appId ?? '',
  });
  const { kind, id, url, appId } = form;
  const [credential, setCredential] = useState('');
  const { isBusy, problem, submit: send } = useSubmit();
  const field = fieldsOf(form, set, problem);

  const submit = () => {
    const app = appId.trim() ? { appId: appId.trim() } : {};
    const call = (once: string): Promise<{ account: string | null }> =>
      host
        ? answerOf(
            api.PATCH('/v1/hosts/{hostId}', {
              params: { path: { hostId: host.id } },
              body: { credential: credential.trim(), ...app },
            }),
          )
        : answerOf(
            api.POST('/v1/hosts', {
              params: { header: { 'Idempotency-Key': once } },
              body: {
                id: id.trim(),
                kind,
                credential: credential.trim(),
                ...(url.trim() ? { url: url.trim() } : {}),
                ...app,
              },
            }),
          );
    send(call, (made) => {
      forget();
      toast(w.works(made.account));
      onClose();
    });
  };
  return (
    <FormDialog
      title={host ? `${w.replace}: ${host.id}` : w.create}
      submit={host ? w.replace : w.createSubmit}
      sending={{ isBusy, problem }}
      onSubmit={submit}
      onClose={onClose}
    >
      {!host && (
        <>
          <Select
            label={w.kind}
            value={kind}
            options={KINDS.map((each) => [each, w.kinds[each] ?? each] as const)}
            onValue={(next) => set({ kind: next as Kind, ...(id === kind ? { id: next } : {}) })}
          />
          <TextField label={w.id} hint={w.idHint} required maxLength={63} {...field('id')} />
          <TextField
            label={w.url}
            hint={w.urlHint}
            type="url"
            isOptional={kind !== 'gitea'}
            required={kind === 'gitea'}
            {...field('url')}
          />
        </>
      )}
      {kind === 'github' && <TextField label={w.appId} hint={w.appIdHint} isOptional {...field('appId')} />}
      {appId.trim() ? (
        <TextArea
          label={host ? w.newCredential : w.credential}
          hint={w.credentialHint}
          required
          rows={5}
          spellcheck={false}
          value={credential}
          onValue={setCredential}
          error={aboutField(problem, 'credential')}
        />
      ) : (
        <TextField
          label={host ? w.newCredential : w.credential}
          hint={w.credentialHint}
          type="password"
          autocomplete="off"
          required
          value={credential}
          onValue={setCredential}
          error={aboutField(problem, 'credential')}
        />
      )}
    </FormDialog>
  );
}
