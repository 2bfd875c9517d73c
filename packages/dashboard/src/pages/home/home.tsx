import { ArrowUpRight } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { components, Job } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useSubmit } from '../../api/submit.ts';
import { isKnown, useResource, type Resource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { gist } from '../../parts/gist.ts';
import { Icon } from '../../parts/icon.tsx';
import { count } from '../../parts/number.ts';
import { Loaded, Page, Panel, Waiting } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { safeUrl } from '../../parts/safe-url.ts';
import { When } from '../../parts/when.tsx';
import { useIsBuiltin } from '../../shell/current-project.ts';
import { useDraft } from '../../shell/draft.ts';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { JobBadge, numberIn, WAITING } from '../jobs/job-badge.tsx';
import { Readers } from './readers.tsx';
import './home.css';

const { home: w } = text;
const OFTEN_MS = 15_000;
const SHOWN = 6;
const WEEK_MS = 7 * 86_400_000;

type JobPage = components['schemas']['JobPage'];
type PullRequest = components['schemas']['PullRequest'];

/** `/projects/{p}`: what happened this week, and a box for a prompt. */
export default function Home({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  return (
    <Page title={projectId}>
      {may('editor', projectId) && <Ask projectId={projectId} />}
      <Readers projectId={projectId} />
      <Columns projectId={projectId} />
    </Page>
  );
}

function Ask({ projectId }: { projectId: string }) {
  const { route } = useLocation();
  const [prompt, setPrompt, forget] = useDraft(`job:${projectId}`);
  const { isBusy, problem, submit: send } = useSubmit();
  const submit = () => {
    if (isBusy || prompt.trim() === '') return;
    send(
      (once) =>
        answerOf(
          api.POST('/v2/agent/{projectId}/job', {
            params: { path: { projectId }, header: { 'Idempotency-Key': once } },
            body: { prompt },
          }),
        ),
      (job) => {
        forget();
        route(to.job(projectId, job.id));
      },
    );
  };
  return (
    <form
      class="panel ask"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        label={w.ask}
        rows={2}
        required
        maxLength={32_768}
        placeholder={w.askPlaceholder}
        value={prompt}
        onValue={setPrompt}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      {problem && <ProblemNote problem={problem} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {w.askSubmit}
        </Button>
      </div>
    </form>
  );
}

/** Side by side, or one below the other: each is drawn when it is known how high those before it are. */
function Columns({ projectId }: { projectId: string }) {
  const waiting = useResource(
    `jobs waiting ${projectId}`,
    (signal) =>
      answerOf(
        api.GET('/v2/agent/{projectId}/jobs', {
          params: { path: { projectId }, query: { ...WAITING, limit: SHOWN } },
          signal,
        }),
      ),
    { everyMs: OFTEN_MS },
  );
  const working = useResource(
    `jobs active ${projectId}`,
    (signal) =>
      answerOf(
        api.GET('/v2/agent/{projectId}/jobs', {
          params: { path: { projectId }, query: { status: ['active'], limit: SHOWN } },
          signal,
        }),
      ),
    { everyMs: OFTEN_MS },
  );
  const [from] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const failed = useResource(
    `jobs failed ${projectId}`,
    (signal) =>
      answerOf(
        api.GET('/v2/agent/{projectId}/jobs', {
          params: {
            path: { projectId },
            query: { state: ['failed'], status: ['failed', 'completed'], createdFrom: from, limit: SHOWN },
          },
          signal,
        }),
      ),
    { everyMs: OFTEN_MS },
  );
  const merged = useResource(
    `pull-requests merged ${projectId}`,
    (signal) =>
      answerOf(
        api.GET('/v1/projects/{projectId}/pull-requests', {
          params: { path: { projectId }, query: { state: ['merged'], mergedFrom: from, limit: SHOWN } },
          signal,
        }),
      ),
    { everyMs: OFTEN_MS },
  );
  if (![waiting, working, failed, merged].every(isKnown)) return <Waiting rows={6} />;
  return (
    <div class="home-columns">
      <WaitsForYou projectId={projectId} jobs={waiting} />
      <Working projectId={projectId} jobs={working} />
      <Merged projectId={projectId} merged={merged} />
      <Failed projectId={projectId} jobs={failed} />
      <Broken projectId={projectId} />
    </div>
  );
}

/** Jobs to merge, publish, answer, or rephrase. */
function WaitsForYou({ projectId, jobs }: { projectId: string; jobs: Resource<JobPage> }) {
  const more = jobs.data?.nextCursor && <a href={to.jobs(projectId, 'waiting')}>{w.allWaiting}</a>;
  return (
    <Panel title={w.waiting} actions={more}>
      <Loaded from={jobs}>
        {({ jobs: rows }) =>
          rows.length === 0 ? (
            <>
              <p>{w.noWaiting}</p>
              <p class="hint">{w.noWaitingHint}</p>
            </>
          ) : (
            <ul class="lines">
              {rows.map((job) => (
                <WaitingJob key={job.id} projectId={projectId} job={job} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function WaitingJob({ projectId, job }: { projectId: string; job: Job }) {
  const hasChange = job.state === 'open' || job.state === 'ready';
  const link = safeUrl(job.prLink);
  const number = link === null ? '' : numberIn(link);
  return (
    <li>
      <a href={hasChange ? to.changes(projectId, job.id) : to.job(projectId, job.id)} class="line-title">
        <Foreign text={job.title} />
      </a>
      <JobBadge job={job} />
      <span class="hint">
        <When at={job.updatedAt} />
      </span>
      {link !== null && number !== '' && (
        <a class="hint" href={link} target="_blank" rel="noreferrer">
          {number} <Icon of={ArrowUpRight} size={12} />
        </a>
      )}
      {!hasChange && job.summary !== null && (
        <span class="hint said-last clamp">
          <Foreign text={gist(job.summary)} />
        </span>
      )}
    </li>
  );
}

function Working({ projectId, jobs }: { projectId: string; jobs: Resource<{ jobs: Job[] }> }) {
  if (!jobs.data?.jobs.length) return null;
  return (
    <Panel title={w.working} actions={<a href={to.jobs(projectId)}>{w.allJobs}</a>}>
      <ul class="lines">
        {jobs.data.jobs.map((job) => (
          <li key={job.id}>
            <a href={to.job(projectId, job.id)} class="line-title">
              <Foreign text={job.title} />
            </a>
            {job.progress && (
              <span class="hint">
                <Foreign text={job.progress} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Recently merged changes. */
function Merged({ projectId, merged }: { projectId: string; merged: Resource<{ pullRequests: PullRequest[] }> }) {
  if (!merged.data?.pullRequests.length) return null;
  return (
    <Panel title={w.merged} actions={<a href={to.analytics(projectId)}>{w.inChart}</a>}>
      <ul class="lines">
        {merged.data.pullRequests.map((pull) => (
          <li key={pull.id}>
            <a href={to.changes(projectId, pull.jobId)} class="line-title">
              <Foreign text={pull.title} />
            </a>
            <span class="hint">
              <When at={pull.mergedAt ?? pull.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Failed({ projectId, jobs }: { projectId: string; jobs: Resource<{ jobs: Job[] }> }) {
  return (
    <Panel title={w.failed} actions={<a href={to.jobs(projectId, 'failed')}>{w.allJobs}</a>}>
      <Loaded from={jobs} rows={2}>
        {({ jobs: rows }) =>
          rows.length === 0 ? (
            <p class="hint">{w.noFailed}</p>
          ) : (
            <ul class="lines">
              {rows.map((job) => (
                <li key={job.id}>
                  <a href={to.job(projectId, job.id)} class="line-title">
                    <Foreign text={job.title} />
                  </a>
                  <span class="hint wrong">
                    <Sentence text={job.error?.message ?? ''} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Broken({ projectId }: { projectId: string }) {
  const isBuiltin = useIsBuiltin(projectId);
  const [dateFrom] = useState(() => new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10));
  const missing = useResource(`not-found ${projectId}`, (signal) =>
    answerOf(
      api.GET('/v1/analytics/{projectId}/not-found', {
        params: { path: { projectId }, query: { dateFrom, limit: SHOWN } },
        signal,
      }),
    ),
  );
  return (
    <Panel title={w.broken}>
      <Loaded from={missing} rows={2}>
        {({ notFound }) =>
          notFound.length === 0 ? (
            <p class="hint">{w.noBroken}</p>
          ) : (
            <ul class="lines">
              {notFound.map((row) => (
                <li key={row.path}>
                  <code class="line-title clamp" title={row.path}>
                    <Foreign text={row.path} />
                  </code>
                  <span title={count(row.count)}>
                    <Badge>{w.times(row.count)}</Badge>
                  </span>
                  {may('editor', projectId) && (
                    <ButtonLink
                      kind="quiet"
                      to={
                        isBuiltin
                          ? to.newRecipe(projectId, 'add-redirect', { from: row.path })
                          : to.newJob(projectId, w.fixPrompt(row.path))
                      }
                    >
                      {w.makeJob}
                    </ButtonLink>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
