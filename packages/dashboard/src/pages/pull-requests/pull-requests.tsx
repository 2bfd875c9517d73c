import { ArrowUpRight } from 'lucide';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { Button, MoreButton } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { Select } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { PullChecks, PullState } from '../../parts/pull-request.tsx';
import { safeUrl } from '../../parts/safe-url.ts';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { useQuery } from '../../shell/query.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { pullRequests: w } = text;
type PullRequest = components['schemas']['PullRequest'];
const STATES = ['open', 'merged', 'closed', 'all'] as const;
const EVERY_MS = 15_000;
const LIMIT = 50;

/**
 * `/projects/{p}/pull-requests`: those of the project's jobs, newest first. `?state=` filters; the default is
 * open ones.
 */
export default function PullRequests({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  const [query, setQuery] = useQuery();
  const state = STATES.find((each) => each === query.state) ?? 'open';
  const pulls = useCursorList<PullRequest>(
    `pull-requests ${projectId} ${state}`,
    async (cursor, signal) => {
      const filter = state === 'all' ? {} : { state: [state] };
      const page = await answerOf(
        api.GET('/v1/projects/{projectId}/pull-requests', {
          params: { path: { projectId }, query: { ...filter, limit: LIMIT, cursor } },
          signal,
        }),
      );
      return { rows: page.pullRequests, nextCursor: page.nextCursor };
    },
    { everyMs: EVERY_MS },
  );
  const show = (next: string) => setQuery({ state: next === 'open' ? undefined : next });
  return (
    <Page title={w.title} lead={w.lead} isWide>
      <search class="pull-filters">
        <Select
          label={w.state}
          value={state}
          onValue={show}
          options={STATES.map((each) => [each, each === 'all' ? w.allStates : text.changes.states[each]] as const)}
        />
      </search>
      <Loaded from={{ ...pulls, data: pulls.rows }} rows={8}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title={w.none[state]}
              action={state !== 'all' && <Button onClick={() => show('all')}>{w.showAll}</Button>}
            >
              <p>{w.noneHint}</p>
            </Empty>
          ) : (
            <PullTable projectId={projectId} rows={rows} />
          )
        }
      </Loaded>
      <MoreButton of={pulls} class="after-list" />
    </Page>
  );
}

function PullTable({ projectId, rows }: { projectId: string; rows: PullRequest[] }) {
  return (
    <Table
      caption={w.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: w.pullRequest,
          isMain: true,
          cell: ({ jobId, title }) => (
            <a class="job-title" href={to.changes(projectId, jobId)} dir="auto">
              {title}
            </a>
          ),
        },
        { head: w.state, cell: (pull) => <PullState of={pull} /> },
        { head: w.checks, cell: (pull) => <Checks of={pull} /> },
        {
          head: w.opened,
          cell: ({ createdAt }) => (
            <span class="one-line">
              <When at={createdAt} />
            </span>
          ),
        },
        {
          head: w.updated,
          cell: ({ updatedAt }) => (
            <span class="one-line">
              <When at={updatedAt} />
            </span>
          ),
        },
        { head: w.link, cell: (pull) => <HostLink of={pull} /> },
      ]}
    />
  );
}

function Checks({ of: pull }: { of: PullRequest }) {
  if (pull.state !== 'open' || (!pull.problem && !pull.checks && !pull.review && pull.mergeable !== false))
    return <span class="hint">{text.common.none}</span>;
  return (
    <span class="state">
      <PullChecks of={pull} />
      {pull.checks?.state === 'none' && <span class="hint">{text.common.none}</span>}
      {pull.problem && (
        <span class="hint" dir="auto">
          <Sentence text={pull.problem} />
        </span>
      )}
    </span>
  );
}

function HostLink({ of: { link, number } }: { of: PullRequest }) {
  const safe = safeUrl(link);
  if (safe === null || number === null) return <span class="hint">{text.common.none}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer">
      #{number} <Icon of={ArrowUpRight} size={12} />
    </a>
  );
}
