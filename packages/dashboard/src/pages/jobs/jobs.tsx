import { GitPullRequest, Plus } from 'lucide';
import type { Job } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { may } from '../../api/session.ts';
import { Button, ButtonLink, MoreButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { safeUrl } from '../../parts/safe-url.ts';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useIsBuiltin } from '../../shell/current-project.ts';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { useQuery } from '../../shell/query.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { Filters, filtersOf, isFiltered, NO_FILTERS } from './filters.tsx';
import { cost, Creator, JobBadge, numberIn } from './job-badge.tsx';
import { SetUpModel } from './set-up-model.tsx';
import './jobs.css';

const { jobs: w } = text;
const EVERY_MS = 5_000;
const LIMIT = 50;

/** `/projects/{p}/jobs`: the project's jobs, newest first. Filters are in the address. */
export default function Jobs({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  const [query, setQuery] = useQuery();
  const filters = filtersOf(query);
  const jobs = useCursorList<Job>(
    `jobs ${projectId} ${JSON.stringify(filters)}`,
    async (cursor, signal) => {
      const page = await answerOf(
        api.GET('/v2/agent/{projectId}/jobs', {
          params: { path: { projectId }, query: { ...filters, limit: LIMIT, cursor } },
          signal,
        }),
      );
      return { rows: page.jobs, nextCursor: page.nextCursor };
    },
    { everyMs: EVERY_MS },
  );
  const mayCreate = may('editor', projectId);
  const isBuiltin = useIsBuiltin(projectId);
  const create = mayCreate && (
    <ButtonLink kind="primary" icon={Plus} to={to.newJob(projectId)}>
      {w.create}
    </ButtonLink>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={create} isWide>
      <Filters query={query} onChange={setQuery} seen={jobs.rows ?? []} />
      <Loaded from={{ ...jobs, data: jobs.rows }} rows={8}>
        {(rows) => {
          if (rows.length > 0) return <JobTable projectId={projectId} rows={rows} />;
          if (isFiltered(query))
            return (
              <Empty title={w.noMatch} action={<Button onClick={() => setQuery(NO_FILTERS)}>{w.clear}</Button>}>
                <p>{w.noMatchHint}</p>
              </Empty>
            );
          return (
            <Empty
              title={w.empty}
              action={
                mayCreate && (
                  <ButtonLink to={to.newJob(projectId, isBuiltin ? undefined : w.emptyExample)}>
                    {isBuiltin ? text.recipes.choose : w.useExample}
                  </ButtonLink>
                )
              }
            >
              {isBuiltin ? (
                <>
                  <p>{text.recipes.emptyHint}</p>
                  <p>
                    <SetUpModel />
                  </p>
                </>
              ) : (
                <>
                  <p>{w.emptyHint}</p>
                  <p class="example">{w.emptyExample}</p>
                </>
              )}
            </Empty>
          );
        }}
      </Loaded>
      <MoreButton of={jobs} class="after-list" />
    </Page>
  );
}

function JobTable({ projectId, rows }: { projectId: string; rows: Job[] }) {
  return (
    <Table
      caption={w.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: w.job,
          isMain: true,
          cell: (job) => (
            <a class="job-title" href={to.job(projectId, job.id)} dir="auto">
              {job.title}
            </a>
          ),
        },
        {
          head: w.state,
          cell: (job) => <JobBadge job={job} />,
        },
        { head: w.pullRequest, cell: (job) => <PullRequestLink projectId={projectId} job={job} /> },
        { head: w.createdBy, cell: ({ createdBy }) => <Creator by={createdBy} /> },
        {
          head: w.created,
          cell: ({ createdAt }) => (
            <span class="one-line">
              <When at={createdAt} />
            </span>
          ),
        },
        { head: w.cost, align: 'end', cell: ({ usage }) => cost(usage) },
      ]}
    />
  );
}

/** For a code host, its number there; for this server, a link to its changes here. */
function PullRequestLink({ projectId, job }: { projectId: string; job: Job }) {
  const safe = safeUrl(job.prLink);
  if (safe === null) return <span class="hint">{text.common.none}</span>;
  const number = numberIn(safe).trim();
  const state = job.prState ? text.changes.states[job.prState] : text.job.pullRequest;
  if (number === '')
    return (
      <a class="pr-link" href={to.changes(projectId, job.id)}>
        <Icon of={GitPullRequest} size={14} /> {state}
      </a>
    );
  return (
    <a class="pr-link" href={safe} target="_blank" rel="noopener noreferrer" title={w.openPullRequest(` ${number}`)}>
      <Icon of={GitPullRequest} size={14} /> {number} <span class="hint">{state}</span>
    </a>
  );
}
