import type { components } from '@docent/client';
import { text } from '../text.ts';
import { Badge, type Tone } from './badge.tsx';

const { changes: w } = text;
type PullRequest = components['schemas']['PullRequest'];

const STATE_TONES: Record<PullRequest['state'], Tone> = { open: 'good', merged: 'done', closed: 'plain' };
const CHECK_TONES: Record<string, Tone> = { passed: 'good', failed: 'bad', pending: 'busy' };

export function PullState({ of: { state } }: { of: Pick<PullRequest, 'state'> }) {
  return <Badge tone={STATE_TONES[state]}>{w.states[state]}</Badge>;
}

/** The code host's state of an open pull request: checks, reviewers, conflicts. */
export function PullChecks({ of: { checks, mergeable, review, state } }: { of: PullRequest }) {
  if (state !== 'open') return null;
  return (
    <>
      {checks && checks.state !== 'none' && (
        <Badge tone={CHECK_TONES[checks.state] ?? 'plain'}>{w.checks[checks.state]}</Badge>
      )}
      {review && <Badge tone={review === 'approved' ? 'good' : 'warn'}>{w.reviews[review]}</Badge>}
      {mergeable === false && <Badge tone="bad">{w.conflict}</Badge>}
    </>
  );
}
