import { useState } from 'preact/hooks';
import { ExternalLink, GitMerge } from 'lucide';
import type { components, Job } from '@docent/client';
import { answerOf, api } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PullChecks, PullState } from '../../parts/pull-request.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text.ts';
import { PublishDialog } from '../jobs/pending.tsx';
import { Doubts, doubtsOf, ReviewPanel, type JobReview } from './review.tsx';
import { shownText } from './shown-text.tsx';

export type PullRequest = components['schemas']['PullRequest'];

const { changes: w } = text;
type Action = 'merge' | 'close' | 'discard';

/** The state of the pull request or ready change, and its actions. */
export function ChangesHead({
  projectId,
  job,
  pull,
  review,
  onChanged,
}: {
  projectId: string;
  job: Job;
  pull: PullRequest | null;
  /** Undefined if it could not be read. */
  review: JobReview | undefined;
  onChanged: () => void;
}) {
  const [asking, setAsking] = useState<Action | 'publish'>();
  const close = () => {
    setAsking(undefined);
    onChanged();
  };
  const isReady = job.pendingChanges !== null && job.status !== 'active' && job.status !== 'archived';
  const isOpen = pull?.state === 'open';
  const mayAct = may('editor', projectId);
  const ofPending = review?.pending;
  const ofPull = review?.pullRequest;
  const isDraft = pull?.state === 'open' && job.draft === true && pull.number !== null;
  return (
    <>
      <div class="changes-head">
        {pull && (
          <>
            {isDraft ? <Badge>{w.draft}</Badge> : <PullState of={pull} />}
            <span class="break">
              <PullLink of={pull} />
            </span>
            <span class="branches">
              <code>{shownText(pull.headBranch)}</code> → <code>{shownText(pull.baseBranch)}</code>
            </span>
            <PullChecks of={pull} />
            {pull.state === 'open' && pull.problem && (
              <span class="hint break">
                <Sentence text={pull.problem} />
              </span>
            )}
            <span class="hint">
              {w.updated} <When at={pull.updatedAt} />
            </span>
          </>
        )}
        {job.status === 'active' && <Badge tone="busy">{w.working}</Badge>}
        {job.pendingChanges && <Badge tone="warn">{w.notPublished}</Badge>}
      </div>
      {isReady && (
        <ReviewPanel title={w.beforePublish} review={ofPending}>
          {mayAct && (
            <div class="actions">
              <Button onClick={() => setAsking('discard')}>{w.discard}</Button>
              <Button kind="primary" onClick={() => setAsking('publish')}>
                {w.publish}
              </Button>
            </div>
          )}
        </ReviewPanel>
      )}
      {isOpen && (
        <ReviewPanel title={w.beforeMerge} review={ofPull} checks={pull.checks}>
          {mayAct && (
            <div class="actions">
              <Button onClick={() => setAsking('close')}>{w.close}</Button>
              <Button
                kind={isReady ? 'plain' : 'primary'}
                icon={GitMerge}
                disabled={pull.mergeable === false}
                title={pull.mergeable === false ? w.conflict : undefined}
                onClick={() => setAsking('merge')}
              >
                {w.merge}
              </Button>
            </div>
          )}
        </ReviewPanel>
      )}
      {asking === 'publish' && <PublishDialog projectId={projectId} job={job} onClose={close} />}
      {asking && asking !== 'publish' && (
        <Ask
          action={asking}
          projectId={projectId}
          job={job}
          doubts={asking === 'merge' ? doubtsOf(ofPull) : []}
          onClose={close}
        />
      )}
    </>
  );
}

function Ask({
  action,
  projectId,
  job,
  doubts,
  onClose,
}: {
  action: Action;
  projectId: string;
  job: Job;
  doubts: readonly string[];
  onClose: () => void;
}) {
  const path = { projectId, id: job.id };
  const params = { path };
  const keyed = (once: string) => ({ path, header: { 'Idempotency-Key': once } });
  const carryOut: Record<Action, (once: string) => Promise<unknown>> = {
    merge: () => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', { params })),
    close: () => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/pull-request/close', { params })),
    discard: (once) => answerOf(api.POST('/v2/agent/{projectId}/job/{id}/discard', { params: keyed(once) })),
  };
  const hasDoubts = doubts.length > 0;
  const { title, hint, done }: Record<'title' | 'hint' | 'done', string> = w.ask[action];
  return (
    <Confirm
      title={title}
      action={hasDoubts ? w.mergeAnyway : w[action]}
      isDanger={action === 'close' || action === 'discard' || hasDoubts}
      onConfirm={async (once) => {
        await carryOut[action](once);
        toast(done);
      }}
      onClose={onClose}
    >
      {hasDoubts && <Doubts of={doubts} />}
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
