import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Loaded, Panel } from '../../parts/page.tsx';
import { count } from '../../parts/number.ts';
import { Table, pathColumn } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useIsBuiltin } from '../../shell/current-project.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { Bar } from './bar.tsx';
import { keyOf, useCounted } from './counted.ts';
import { CsvButton } from './csv-button.tsx';
import { quoted } from './prompts.ts';
import { rangeQuery } from './range.ts';
import type { Asked, Shown } from './shown.ts';
import { fileNameOf, loadTable } from './tables.ts';

const { analytics: w } = text;
type VisitorClass = components['schemas']['VisitorClass'];
type Agent = components['schemas']['Agents']['agents'][number];

const FEW = 10;
/** How many rows are shown, step by step. The CSV has all. */
const STEPS = [FEW, 50, 250];

/** AI agents and crawlers, by operator and purpose. */
export function Agents({ subject, version, onGone, setQuery }: Shown & Pick<Asked, 'setQuery'>) {
  const { projectId, measure, span } = subject;
  const [chosen, choose] = useState<VisitorClass | null>(null);
  const [isAll, setAll] = useState(false);
  const agents = useCounted(
    `agents ${keyOf(subject, span)}`,
    version,
    (at, signal) =>
      answerOf(
        api.GET('/v1/analytics/{projectId}/agents', {
          params: { path: { projectId }, query: { ...rangeQuery(span), ...subject.only, version: at } },
          signal,
        }),
      ),
    { onGone },
  );
  return (
    <Panel
      title={w.agents}
      actions={
        <CsvButton
          what={w.agents}
          fileName={fileNameOf(subject, 'agents')}
          load={() => loadTable(subject, 'agents', version)}
        />
      }
    >
      <Loaded from={agents}>
        {(data) => {
          const rows = data.agents
            .filter((agent) => chosen === null || agent.class === chosen)
            .toSorted((a, b) => b[measure] - a[measure]);
          const most = rows[0]?.[measure] ?? 1;
          if (data.classes.length === 0) return <p class="hint">{w.noAgents}</p>;
          return (
            <>
              <div class="classes" role="group" aria-label={w.class}>
                {data.classes
                  .filter((each) => each.class !== 'human')
                  .map((each) => (
                    <button
                      key={each.class}
                      type="button"
                      aria-pressed={chosen === each.class}
                      onClick={() => choose(chosen === each.class ? null : each.class)}
                    >
                      {w.classes[each.class]} <b>{count(each[measure])}</b>
                    </button>
                  ))}
              </div>
              <Table
                caption={w.agents}
                rows={isAll ? rows : rows.slice(0, FEW)}
                keyOf={({ agent, class: of }) => `${agent} ${of}`}
                columns={[
                  {
                    head: w.agent,
                    isMain: true,
                    cell: ({ agent, class: of, ...counts }) => (
                      <Bar of={counts[measure] / most} kind={of === 'assistant' ? 'ai' : 'total'}>
                        {counts.failed.views === counts.views && `${w.claims} `}
                        <Narrow text={agent} onClick={() => setQuery({ agent })} />
                      </Bar>
                    ),
                  },
                  { head: w.operator, cell: ({ operator }) => operator ?? '–' },
                  { head: w.class, cell: ({ class: of }) => <Badge>{w.classes[of]}</Badge> },
                  { head: w.verification, cell: (agent) => <Verified agent={agent} /> },
                  { head: w.measures[measure], align: 'end', cell: (agent) => count(agent[measure]) },
                ]}
              />
              {!isAll && rows.length > FEW && (
                <Button kind="quiet" onClick={() => setAll(true)}>
                  {text.common.more}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Whether the readers are the agent that they claim to be. */
function Verified({ agent: { views, verified, failed, unknown } }: { agent: Agent }) {
  const { verifications } = w;
  if (verified.views === views) return <Badge tone="good">{verifications.verified}</Badge>;
  if (failed.views === views) return <Badge tone="warn">{verifications.failed}</Badge>;
  if (unknown.views === views) return <span class="hint">{verifications.unknown}</span>;
  return <>{w.verifiedOf(count(verified.views), count(views))}</>;
}

/** Where readers came from. Hosts are untrusted, so they are not links. */
export function Referrers({ subject, version, onGone, setQuery }: Shown & Pick<Asked, 'setQuery'>) {
  const { projectId, measure, span } = subject;
  const [limit, setLimit] = useState(FEW);
  const referrers = useCounted(
    `referrers ${keyOf(subject, span)}`,
    version,
    (at, signal) =>
      answerOf(
        api.GET('/v1/analytics/{projectId}/referrers', {
          params: { path: { projectId }, query: { ...rangeQuery(span), ...subject.only, version: at, limit } },
          signal,
        }),
      ),
    { onGone, more: limit },
  );
  return (
    <Panel
      title={w.referrers}
      actions={
        <CsvButton
          what={w.referrers}
          fileName={fileNameOf(subject, 'referrers')}
          load={() => loadTable(subject, 'referrers', version)}
        />
      }
    >
      <Loaded from={referrers}>
        {(data) => {
          if (data.referrers.length === 0) return <p class="hint">{w.noReferrers}</p>;
          const most = Math.max(...data.referrers.map((row) => row[measure]));
          return (
            <>
              <Table
                caption={w.referrers}
                rows={data.referrers}
                keyOf={({ host }) => host ?? ''}
                columns={[
                  {
                    head: w.host,
                    isMain: true,
                    cell: (row) => (
                      <Bar of={row[measure] / most} kind="human">
                        {row.host === null ? (
                          w.noReferrer
                        ) : (
                          <Narrow text={row.host} onClick={() => setQuery({ source: row.host ?? undefined })} />
                        )}
                      </Bar>
                    ),
                  },
                  { head: w.channel, cell: ({ channel }) => <Badge>{w.channels[channel]}</Badge> },
                  { head: w.measures[measure], align: 'end', cell: (row) => count(row[measure]) },
                ]}
              />
              <MoreRows {...{ limit, setLimit }} hasMore={data.hasMore} isBusy={referrers.isLoading} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Links that lead nowhere, as readers met them. */
export function BrokenLinks({ subject, version, onGone }: Shown) {
  const { projectId, span } = subject;
  const isBuiltin = useIsBuiltin(projectId);
  const [limit, setLimit] = useState(FEW);
  const missing = useCounted(
    `not found ${keyOf({ projectId, only: {} }, span)}`,
    version,
    (at, signal) =>
      answerOf(
        api.GET('/v1/analytics/{projectId}/not-found', {
          params: { path: { projectId }, query: { ...rangeQuery(span), version: at, limit } },
          signal,
        }),
      ),
    { onGone, more: limit },
  );
  return (
    <Panel
      title={w.brokenLinks}
      id="broken-links"
      actions={
        <CsvButton
          what={w.brokenLinks}
          fileName={fileNameOf(subject, 'not-found')}
          load={() => loadTable(subject, 'not-found', version)}
        />
      }
    >
      <Loaded from={missing}>
        {(data) =>
          data.notFound.length === 0 ? (
            <p class="hint">{w.noBrokenLinks}</p>
          ) : (
            <>
              <Table
                caption={w.brokenLinks}
                rows={data.notFound}
                keyOf={({ path }) => path}
                columns={[
                  pathColumn(w.page),
                  { head: w.asked, align: 'end', cell: (row) => count(row.count) },
                  { head: w.mostlyFrom, cell: ({ referrer }) => <bdi class="foreign">{referrer ?? '–'}</bdi> },
                  { head: w.lastSeen, cell: ({ lastSeen }) => <When at={lastSeen} /> },
                  ...(may('editor', projectId)
                    ? [
                        {
                          head: '',
                          align: 'end' as const,
                          cell: (row: (typeof data.notFound)[number]) => (
                            <a
                              class="make-job"
                              href={
                                isBuiltin
                                  ? to.newRecipe(projectId, 'add-redirect', { from: row.path })
                                  : to.newJob(projectId, w.brokenPrompt(quoted(row.path), count(row.count)))
                              }
                            >
                              {w.makeJob}
                            </a>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
              <MoreRows {...{ limit, setLimit }} hasMore={data.hasMore} isBusy={missing.isLoading} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function MoreRows({
  limit,
  setLimit,
  hasMore,
  isBusy,
}: {
  limit: number;
  setLimit: (limit: number) => void;
  hasMore: boolean;
  isBusy: boolean;
}) {
  const next = STEPS.find((step) => step > limit);
  if (!hasMore) return null;
  if (next === undefined) return <p class="hint">{w.restInCsv}</p>;
  return (
    <Button kind="quiet" isBusy={isBusy} onClick={() => setLimit(next)}>
      {text.common.more}
    </Button>
  );
}

/** An untrusted value that filters the whole page. */
export function Narrow({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <button type="button" class="as-link path" title={w.filterBy(text)} onClick={onClick}>
      <bdi>{text}</bdi>
    </button>
  );
}
