import { useState } from 'preact/hooks';
import type { CreatedKey, KeyScope } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { useSubmit } from '../../api/submit.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { CheckBox, Choice, Select, TextField } from '../../parts/field.tsx';
import { aboutField, fieldsOf } from '../../parts/problem-note.tsx';
import { ProjectChecks } from '../../parts/project-checks.tsx';
import { lastProject, useProjects } from '../../shell/current-project.ts';
import { useFormDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';
import { ShownKey } from './shown-key.tsx';

const { keys: w } = text;
const SCOPES: readonly KeyScope[] = ['read', 'write', 'events', 'analytics'];

const NEW = {
  name: '',
  isForAll: 'chosen',
  projectIds: [] as readonly string[],
  scopes: ['write'] as readonly string[],
  expiry: '90',
  addresses: '',
};

/** Creates a key, and shows it once. The form is kept as a draft until then; the key is not stored. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const projects = useProjects();
  const [made, setMade] = useState<CreatedKey>();
  const [form, set, forget] = useFormDraft('key', {
    ...NEW,
    projectIds: [lastProject.peek() ?? []].flat(),
  });
  const { name, isForAll, projectIds, scopes, expiry, addresses } = form;
  const { isBusy, problem, submit: send } = useSubmit();
  const field = fieldsOf(form, set, problem);

  if (made)
    return (
      <ShownKey made={made} projectId={made.projectIds?.[0] ?? projects.data?.[0]?.id ?? 'PROJECT'} onClose={onClose} />
    );

  // A project that is gone by now cannot be seen to be chosen.
  const isThere = (project: string) => projects.data?.some(({ id }) => id === project) ?? true;
  const submit = () => {
    const list = addresses.split(/[\s,]+/).filter(Boolean);
    send(
      (once) =>
        answerOf(
          api.POST('/v1/keys', {
            params: { header: { 'Idempotency-Key': once } },
            body: {
              name: name.trim(),
              projectIds: isForAll === 'all' ? null : projectIds.filter(isThere),
              scopes: SCOPES.filter((scope) => scopes.includes(scope)),
              expiresInDays: expiry === '' ? null : Number(expiry),
              allowedAddresses: list.length > 0 ? list : null,
            },
          }),
        ),
      (key) => {
        forget();
        setMade(key);
      },
    );
  };
  return (
    <FormDialog
      title={w.create}
      submit={w.createSubmit}
      sending={{ isBusy, problem }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={w.name} hint={w.nameHint} required maxLength={100} {...field('name')} />
      {may('admin', null) && (
        <Choice
          label={w.projects}
          value={isForAll}
          onValue={(next) => set({ isForAll: next })}
          options={[
            { value: 'chosen', name: w.chosenProjects },
            { value: 'all', name: w.everyProject },
          ]}
        />
      )}
      {isForAll === 'chosen' && <ProjectChecks ids={projectIds} onIds={(next) => set({ projectIds: next })} />}
      <fieldset class="choice">
        <legend>{w.scopes}</legend>
        {SCOPES.map((scope) => (
          <CheckBox
            key={scope}
            label={w.scopeNames[scope]?.[0]}
            hint={w.scopeNames[scope]?.[1]}
            isOn={scopes.includes(scope)}
            onChange={(isOn) => set({ scopes: isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope) })}
          />
        ))}
      </fieldset>
      <Select label={w.expiry} options={w.expiries} {...field('expiry')} />
      <TextField
        label={w.addresses}
        hint={w.addressesHint}
        isOptional
        value={addresses}
        onValue={(next) => set({ addresses: next })}
        error={aboutField(problem, 'allowedAddresses')}
      />
    </FormDialog>
  );
}
