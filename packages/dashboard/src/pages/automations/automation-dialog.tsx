import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button } from '../../parts/button.tsx';
import { Snippet } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextArea, TextField } from '../../parts/field.tsx';
import { aboutField, ProblemNote } from '../../parts/problem-note.tsx';
import { BASE } from '../../shell/address.ts';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';

const { automations: w } = text;
type Automation = components['schemas']['Automation'];
type Mode = components['schemas']['JobMode'];

/** Makes an automation, or changes one; says how a program starts it. */
export function AutomationDialog({
  projectId,
  of,
  onClose,
}: {
  projectId: string;
  of?: Automation;
  onClose: () => void;
}) {
  const [{ name, prompt, mode }, set, forget] = useFormDraft(`automation:${projectId}:${of?.id ?? 'new'}`, {
    name: of?.name ?? '',
    prompt: of?.prompt ?? '',
    mode: of?.mode ?? 'pull-request',
  });
  const { isBusy, problem, submit: send } = useSubmit();
  const submit = (event: Event) => {
    event.preventDefault();
    const body = { name: name.trim(), prompt, mode };
    const call = (once: string) =>
      of
        ? answerOf(
            api.PATCH('/v1/projects/{projectId}/automations/{automationId}', {
              params: { path: { projectId, automationId: of.id } },
              body,
            }),
          )
        : answerOf(
            api.POST('/v1/projects/{projectId}/automations', {
              params: { path: { projectId }, header: { 'Idempotency-Key': once } },
              body,
            }),
          );
    send(call, () => {
      forget();
      onClose();
    });
  };
  return (
    <Dialog title={of ? of.name : w.create} isWide onClose={onClose}>
      <form onSubmit={submit}>
        <div class="body">
          <TextField
            label={w.name}
            required
            maxLength={100}
            value={name}
            onValue={(next) => set({ name: next })}
            error={aboutField(problem, 'name')}
          />
          <TextArea
            label={w.prompt}
            required
            rows={5}
            maxLength={32_768}
            value={prompt}
            onValue={(next) => set({ prompt: next })}
            error={aboutField(problem, 'prompt')}
          />
          <Select
            label={w.mode}
            value={mode}
            onValue={(next) => set({ mode: next as Mode })}
            options={Object.entries(w.modes)}
          />
          {of && <Snippet title={w.trigger} code={triggerCommand(projectId, of.id)} />}
          {problem && <ProblemNote problem={problem} />}
        </div>
        <footer>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {of ? text.common.save : w.createSubmit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function triggerCommand(projectId: string, automationId: string): string {
  const server = new URL(BASE, location.origin).href;
  return `curl -X POST ${server}v1/projects/${projectId}/automations/${automationId}/trigger \\\n  -H "Authorization: Bearer $DOCENT_KEY"`;
}
