import { useEffect, useMemo, useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { session } from '../../api/session.ts';
import { sharedToken } from '../../api/shared-token.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Loaded, Page, Panel } from '../../parts/page.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { useQuery } from '../../shell/query.ts';
import { text } from '../../text.ts';
import './analytics.css';
import { Chart } from './chart.tsx';
import {
  isNarrowed,
  keyOf,
  loadHead,
  loadSeries,
  useCounted,
  type Head,
  type Series,
  type Subject,
} from './counted.ts';
import { CsvButton } from './csv-button.tsx';
import { Filters, onlyOf } from './filters.tsx';
import { Live } from './live.tsx';
import { loadAnnotations, marksIn } from './marks.ts';
import { spanName } from './names.ts';
import { NoViews } from './no-views.tsx';
import { PagesTable } from './pages-table.tsx';
import { RangePicker } from './range-picker.tsx';
import { comparisonNamed, dayOf, rangeNamed, spanBefore, spanOf } from './range.ts';
import { SeriesTable } from './series-table.tsx';
import type { Asked, Shown } from './shown.ts';
import { Agents, BrokenLinks, Referrers } from './sources.tsx';
import { fileNameOf, loadTable } from './tables.ts';
import { Tiles } from './tiles.tsx';
import { Feedback, Searches } from './voices.tsx';

const { analytics: w } = text;
const EVERY_MS = 60_000;
/** While the first views are awaited. */
const AWAITING_MS = 3_000;

/** `/projects/{p}/analytics`: the site's readers. All filters are in the address. */
export default function Analytics({ params: { projectId = '' } }: PageProps) {
  const [query, setQuery] = useQuery();
  const subject = useSubject(projectId, query);
  const { span, before } = subject;
  const key = `analytics ${keyOf(subject, span)} ${before ? keyOf(subject, before) : ''}`;
  const [isEmpty, setEmpty] = useState(false);
  const everyMs = isEmpty ? AWAITING_MS : EVERY_MS;
  const head = useResource<Head>(key, (signal) => loadHead(subject, signal), { everyMs });
  useEffect(() => setEmpty(head.data?.isEmpty === true), [head.data]);
  return (
    <Page
      title={sharedToken.current ? w.titleOf(projectId) : w.title}
      lead={w.lead}
      isWide
      actions={<Live projectId={projectId} />}
    >
      {!head.data?.isEmpty && <RangePicker {...{ subject, query, setQuery }} />}
      <Filters {...{ subject, setQuery }} />
      <Loaded from={head} rows={8}>
        {(data) =>
          data.isEmpty ? (
            <NoViews projectId={projectId} />
          ) : (
            <Counted
              head={data}
              subject={subject}
              beforeName={before && spanName(before)}
              onGone={head.reload}
              {...{ query, setQuery }}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

function useSubject(projectId: string, query: Record<string, string>): Subject {
  const now = new Date();
  const today = dayOf(now);
  const hour = now.toISOString().slice(0, 13);
  const { range, from, to, compare, count, page, source, agent } = query;
  return useMemo(() => {
    const span = spanOf(query, today);
    const before = spanBefore(span, rangeNamed(query), comparisonNamed(query), now);
    const measure = count === 'views' ? 'views' : 'visitors';
    return { projectId, measure, span, before, today, only: onlyOf(query) };
  }, [projectId, range, from, to, compare, count, page, source, agent, hour]);
}

function Counted({
  head,
  subject,
  beforeName,
  onGone,
  query,
  setQuery,
}: { head: Head } & Omit<Shown, 'version'> & Asked) {
  const { measure, span, projectId } = subject;
  const { version } = head;
  // Changes to the page table's search and order leave the rest as it is.
  const [numbers, rest, narrow] = useMemo(() => {
    const shown: Shown = { subject, version, beforeName, onGone };
    // A choice below is shown from the top.
    const narrow: Asked['setQuery'] = (changes) => {
      setQuery(changes);
      scrollTo({ top: 0 });
    };
    return [
      <>
        <Tiles {...{ head, measure, beforeName }} />
        <OverTime key={`${projectId} ${measure}`} {...shown} />
      </>,
      <Rest {...shown} setQuery={narrow} />,
      narrow,
    ] as const;
  }, [head, subject, beforeName]);
  if (head.now.views.total === 0 && span.from !== null) {
    return (
      <>
        <Empty
          title={w.nothing}
          action={
            <Button onClick={() => setQuery({ range: 'all', from: undefined, to: undefined })}>{w.showAll}</Button>
          }
        />
        {rest}
      </>
    );
  }
  return (
    <>
      {numbers}
      <PagesTable key={projectId} {...{ subject, version, beforeName, onGone, query, setQuery, narrow }} />
      {rest}
    </>
  );
}

function Rest(shown: Shown & Pick<Asked, 'setQuery'>) {
  const isAll = !isNarrowed(shown.subject.only);
  return (
    <>
      <div class="side-by-side">
        <Agents {...shown} />
        <Referrers {...shown} />
      </div>
      {isAll ? (
        <>
          <BrokenLinks {...shown} />
          <div class="side-by-side">
            <Feedback subject={shown.subject} />
            <Searches subject={shown.subject} />
          </div>
        </>
      ) : (
        <p class="hint">{w.unfiltered}</p>
      )}
    </>
  );
}

function OverTime({ subject, version, onGone, beforeName }: Shown) {
  const { projectId, measure, span, before } = subject;
  const series = useCounted<Series>(
    `series ${measure} ${keyOf(subject, span)} ${before ? keyOf(subject, before) : ''}`,
    version,
    (at, signal) => loadSeries(subject, at, signal),
    { onGone },
  );
  const annotations = useResource(
    // They name pull requests: not for visitors with a share link.
    session.caller.value && `annotations ${keyOf({ projectId, only: {} }, span)}`,
    (signal) => loadAnnotations(projectId, span, signal),
    { everyMs: EVERY_MS },
  );
  const unit = series.data?.unit ?? 'day';
  const marks = useMemo(() => marksIn(annotations.data ?? [], unit), [annotations.data, unit]);
  return (
    <Panel
      title={w.overTimeOf(w.measures[measure], w.units[unit])}
      actions={
        <CsvButton
          what={w.overTime}
          fileName={fileNameOf(subject, 'timeseries')}
          load={() => loadTable(subject, 'timeseries', version)}
        />
      }
    >
      <div class="chart-place">
        <Loaded from={series} rows={6}>
          {(data) => (
            <>
              <Chart
                series={data}
                marks={marks}
                projectId={projectId}
                label={w.chartLabel(w.measures[measure], spanName(span))}
                hasBefore={beforeName !== null}
              />
              <SeriesTable series={data} marks={marks} hasBefore={beforeName !== null} />
            </>
          )}
        </Loaded>
      </div>
    </Panel>
  );
}
