import type { components } from '@docent/client';
import { answerOf, api } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { count } from '../../parts/number.ts';
import { Loaded } from '../../parts/page.tsx';
import { Table, type Column, pathColumn } from '../../parts/table.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { text } from '../../text.ts';

const { effect: w } = text.changes;
type Page = components['schemas']['PullRequestEffect']['pages'][number];

const MEASURES = ['human', 'ai', 'notFound', 'searches', 'negativeFeedback'] as const;
const COLUMNS: Column<Page>[] = [
  pathColumn(w.page),
  ...MEASURES.map((measure): Column<Page> => ({
    head: w.measures[measure],
    align: 'end',
    cell: ({ before, after }) => w.beforeAfter(count(before[measure]), count(after[measure])),
  })),
];

/** What readers of the changed pages did before and after the merge. */
export default function Effect({ params: { projectId = '', prId = '' } }: PageProps) {
  const effect = useResource(`effect ${projectId} ${prId}`, (signal) =>
    answerOf(
      api.GET('/v1/projects/{projectId}/pull-requests/{prId}/effect', {
        params: { path: { projectId, prId } },
        signal,
      }),
    ),
  );
  return (
    <Loaded from={effect} rows={4}>
      {(found) =>
        found.pages.length === 0 ? (
          <p class="hint">{w.none}</p>
        ) : (
          <>
            <p class="hint">{hintOf(found)}</p>
            <Table caption={w.title} rows={found.pages} keyOf={({ file }) => file} columns={COLUMNS} mayScroll />
          </>
        )
      }
    </Loaded>
  );
}

function hintOf({ window: { days, before, after } }: components['schemas']['PullRequestEffect']): string {
  return [w.lead(days), ...(before.complete ? [] : [w.noDataBefore]), ...(after.complete ? [] : [w.notOver])].join(' ');
}
