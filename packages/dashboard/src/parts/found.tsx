import type { components } from '@docent/client';
import { to } from '../shell/routes.ts';
import { text } from '../text.ts';
import { Badge, type Tone } from './badge.tsx';

const { job: w } = text;
type Found = Pick<components['schemas']['CheckRound'], 'problems' | 'secrets' | 'notes'>;
const TONES: Record<string, Tone> = { error: 'bad', warning: 'warn', notice: 'plain' };

/** Findings of the docs checks: problems, apparent secrets, and points for reviewers. */
export function FoundList({ problems, secrets, notes }: Found) {
  return (
    <ul class="found">
      {problems.map((problem, i) => (
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
      {secrets.map((secret, i) => (
        <li key={`secret ${i}`}>
          <Badge tone="bad">{w.secrets}</Badge> <bdi>{secret.where}</bdi>: {secret.kind}
        </li>
      ))}
      {notes.map((note, i) => (
        <li key={`note ${i}`}>
          <Badge>{w.notes}</Badge>{' '}
          <bdi>
            <code>{note.path}</code>
          </bdi>
          <div dir="auto">{note.message}</div>
        </li>
      ))}
    </ul>
  );
}
