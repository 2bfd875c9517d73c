import type { components } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { problemOf } from '../../api/problem.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, MoreButton } from '../../parts/button.tsx';
import { Sentence } from '../../parts/code.tsx';
import { Select } from '../../parts/field.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { gist } from '../../parts/gist.ts';
import { count } from '../../parts/number.ts';
import { safeUrl } from '../../parts/safe-url.ts';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { useQuery } from '../../shell/query.ts';
import { to } from '../../shell/routes.ts';
import { automations as w } from './text.ts';

type Run = components['schemas']['AutomationRun'];

const TONES: Readonly<Record<Run['status'], Tone>> = {
  queued: 'plain',
  running: 'busy',
  review_needed: 'warn',
  accepted: 'done',
  closed: 'plain',
  no_action: 'plain',
  failed: 'bad',
  skipped: 'plain',
};
const STATUSES = Object.keys(TONES) as Run['status'][];
const EVERY_MS = 5_000;

/** The cause of a run, as a link to its pull request if there is one. */
function CauseText({ cause: { type, actor, url } }: Pick<Run, 'cause'>) {
  const label = (
    <>
      {w.causes[type]} {actor && <Foreign text={actor} />}
    </>
  );
  const safe = safeUrl(url);
  if (safe === null) return label;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      {label}
    </a>
  );
}

/** `/projects/{p}/automations/{id}`: what an automation did or skipped, and why. */
export default function Runs({ params }: PageProps) {
  const [query, setQuery] = useQuery();
  const { projectId = '', automationId = '' } = params;
  const path = { projectId, automationId };
  const status = STATUSES.find((one) => one === query.status);
  const automation = useResource(`automation ${automationId}`, (signal) =>
    answerOf(api.GET('/v1/projects/{projectId}/automations/{automationId}', { params: { path }, signal })),
  );
  const list = useCursorList<Run>(
    `runs ${automationId} ${status ?? ''}`,
    async (cursor, signal) => {
      const asked = { cursor, ...(status === undefined ? {} : { status }) };
      const request = api.GET('/v1/projects/{projectId}/automations/{automationId}/runs', {
        params: { path, query: asked },
        signal,
      });
      const page = await answerOf(request);
      return { rows: page.runs, nextCursor: page.nextCursor };
    },
    { everyMs: EVERY_MS },
  );
  const start = async () => {
    try {
      await answerOf(
        api.POST('/v1/projects/{projectId}/automations/{automationId}/trigger', {
          params: { path, header: { 'Idempotency-Key': onceKey() } },
          body: {},
        }),
      );
      toast(w.started);
      list.reload();
    } catch (thrown) {
      toast(problemOf(thrown).message);
    }
  };
  const turnOn = async () => {
    try {
      const body = { enabled: true };
      await answerOf(api.PATCH('/v1/projects/{projectId}/automations/{automationId}', { params: { path }, body }));
      automation.reload();
    } catch (thrown) {
      toast(problemOf(thrown).message);
    }
  };
  const found = automation.data;
  const mayChange = may('editor', projectId);
  const isOn = found?.enabled === true && found.pausedReason === null;
  return (
    <Page
      title={w.runsOf}
      lead={found && <Foreign text={`${found.name} · ${found.triggerText}`} />}
      actions={
        mayChange &&
        found && (
          <Button kind="primary" onClick={() => void (isOn ? start() : turnOn())}>
            {isOn ? w.run : w.turnOn}
          </Button>
        )
      }
    >
      <Loaded from={automation} rows={2}>
        {({ pausedReason }) => (
          <>
            {pausedReason && (
              <p class="note bad break">
                <span>
                  {w.pausedNote} <Sentence text={pausedReason} />
                </span>
              </p>
            )}
            <search class="job-filters" aria-label={w.runsOf}>
              <Select
                label={w.status}
                value={status ?? ''}
                onValue={(value) => setQuery({ status: value || undefined })}
                options={[['', w.anyStatus], ...STATUSES.map((one) => [one, w.statuses[one]] as const)]}
              />
            </search>
            <Loaded from={{ ...list, data: list.rows }}>
              {(rows) =>
                rows.length === 0 ? (
                  <Empty title={w.noRuns}>
                    <p>{w.noRunsHint}</p>
                  </Empty>
                ) : (
                  <RunTable projectId={projectId} rows={rows} onAgain={mayChange && isOn ? start : null} />
                )
              }
            </Loaded>
            <MoreButton of={list} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function RunTable({
  projectId,
  rows,
  onAgain,
}: {
  projectId: string;
  rows: Run[];
  onAgain: (() => Promise<void>) | null;
}) {
  return (
    <Table
      caption={w.runsOf}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: w.status,
          isMain: true,
          cell: (run) => (
            <div class="break">
              <Badge tone={TONES[run.status]}>{w.statuses[run.status]}</Badge>{' '}
              {run.summary && (
                <div class="hint clamp">
                  <Foreign text={gist(run.summary)} />
                </div>
              )}
            </div>
          ),
        },
        { head: w.number, align: 'end', cell: ({ number }) => (number === null ? '–' : count(number)) },
        {
          head: w.cause,
          cell: ({ cause, events }) => (
            <div>
              <CauseText cause={cause} />
              {events > 1 && <div class="hint">{w.events(events)}</div>}
            </div>
          ),
        },
        { head: w.created, cell: ({ createdAt }) => <When at={createdAt} /> },
        {
          head: w.job,
          cell: ({ jobId }) => (jobId === null ? '–' : <a href={to.job(projectId, jobId)}>{w.openJob}</a>),
        },
        {
          head: '',
          align: 'end',
          cell: ({ endedAt, number }) =>
            onAgain && endedAt !== null && number !== null && <Button onClick={() => void onAgain()}>{w.again}</Button>,
        },
      ]}
    />
  );
}
