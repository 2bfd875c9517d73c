import { useState } from 'preact/hooks';
import { ExternalLink, GitMerge } from 'lucide';
import type { components, Job } from '@docent/client';
import { answerOf, api } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { words } from '../../words.ts';
import { shownText } from './shown-text.tsx';

export type PullRequest = components['schemas']['PullRequest'];

const { changes: w } = words;
type Action = 'merge' | 'close' | 'publish' | 'discard';

const TONES: Record<PullRequest['state'], Tone> = { open: 'good', merged: 'done', closed: 'bad' };

/** Where the pull request, or what is ready, stands, and what can be done with it. */
export function ChangesHead({
  projectId,
  job,
  pull,
  onChanged,
}: {
  projectId: string;
  job: Job;
  pull: PullRequest | null;
  onChanged: () => void;
}) {
  const [asking, setAsking] = useState<Action>();
  const isDraft = pull?.state === 'open' && job.draft === true && pull.number !== null;
  return (
    <div class="changes-head">
      {pull && (
        <>
          <Badge tone={isDraft ? 'plain' : TONES[pull.state]}>{isDraft ? w.draft : w.states[pull.state]}</Badge>
          <span class="break">
            <PullLink of={pull} />
          </span>
          <span class="branches">
            <code>{shownText(pull.headBranch)}</code> → <code>{shownText(pull.baseBranch)}</code>
          </span>
          <Checks of={pull} />
          <span class="hint">
            {w.updated} <When at={pull.updatedAt} />
          </span>
        </>
      )}
      {job.status === 'active' && <Badge tone="busy">{w.working}</Badge>}
      {job.pendingChanges && <Badge tone="warn">{w.notPublished}</Badge>}
      {may('editor', projectId) && <Buttons job={job} pull={pull} onAsk={setAsking} />}
      {asking && (
        <Ask
          action={asking}
          projectId={projectId}
          job={job}
          onClose={() => {
            setAsking(undefined);
            onChanged();
          }}
        />
      )}
    </div>
  );
}

function Buttons({ job, pull, onAsk }: { job: Job; pull: PullRequest | null; onAsk: (action: Action) => void }) {
  const isReady = job.pendingChanges !== null && job.status !== 'active' && job.status !== 'archived';
  const isOpen = pull?.state === 'open';
  if (!isReady && !isOpen) return null;
  return (
    <div class="actions">
      {isReady && (
        <>
          <Button onClick={() => onAsk('discard')}>{w.discard}</Button>
          <Button kind="primary" onClick={() => onAsk('publish')}>
            {w.publish}
          </Button>
        </>
      )}
      {isOpen && (
        <>
          <Button onClick={() => onAsk('close')}>{w.close}</Button>
          <Button
            kind={isReady ? 'plain' : 'primary'}
            icon={GitMerge}
            disabled={pull.mergeable === false}
            title={pull.mergeable === false ? w.conflict : undefined}
            onClick={() => onAsk('merge')}
          >
            {w.merge}
          </Button>
        </>
      )}
    </div>
  );
}

function Ask({
  action,
  projectId,
  job,
  onClose,
}: {
  action: Action;
  projectId: string;
  job: Job;
  onClose: () => void;
}) {
  const path = { projectId, id: job.id };
  const params = { path };
  const keyed = (once: string) => ({ path, header: { 'Idempotency-Key': once } });
  const carryOut: Record<Action, (once: string) => Promise<unknown>> = {
    merge: () => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', { params })),
    close: () => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/pull-request/close', { params })),
    publish: (once) => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/publish', { params: keyed(once), body: {} })),
    discard: (once) => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/discard', { params: keyed(once) })),
  };
  const { title, hint, done }: Record<'title' | 'hint' | 'done', string> = w.ask[action];
  return (
    <Confirm
      title={title}
      action={w[action]}
      isDanger={action === 'close' || action === 'discard'}
      onConfirm={async (once) => {
        await carryOut[action](once);
        toast(done);
      }}
      onClose={onClose}
    >
      <p>{hint}</p>
    </Confirm>
  );
}

function PullLink({ of: { link, number } }: { of: PullRequest }) {
  const text = number === null ? w.pullRequest : w.numbered(number);
  if (!/^https?:\/\//.test(link)) return <>{text}</>;
  return (
    <a href={link} target="_blank" rel="noreferrer">
      {text} <Icon of={ExternalLink} size={13} />
    </a>
  );
}

const CHECK_TONES: Record<string, Tone> = { passed: 'good', failed: 'bad', pending: 'busy' };

function Checks({ of: { checks, mergeable, problem, review, state } }: { of: PullRequest }) {
  if (state !== 'open') return null;
  return (
    <>
      {checks && checks.state !== 'none' && (
        <Badge tone={CHECK_TONES[checks.state] ?? 'plain'}>{w.checks[checks.state]}</Badge>
      )}
      {review && <Badge tone={review === 'approved' ? 'good' : 'warn'}>{w.reviews[review]}</Badge>}
      {mergeable === false && <Badge tone="bad">{w.conflict}</Badge>}
      {problem && <span class="hint break">{problem}</span>}
    </>
  );
}
