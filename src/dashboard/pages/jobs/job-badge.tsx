import { KeyRound, Terminal, Timer, User, type IconNode } from 'lucide';
import type { Job } from '@docent/client';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { usd } from '../../parts/number.ts';
import { words } from '../../words.ts';

const { jobs: w } = words;

const STATUS_TONES: Record<string, Tone> = { active: 'busy', completed: 'good', failed: 'bad', archived: 'plain' };

export function JobBadge({ job }: { job: Pick<Job, 'status' | 'queue'> }) {
  if (job.status === 'active' && job.queue) return <Badge tone="warn">{w.waits(job.queue.position)}</Badge>;
  return <Badge tone={STATUS_TONES[job.status]}>{w.statuses[job.status] ?? job.status}</Badge>;
}

const OUTCOME_TONES: Record<string, Tone> = { changed: 'done', refused: 'warn', failed: 'bad' };

export function OutcomeBadge({ outcome }: { outcome: string }) {
  return <Badge tone={OUTCOME_TONES[outcome]}>{w.outcomes[outcome] ?? outcome}</Badge>;
}

const CREATOR_ICONS: Record<string, IconNode> = { operator: Terminal, key: KeyRound, automation: Timer, person: User };

/** Who created a job: a picture of what that is, and the name that it had. */
export function Creator({ by }: { by: Job['createdBy'] }) {
  if (!by) return <>{words.common.none}</>;
  return (
    <span class="creator" title={`${w.creators[by.kind] ?? by.kind}: ${by.name}`}>
      <Icon of={CREATOR_ICONS[by.kind] ?? User} size={14} /> <bdi class="cut">{nameOf(by)}</bdi>
    </span>
  );
}

function nameOf(by: NonNullable<Job['createdBy']>): string {
  return by.kind === 'operator' ? (w.creators.operator ?? by.name) : by.name;
}

/** What a job took, so that little is not nothing. */
export function cost(usage: Job['usage']): string {
  if (usage.costUsd === null) return w.unknownCost;
  if (usage.costUsd > 0 && usage.costUsd < 0.01) return `< ${usd(0.01)}`;
  return usd(usage.costUsd);
}

/** The end of a pull request's address where that is its number: ` #12`. */
export function numberIn(link: string): string {
  const number = /\/(\d{1,9})\/?(?:[?#].*)?$/.exec(link)?.[1];
  return number ? ` #${number}` : '';
}
