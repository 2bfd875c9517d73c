import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { eventsOfSet, LAST_DAY, type DataSet } from '../../scripts/bench/data-set.ts';
import { PinnedVersions } from '../../src/analytics/query/pinned-version.ts';
import { Queries } from '../../src/analytics/query/queries.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { commit, writtenTogether } from '../../src/analytics/storage/storage.ts';
import { EVENT_COLUMNS } from '../../src/analytics/storage/tables.ts';
import { ensureAnalytics } from '../../src/store/analytics/manifest.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';

const SET: DataSet = { events: 1_500_000, days: 4, paths: 300, readers: 'rarely return' };
/** Too little for all visitors of all hosts at once. */
const MEMORY_MB = 30;

let bench: AnalyticsBench;
let small: Duck;
beforeAll(async () => {
  bench = await analyticsBench();
  const temporaryFolder = path.join(bench.folder.temporaryFolder, 'small');
  small = await Duck.open({ memoryMb: MEMORY_MB, threads: 2, connections: 2, temporaryFolder });
});
afterAll(async () => {
  small.close();
  await bench.close();
});

// A million and a half events are written and counted.
const MANY_MS = 300_000;

test(
  'where more visitors came from other hosts than memory holds, they are counted all the same',
  { timeout: MANY_MS },
  async () => {
    const projectId = await bench.newProject();
    const head = await ensureAnalytics(bench.database.db, projectId);
    const add = await writtenTogether(bench.folder, async (into) => {
      await bench.duck.use((session) =>
        writeParquet(
          session,
          bench.folder,
          { projectId, family: 'events' },
          `(SELECT ${EVENT_COLUMNS} FROM ${eventsOfSet(SET, 0, SET.events)})`,
          {},
          { into },
        ),
      );
      return into;
    });
    await commit(bench.database, bench.folder, { projectId, fence: head!.fence, remove: [], add });
    const expected = await bench.duck.use((session) =>
      session.all(
        `SELECT referrer AS host, count(DISTINCT visitor)::DOUBLE AS visitors, count(*)::DOUBLE AS views
       FROM ${eventsOfSet(SET, 0, SET.events)} WHERE class <> 'search' AND referrer IS NOT NULL
       GROUP BY referrer
       UNION ALL SELECT '', count(*)::DOUBLE, sum(n)::DOUBLE FROM (
         SELECT visitor, count(*) AS n FROM ${eventsOfSet(SET, 0, SET.events)} WHERE class <> 'search'
         GROUP BY visitor HAVING max(referrer) IS NULL)
       ORDER BY visitors DESC, host`,
      ),
    );
    const versions = new PinnedVersions(bench.database, bench.folder, small);
    try {
      const queries = new Queries(bench.folder, small);
      const range = { from: (LAST_DAY - 4) * DAY_MS, to: (LAST_DAY + 1) * DAY_MS };
      const { rows } = await versions.use(projectId, undefined, (pinned) =>
        queries.referrers(pinned, range, { limit: 50, offset: 0 }),
      );
      expect(rows.length).toBe(11);
      expect(rows).toEqual(expected);
    } finally {
      await versions.close();
    }
  },
);
