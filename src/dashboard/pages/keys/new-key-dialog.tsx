import { useState } from 'preact/hooks';
import type { CreatedKey, KeyScope } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckBox, Choice, Select, TextField } from '../../parts/field.tsx';
import { aboutField, ProblemNote } from '../../parts/problem-note.tsx';
import { ProjectChecks } from '../../parts/project-checks.tsx';
import { lastProject, useProjects } from '../../shell/current-project.ts';
import { words } from '../../words.ts';
import { ShownKey } from './shown-key.tsx';

const { keys: w } = words;
const SCOPES: readonly KeyScope[] = ['read', 'write', 'events', 'analytics'];

/** Makes a key, and shows it this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const projects = useProjects();
  const [made, setMade] = useState<CreatedKey>();
  const [name, setName] = useState('');
  const [isForAll, setForAll] = useState('chosen');
  const [projectIds, setProjectIds] = useState<string[]>(() =>
    lastProject.peek() ? [lastProject.peek() as string] : [],
  );
  const [scopes, setScopes] = useState<KeyScope[]>(['write']);
  const [expiry, setExpiry] = useState('90');
  const [addresses, setAddresses] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [once] = useState(onceKey);

  if (made)
    return (
      <ShownKey made={made} projectId={made.projectIds?.[0] ?? projects.data?.[0]?.id ?? 'PROJECT'} onClose={onClose} />
    );

  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const list = addresses.split(/[\s,]+/).filter(Boolean);
    answerOf(
      api.POST('/v1/keys', {
        params: { header: { 'Idempotency-Key': once } },
        body: {
          name: name.trim(),
          projectIds: isForAll === 'all' ? null : projectIds,
          scopes,
          expiresInDays: expiry === '' ? null : Number(expiry),
          allowedAddresses: list.length > 0 ? list : null,
        },
      }),
    ).then(setMade, (thrown: unknown) => {
      setProblem(problemOf(thrown));
      setBusy(false);
    });
  };
  return (
    <Dialog title={w.create} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="body">
          <TextField
            label={w.name}
            hint={w.nameHint}
            required
            maxLength={100}
            value={name}
            onValue={setName}
            error={aboutField(problem, 'name')}
          />
          {may('admin', null) && (
            <Choice
              label={w.projects}
              value={isForAll}
              onValue={setForAll}
              options={[
                { value: 'chosen', name: w.chosenProjects },
                { value: 'all', name: w.everyProject },
              ]}
            />
          )}
          {isForAll === 'chosen' && <ProjectChecks ids={projectIds} onIds={setProjectIds} />}
          <fieldset class="choice">
            <legend>{w.scopes}</legend>
            {SCOPES.map((scope) => (
              <CheckBox
                key={scope}
                label={w.scopeNames[scope]?.[0]}
                hint={w.scopeNames[scope]?.[1]}
                isOn={scopes.includes(scope)}
                onChange={(isOn) => setScopes(isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope))}
              />
            ))}
          </fieldset>
          <Select label={w.expiry} value={expiry} onValue={setExpiry} options={w.expiries} />
          <TextField
            label={w.addresses}
            hint={w.addressesHint}
            isOptional
            value={addresses}
            onValue={setAddresses}
            error={aboutField(problem, 'allowedAddresses')}
          />
          {problem && <ProblemNote problem={problem} />}
        </div>
        <footer>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {w.createSubmit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
