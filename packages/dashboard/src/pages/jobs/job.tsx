import { useEffect, useRef, useState } from 'preact/hooks';
import type { components, Job as JobOf } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { isKnown, useResource, type Resource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Sentence } from '../../parts/code.tsx';
import { useMarkdown } from '../../parts/markdown.tsx';
import { Empty, Loaded, Page, Waiting } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { OfJob } from './call.tsx';
import { Conversation } from './conversation.tsx';
import { FollowUp } from './follow-up.tsx';
import { JobActions } from './job-actions.tsx';
import { JobBadge, stateText } from './job-badge.tsx';
import { JobSide } from './job-side.tsx';
import { Pending } from './pending.tsx';
import { useTimeline } from './use-timeline.ts';
import type { Timeline } from './timeline.ts';
import './jobs.css';

const { job: w } = text;
type Message = components['schemas']['JobMessage'];

/** The stream reports most changes; this is for the position in the queue, and for other people's changes. */
const ACTIVE_MS = 5_000;
const RESTING_MS = 30_000;
const MESSAGES = 50;
/** After this time, the loaded part is shown. */
const LONGEST_WAIT_MS = 2_000;

/** `/projects/{p}/jobs/{job}`: the live conversation and work, and the next actions. */
export default function Job({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  const id = params.jobId ?? '';
  const isActive = useRef(true);
  const job = useResource(
    `job ${projectId} ${id}`,
    (signal) => answerOf(api.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } }, signal })),
    { everyMs: isActive.current ? ACTIVE_MS : RESTING_MS },
  );
  isActive.current = job.data?.status === 'active';
  const hasMarkdown = useMarkdown();
  if (job.problem?.status === 404)
    return (
      <Page title={w.notFound}>
        <Empty
          title={job.problem.message}
          action={<ButtonLink to={to.jobs(projectId)}>{text.jobs.title}</ButtonLink>}
        />
      </Page>
    );
  return (
    <Page
      title={job.data?.title ?? text.jobs.job}
      isWide
      lead={
        job.data && (
          <span class="badges">
            <JobBadge job={job.data} />
          </span>
        )
      }
      actions={
        job.data && may('editor', projectId) && <JobActions projectId={projectId} job={job.data} onDone={job.reload} />
      }
    >
      <Loaded from={job} rows={10}>
        {(data) => <Body projectId={projectId} job={data} resource={job} hasMarkdown={hasMarkdown} />}
      </Loaded>
    </Page>
  );
}

function Body({
  projectId,
  job,
  resource,
  hasMarkdown,
}: {
  projectId: string;
  job: JobOf;
  resource: Resource<JobOf>;
  hasMarkdown: boolean;
}) {
  const { id } = job;
  const path = { projectId, id };
  const { timeline, problem } = useTimeline(projectId, id, job.status === 'archived');
  const messages = useCursorList<Message>(`messages ${projectId} ${id}`, async (cursor, signal) => {
    const page = await answerOf(
      api.GET('/v2/agent/{projectId}/job/{id}/messages', {
        params: { path, query: { order: 'desc', limit: MESSAGES, cursor } },
        signal,
      }),
    );
    return { rows: page.messages, nextCursor: page.nextCursor };
  });
  const rounds = useResource(timeline.counts.checks ? `checks ${projectId} ${id}` : null, (signal) =>
    answerOf(api.GET('/v2/agent/{projectId}/job/{id}/checks', { params: { path, query: { limit: 100 } }, signal })),
  );
  const isPublished = Boolean(timeline.counts.published) || job.prLink !== null;
  const pullRequest = useResource(isPublished ? `pull-request ${projectId} ${id}` : null, (signal) =>
    answerOf(api.GET('/v2/agent/{projectId}/job/{id}/pull-request', { params: { path }, signal })),
  );
  const usage = useResource(`usage ${projectId} ${id}`, (signal) =>
    answerOf(api.GET('/v2/agent/{projectId}/job/{id}/usage', { params: { path }, signal })),
  );

  useWhen(timeline, ['created', 'message', 'turn_started', 'turn_ended', 'archived'], messages.reload);
  useWhen(timeline, ['queued', 'turn_started', 'turn_ended', 'archived', 'unarchived', 'discarded'], resource.reload);
  useWhen(timeline, ['checks'], rounds.reload);
  useWhen(timeline, ['published', 'turn_ended'], pullRequest.reload);
  useWhen(timeline, ['step', 'turn_ended'], usage.reload);

  const isThere = useOnce(
    hasMarkdown &&
      isKnown({ ...messages, data: messages.rows }) &&
      (timeline.last > 0 || problem !== undefined) &&
      (!isPublished || isKnown(pullRequest)),
  );
  const isActive = job.status === 'active';
  // Each part moves those below it: they come together.
  if (!isThere) return <Waiting rows={10} />;
  return (
    <div class="job">
      <div class="job-main">
        {problem && <ProblemNote problem={problem} />}
        <OfJob.Provider value={path}>
          <Conversation
            projectId={projectId}
            timeline={timeline}
            messages={messages}
            rounds={rounds.data?.checks ?? []}
          />
        </OfJob.Provider>
        <p class="unseen" role="status">
          {stateText(job)}
        </p>
        <p class="now">
          {isActive && (
            <>
              <span class="spinner" aria-hidden="true" />{' '}
              <span dir="auto">
                {job.queue ? w.queue(job.queue.position) : (timeline.progress ?? job.progress ?? w.running)}
              </span>
            </>
          )}
        </p>
        {job.error && (
          <div class="note bad">
            <div>
              <p>
                <strong>{w.error}</strong> <code>{job.error.code}</code>
              </p>
              <p dir="auto">
                <Sentence text={job.error.message} />
              </p>
            </div>
          </div>
        )}
        <Pending projectId={projectId} job={job} onDone={resource.reload} />
        {may('editor', projectId) && (
          <FollowUp
            projectId={projectId}
            job={job}
            onSent={() => {
              resource.reload();
              messages.reload();
            }}
          />
        )}
      </div>
      <JobSide projectId={projectId} job={job} pullRequest={pullRequest.data} usage={usage.data} />
    </div>
  );
}

/** Whether it is true, was true once, or has taken too long. */
function useOnce(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo);
  useEffect(() => {
    if (isSo) setWas(true);
  }, [isSo]);
  useEffect(() => {
    const timer = setTimeout(() => setWas(true), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSo || was;
}

/** Does something each time that the timeline has more of these events than it had. */
function useWhen(timeline: Timeline, types: readonly (keyof Timeline['counts'])[], act: () => void): void {
  const seen = types.reduce((sum, type) => sum + (timeline.counts[type] ?? 0), 0);
  const before = useRef(seen);
  useEffect(() => {
    if (seen > before.current) act();
    before.current = seen;
  }, [seen]);
}
