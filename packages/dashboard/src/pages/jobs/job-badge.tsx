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

/** What of the list waits for someone to do something. An archived job was put away. */
export const WAITING: { state: Job['state'][]; status: Job['status'][] } = {
  state: ['open', 'ready', 'refused', 'asked'],
  status: ['completed', 'failed'],
};

/** What has become of a job, and whether it was put away. */
export function JobBadge({ job }: { job: Pick<Job, 'state' | 'status' | 'queue'> }) {
  return (
    <span class="state">
      <Badge tone={STATE_TONES[job.state]}>{stateInWords(job)}</Badge>
      {job.status === 'archived' && <span class="hint">{w.archived}</span>}
    </span>
  );
}

export function stateInWords({ state, queue }: Pick<Job, 'state' | 'queue'>): string {
  return queue ? w.waits(queue.position) : (w.states[state] ?? state);
}

const OUTCOME_TONES: Record<string, Tone> = { changed: 'done', refused: 'warn', asked: 'warn', failed: 'bad' };

export function OutcomeBadge({ outcome }: { outcome: string }) {
  return <Badge tone={OUTCOME_TONES[outcome]}>{w.outcomes[outcome] ?? outcome}</Badge>;
}

const CREATOR_ICONS: Record<string, IconNode> = { operator: Terminal, key: KeyRound, automation: Timer, person: User };

/** Who created a job: a picture of what that is, and the name that it had. */
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
