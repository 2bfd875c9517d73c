import { KeyRound, Terminal, Timer, User, type IconNode } from 'lucide';
import type { Job } from '@docent/client';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { usd } from '../../parts/number.ts';
import { text } from '../../text.ts';

const { jobs: w } = text;

const STATE_TONES: Record<string, Tone> = {
  working: 'busy',
  asked: 'warn',
  refused: 'warn',
  failed: 'bad',
  ready: 'warn',
  open: 'good',
  merged: 'done',
  pushed: 'done',
  answered: 'good',
};

/** Listed jobs that need a person. Archived ones do not. */
export const WAITING: { state: Job['state'][]; status: Job['status'][] } = {
  state: ['open', 'ready', 'refused', 'asked'],
  status: ['completed', 'failed'],
};

/** The state of a job, and whether it is archived. */
export function JobBadge({ job }: { job: Pick<Job, 'state' | 'status' | 'queue'> }) {
  return (
    <span class="state">
      <Badge tone={STATE_TONES[job.state]}>{stateText(job)}</Badge>
      {job.status === 'archived' && <span class="hint">{w.archived}</span>}
    </span>
  );
}

export function stateText({ state, queue }: Pick<Job, 'state' | 'queue'>): string {
  return queue ? w.waits(queue.position) : (w.states[state] ?? state);
}

const OUTCOME_TONES: Record<string, Tone> = { changed: 'done', refused: 'warn', asked: 'warn', failed: 'bad' };

export function OutcomeBadge({ outcome }: { outcome: string }) {
  return <Badge tone={OUTCOME_TONES[outcome]}>{w.outcomes[outcome] ?? outcome}</Badge>;
}

const CREATOR_ICONS: Record<string, IconNode> = { operator: Terminal, key: KeyRound, automation: Timer, person: User };

/** The creator of a job: an icon for its kind, and its name at that time. */
export function Creator({ by }: { by: Job['createdBy'] }) {
  if (!by) return <>{text.common.none}</>;
  return (
    <span class="creator" title={`${w.creators[by.kind] ?? by.kind}: ${by.name}`}>
      <Icon of={CREATOR_ICONS[by.kind] ?? User} size={14} /> <bdi class="cut">{nameOf(by)}</bdi>
    </span>
  );
}

function nameOf(by: NonNullable<Job['createdBy']>): string {
  return by.kind === 'operator' ? (w.creators.operator ?? by.name) : by.name;
}

/** A job's cost. Small amounts are not shown as zero. */
export function cost(usage: Job['usage']): string {
  if (usage.costUsd === null) return w.unknownCost;
  if (usage.costUsd > 0 && usage.costUsd < 0.01) return `< ${usd(0.01)}`;
  return usd(usage.costUsd);
}

/** The end of a pull request's address if that is its number: ` #12`. */
export function numberIn(link: string): string {
  const number = /\/(\d{1,9})\/?(?:[?#].*)?$/.exec(link)?.[1];
  return number ? ` #${number}` : '';
}
