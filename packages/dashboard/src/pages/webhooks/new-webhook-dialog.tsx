import { useState } from 'preact/hooks';
import { WEBHOOK_EVENTS } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useSubmit } from '../../api/submit.ts';
import { Snippet } from '../../parts/copy.tsx';
import { FormDialog, OnceDialog } from '../../parts/dialog.tsx';
import { CheckBox, TextField } from '../../parts/field.tsx';
import { fieldsOf } from '../../parts/problem-note.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';

const { webhooks: w } = text;

/** An address may contain a token: such an address is not kept as a draft. */
function withoutSecrets<Form extends { url: string }>({ url, ...rest }: Form): Partial<Form> {
  return (/[?#@]/.test(url) ? rest : { url, ...rest }) as Partial<Form>;
}

/** Creates a webhook, and shows its secret once. The form is kept as a draft until then. */
export function NewWebhookDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [form, set, forget] = useFormDraft(
    `webhook:${projectId}`,
    { url: '', description: '', events: WEBHOOK_EVENTS },
    withoutSecrets,
  );
  const { url, description, events } = form;
  const [secret, setSecret] = useState<string>();
  const { isBusy, problem, submit: send } = useSubmit();
  const field = fieldsOf(form, set, problem);
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />;
  const submit = () => {
    send(
      (once) =>
        answerOf(
          api.POST('/v1/projects/{projectId}/webhooks', {
            params: { path: { projectId }, header: { 'Idempotency-Key': once } },
            body: {
              url: url.trim(),
              events: WEBHOOK_EVENTS.filter((each) => events.includes(each)),
              ...(description.trim() ? { description: description.trim() } : {}),
            },
          }),
        ),
      (made) => {
        forget();
        setSecret(made.secret ?? '');
      },
    );
  };
  return (
    <FormDialog
      title={w.create}
      submit={w.createSubmit}
      isReady={events.length > 0}
      sending={{ isBusy, problem }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={w.url} hint={w.urlHint} type="url" required {...field('url')} />
      <TextField label={w.description} isOptional maxLength={200} {...field('description')} />
      <fieldset class="choice">
        <legend>{w.events}</legend>
        {WEBHOOK_EVENTS.map((each) => (
          <CheckBox
            key={each}
            label={<code>{each}</code>}
            isOn={events.includes(each)}
            onChange={(isOn) => set({ events: isOn ? [...events, each] : events.filter((other) => other !== each) })}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <OnceDialog title={w.secret} done={text.keys.done} onClose={onClose}>
      <p>{w.secretOnce}</p>
      <Snippet title={w.secret} code={secret} />
    </OnceDialog>
  );
}
