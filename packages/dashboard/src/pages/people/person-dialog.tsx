import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { CheckBox, Choice } from '../../parts/field.tsx';
import { ProjectChecks } from '../../parts/project-checks.tsx';
import { text } from '../../text.ts';

const { people: w } = text;
type Person = components['schemas']['Person'];

/** A person's role, and its origin. */
export function PersonDialog({ of: person, onClose }: { of: Person; onClose: () => void }) {
  const [decides, setDecides] = useState(person.roleFromProvider ? 'provider' : 'hand');
  const [role, setRole] = useState<string>(person.role);
  const [scope, setScope] = useState(person.projectIds === null ? 'all' : 'chosen');
  const [projectIds, setProjectIds] = useState(person.projectIds ?? []);
  const [isAllowed, setAllowed] = useState(!person.disabled);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = () => {
    setBusy(true);
    const given =
      decides === 'provider'
        ? { roleFromProvider: true }
        : { role: role as Person['role'], projectIds: scope === 'all' ? null : projectIds };
    answerOf(
      api.PATCH('/v1/people/{personId}', {
        params: { path: { personId: person.id } },
        body: { ...given, disabled: !isAllowed },
      }),
    ).then(onClose, (thrown: unknown) => {
      setProblem(problemOf(thrown));
      setBusy(false);
    });
  };
  return (
    <FormDialog
      title={w.editTitle(person.name ?? person.email ?? w.unnamed)}
      submit={text.common.save}
      sending={{ isBusy, problem }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Choice
        label={w.decides}
        value={decides}
        onValue={setDecides}
        options={[
          { value: 'provider', name: w.byProvider },
          { value: 'hand', name: w.setHere },
        ]}
      />
      {decides === 'hand' && (
        <>
          <Choice
            label={w.role}
            value={role}
            onValue={setRole}
            options={Object.entries(w.roles).map(([value, name]) => ({ value, name }))}
          />
          <Choice
            label={w.projects}
            value={scope}
            onValue={setScope}
            options={[
              { value: 'all', name: text.keys.everyProject },
              { value: 'chosen', name: text.keys.chosenProjects },
            ]}
          />
          {scope === 'chosen' && <ProjectChecks ids={projectIds} onIds={setProjectIds} />}
        </>
      )}
      <CheckBox label={w.allowed} isOn={isAllowed} onChange={setAllowed} />
    </FormDialog>
  );
}
