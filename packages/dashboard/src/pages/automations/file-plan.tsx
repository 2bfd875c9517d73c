import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf, taggedAnswerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import { automations as w } from './text.ts';

type Plan = components['schemas']['AutomationPlan'];

const TONES = { create: 'good', update: 'warn', delete: 'bad' } as const;
/** Characters of a value that are shown. */
const MAX_VALUE = 120;

/** What the files on the base branch would change, and a button that applies it. Empty while both match. */
export function FilePlan({ projectId, onApplied }: { projectId: string; onApplied: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const params = { path: { projectId } };
  const plan = useResource(`automation-plan ${projectId}`, (signal) =>
    taggedAnswerOf(api.GET('/v1/projects/{projectId}/automation-plan', { params, signal })),
  );
  if (!plan.data) return plan.problem ? <ProblemNote problem={plan.problem} onRetry={plan.reload} /> : null;
  const { data, tag } = plan.data;
  const { changes, problems, ref, commit } = data;
  if (changes.length === 0 && problems.length === 0) return null;
  return (
    <section class="panel" aria-label={w.plan}>
      <header>
        <h2>{w.plan}</h2>
        {problems.length === 0 && (
          <Button kind="primary" onClick={() => setAsking(true)}>
            {w.planApply}
          </Button>
        )}
      </header>
      <p>{w.planLead(ref, commit.slice(0, 10))}</p>
      {problems.map(({ file, line, message }) => (
        <p key={`${file}:${line}:${message}`} class="note bad break">
          <span>
            <Foreign text={`${file}:${line}`} /> <Sentence text={message} />
          </span>
        </p>
      ))}
      <ul class="lines">
        {changes.map((change) => (
          <PlannedChange key={change.id} of={change} />
        ))}
      </ul>
      {isAsking && (
        <Confirm
          title={w.planTitle}
          action={w.planApply}
          isDanger={changes.some(({ action }) => action === 'delete')}
          onClose={() => {
            setAsking(false);
            plan.reload();
            onApplied();
          }}
          onConfirm={async () => {
            const shown = { ...params, header: { 'If-Match': tag } };
            await answerOf(api.POST('/v1/projects/{projectId}/automation-plan', { params: shown, body: { commit } }));
            toast(w.planApplied);
          }}
        >
          <p>{w.planHint}</p>
        </Confirm>
      )}
    </section>
  );
}

function PlannedChange({ of: { action, name, file, fields } }: { of: Plan['changes'][number] }) {
  return (
    <li>
      <div class="break">
        <Badge tone={TONES[action]}>{w.planActions[action]}</Badge> <Foreign text={name} />
        <div class="hint">
          <Foreign text={file} />
        </div>
        {fields.map(({ field, before, after }) => (
          <div key={field} class="hint">
            {field}: {action === 'update' && <Foreign text={`${shortened(before)} → `} />}
            <Foreign text={shortened(after)} />
          </div>
        ))}
      </div>
    </li>
  );
}

function shortened(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  return json.length > MAX_VALUE ? `${json.slice(0, MAX_VALUE)}…` : json;
}
