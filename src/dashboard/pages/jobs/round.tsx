import { ShieldCheck } from 'lucide';
import type { components, JobEvent } from '@docent/client';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Icon } from '../../parts/icon.tsx';
import { to } from '../../shell/routes.ts';
import { words } from '../../words.ts';

const { job: w } = words;
type CheckRound = components['schemas']['CheckRound'];
const TONES: Record<string, Tone> = { error: 'bad', warning: 'warn', notice: 'plain' };

/** One round of the docs checks. @param round what they found, once that was asked for */
export function Round({ event, round }: { event: JobEvent; round: CheckRound | undefined }) {
  const problems = round?.problems.length ?? event.data?.problems ?? 0;
  return (
    <Fold
      class="call"
      summary={
        <>
          <Icon of={ShieldCheck} size={14} />
          {w.checks}
          <Badge tone={problems > 0 ? 'warn' : 'good'}>{w.problems(problems)}</Badge>
        </>
      }
    >
      {() => (
        <div class="round">
          <p dir="auto">{event.text}</p>
          {round && (
            <ul class="found">
              {round.problems.map((problem, i) => (
                <li key={i}>
                  <Badge tone={TONES[problem.severity]}>{problem.severity}</Badge>{' '}
                  <bdi>
                    <code>{w.line(problem.path, problem.line)}</code>
                  </bdi>{' '}
                  <a href={to.checkRule(problem.code)}>{problem.code}</a>
                  <div dir="auto">{problem.message}</div>
                  {problem.suggestion !== null && (
                    <div>
                      {w.suggested}{' '}
                      <bdi>
                        <code>{problem.suggestion}</code>
                      </bdi>
                    </div>
                  )}
                </li>
              ))}
              {round.secrets.map((secret, i) => (
                <li key={`secret ${i}`}>
                  <Badge tone="bad">{w.secrets}</Badge> <bdi>{secret.where}</bdi>: {secret.kind}
                </li>
              ))}
              {round.notes.map((note, i) => (
                <li key={`note ${i}`}>
                  <Badge>{w.notes}</Badge>{' '}
                  <bdi>
                    <code>{note.path}</code>
                  </bdi>
                  <div dir="auto">{note.message}</div>
                </li>
              ))}
            </ul>
          )}
          {round?.told && <p class="hint">{w.told}</p>}
        </div>
      )}
    </Fold>
  );
}
