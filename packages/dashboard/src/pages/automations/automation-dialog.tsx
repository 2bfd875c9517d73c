import type { components } from '@docent/client';
import {
  AUTOMATION_TEMPLATE_NAMES,
  AUTOMATION_TEMPLATES,
  type AutomationTemplate,
  type AutomationTemplateName,
} from '@docent/recipes/automation-templates';
import { api, answerOf } from '../../api/client.ts';
import { useSubmit } from '../../api/submit.ts';
import { Snippet } from '../../parts/copy.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Select, TextArea, TextField } from '../../parts/field.tsx';
import { fieldsOf } from '../../parts/problem-note.tsx';
import { BASE } from '../../shell/address.ts';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';
import { automations as w } from './text.ts';
import { triggerForm, TriggerFields, triggerOf } from './trigger-fields.tsx';

type Automation = components['schemas']['Automation'];
type Mode = components['schemas']['JobMode'];

/** Creates or updates an automation, and shows how a program starts it. */
export function AutomationDialog({
  projectId,
  of,
  onClose,
}: {
  projectId: string;
  of?: Automation;
  onClose: () => void;
}) {
  const [form, set, forget] = useFormDraft(`automation:${projectId}:${of?.id ?? 'new'}`, {
    name: of?.name ?? '',
    prompt: of?.prompt ?? '',
    mode: of?.mode ?? 'pull-request',
    template: '',
    ...triggerForm(of?.trigger ?? { type: 'api' }),
  });
  const { name, prompt, mode, template } = form;
  const choose = (chosen: string) => {
    const found = AUTOMATION_TEMPLATES[chosen as AutomationTemplateName] as AutomationTemplate | undefined;
    const filled = found && { name: found.name, prompt: found.prompt, ...triggerForm(found.trigger) };
    set({ template: chosen, ...filled });
  };
  const { isBusy, problem, submit: send } = useSubmit();
  const field = fieldsOf(form, set, problem);
  const submit = () => {
    const body = { name: name.trim(), prompt, mode, trigger: triggerOf(form, of?.trigger) };
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
    <FormDialog
      title={of ? of.name : w.create}
      isWide
      submit={of ? text.common.save : w.createSubmit}
      sending={{ isBusy, problem }}
      onSubmit={submit}
      onClose={onClose}
    >
      {!of && (
        <Select
          label={w.template}
          value={template}
          onValue={choose}
          options={[
            ['', w.noTemplate],
            ...AUTOMATION_TEMPLATE_NAMES.map((known) => [known, AUTOMATION_TEMPLATES[known].name] as const),
          ]}
        />
      )}
      <TextField label={w.name} required maxLength={100} {...field('name')} />
      <TextArea label={w.prompt} required rows={5} maxLength={32_768} {...field('prompt')} />
      <Select
        label={w.mode}
        value={mode}
        onValue={(next) => set({ mode: next as Mode })}
        options={Object.entries(w.modes)}
      />
      <TriggerFields form={form} set={set} problem={problem} />
      {of && <Snippet title={w.trigger} code={triggerCommand(projectId, of.id)} />}
    </FormDialog>
  );
}

function triggerCommand(projectId: string, automationId: string): string {
  const server = new URL(BASE, location.origin).href;
  return `curl -X POST ${server}v1/projects/${projectId}/automations/${automationId}/trigger \\\n  -H "Authorization: Bearer $DOCENT_KEY"`;
}
