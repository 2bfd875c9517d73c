import { ShieldCheck } from 'lucide';
import type { components, JobEvent } from '@docent/client';
import { Badge } from '../../parts/badge.tsx';
import { Fold } from '../../parts/fold.tsx';
import { FoundList } from '../../parts/found.tsx';
import { Icon } from '../../parts/icon.tsx';
import { text } from '../../text.ts';

const { job: w } = text;
type CheckRound = components['schemas']['CheckRound'];

/** One round of the docs checks. @param round its findings, once loaded */
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
          {round && <FoundList {...round} />}
          {round?.told && <p class="hint">{w.reported}</p>}
        </div>
      )}
    </Fold>
  );
}
