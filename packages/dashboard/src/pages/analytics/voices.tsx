import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Loaded, Panel } from '../../parts/page.tsx';
import { count } from '../../parts/number.ts';
import { Table, type Column, pathColumn } from '../../parts/table.tsx';
import { useIsBuiltin } from '../../shell/current-project.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { Bar } from './bar.tsx';
import { keyOf, type Subject } from './counted.ts';
import { quoted } from './prompts.ts';
import { rangeQuery } from './range.ts';

const { analytics: w } = text;
const FEW = 10;
const EVERY_MS = 60_000;
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** Readers' feedback about pages, if there is any. */
export function Feedback({ subject: { projectId, span } }: { subject: Subject }) {
  const isBuiltin = useIsBuiltin(projectId);
  const feedback = useResource(
    `feedback by page ${keyOf({ projectId, only: {} }, span)}`,
    (signal) =>
      answerOf(
        api.GET('/v1/analytics/{projectId}/feedback/by-page', {
          params: { path: { projectId }, query: { ...rangeQuery(span), limit: FEW } },
          signal,
        }),
      ),
    { everyMs: EVERY_MS },
  );
  if (!feedback.problem && !feedback.data?.feedback.length) return null;
  type Row = NonNullable<typeof feedback.data>['feedback'][number];
  const columns: Column<Row>[] = [
    pathColumn(w.page),
    { head: w.helpful, align: 'end', cell: ({ thumbsUp }) => count(thumbsUp) },
    { head: w.notHelpful, align: 'end', cell: ({ thumbsDown }) => count(thumbsDown) },
  ];
  if (feedback.data?.feedback.some(({ code }) => code > 0)) {
    columns.push({ head: w.onCode, align: 'end', cell: ({ code }) => count(code) });
  }
  if (may('editor', projectId)) {
    columns.push({
      head: '',
      align: 'end',
      cell: ({ path, thumbsDown }) =>
        thumbsDown > 0 && (
          <a class="make-job" href={isBuiltin ? to.setUpModel() : to.newJob(projectId, w.feedbackPrompt(quoted(path)))}>
            {isBuiltin ? text.recipes.setUpModel : w.makeJob}
          </a>
        ),
    });
  }
  return (
    <Panel title={w.feedback}>
      <Loaded from={feedback}>
        {(data) => (
          <Table caption={w.feedback} mayScroll rows={data.feedback} keyOf={({ path }) => path} columns={columns} />
        )}
      </Loaded>
    </Panel>
  );
}

/** Readers' searches on the site, if its search box reports them. */
export function Searches({ subject: { projectId, span } }: { subject: Subject }) {
  const searches = useResource(
    `searches ${keyOf({ projectId, only: {} }, span)}`,
    (signal) =>
      answerOf(
        api.GET('/v1/analytics/{projectId}/searches', {
          params: { path: { projectId }, query: { ...rangeQuery(span), limit: FEW } },
          signal,
        }),
      ),
    { everyMs: EVERY_MS },
  );
  if (!searches.problem && !searches.data?.searches.length) return null;
  return (
    <Panel title={w.searches}>
      <Loaded from={searches}>
        {(data) => (
          <Table
            caption={w.searches}
            mayScroll
            rows={data.searches}
            keyOf={({ searchQuery }) => searchQuery}
            columns={[
              {
                head: w.term,
                isMain: true,
                cell: ({ searchQuery, hits }) => (
                  <Bar of={hits / (data.searches[0]?.hits ?? 1)} kind="human">
                    <bdi>{searchQuery}</bdi>
                  </Bar>
                ),
              },
              { head: w.searched, align: 'end', cell: ({ hits }) => count(hits) },
              { head: w.opened, align: 'end', cell: ({ ctr }) => share.format(ctr) },
              { head: w.mostOpened, cell: ({ topClickedPage }) => <bdi class="foreign">{topClickedPage ?? '–'}</bdi> },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
