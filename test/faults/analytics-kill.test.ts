import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLogSource } from '@docent/access-log/files/read-log';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { makeIndexes } from '../../src/analytics/counts/make-indexes.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { damageOf } from '../../src/store/analytics/damage.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { copiesOf, eventsOf, fillProject, knownEventsOf, REBUILT_BY } from '../support/analytics-load.ts';
import type { Orders } from '../support/analytics-process.ts';
import { runProcess } from '../support/analytics-runs.ts';
import type { KnownEvent } from '../support/brute-count.ts';
import { expectExactly } from '../support/counted-exactly.ts';

let bench: AnalyticsBench;

beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

const run = (orders: Partial<Orders> & Pick<Orders, 'do' | 'project'>, killAfterMs?: number) =>
  runProcess(bench, orders, killAfterMs);

/** Takes over unclaimed logs, as time would. */
async function takeOver(): Promise<void> {
  const successor = await bench.ingestor();
  await successor.takeOver(0);
  await successor.close();
}

async function views(project: string): Promise<number> {
  return bench.versions.use(project, undefined, async (pinned) => {
    const { totals } = await bench.queries.byPath(pinned, 'views', { from: null, to: null }, { limit: 1, offset: 0 });
    return totals.total;
  });
}

const expectCounted = (project: string, events: readonly KnownEvent[]) => expectExactly(bench, project, events);

const batches = (n: number) => Array.from({ length: n }, (_, no) => no);
const known = (numbers: readonly number[]) => numbers.flatMap(knownEventsOf);

describe('a process that accepts events dies', () => {
  test.each(['wal-appended', 'wal-synced', 'seal-written', 'seal-renamed', 'seal-committed'])(
    'at %s',
    async (fault) => {
      const project = await bench.newProject();
      const { acknowledged, signal, errors } = await run({ do: 'ingest', project, fault, batches: 100_000 }, 120_000);
      expect(signal, errors).toBe('SIGKILL');
      await takeOver();
      const counted = await views(project);
      // Acknowledged events count. Of unacknowledged batches, each counts completely or not at all.
      const sent = acknowledged.length + 1;
      expect([known(acknowledged).length, known(batches(sent)).length]).toContain(counted);
      // The client repeats requests without an answer, and others.
      const client = await bench.ingestor({ rememberedIds: 0 });
      for (const no of batches(sent)) await client.ingest(project, eventsOf(no));
      await client.flush();
      await expectCounted(project, known(batches(sent)));
      await mergeProject(bench, project);
      await expectCounted(project, known(batches(sent)));
    },
  );
});

/** After four merges, which a compaction puts together. The last batches are not merged. */
const BATCHES = 10;
const filled = copiesOf(
  () => bench,
  () => fillProject(bench, { batches: BATCHES, unmerged: 1 }),
);
const filledWith = known(batches(BATCHES));

/** The same events on one day. */
const onDay = (events: readonly KnownEvent[]) =>
  events.map((event) => ({ ...event, time: Date.UTC(2026, 9, 5) + (event.time % 86_400_000), path: '/404' }));

describe('a process that works on files dies', () => {
  test.each(['merge-written', 'merge-committed'])('at %s', async (fault) => {
    const project = await filled();
    const { signal, errors } = await run({ do: 'merge', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    await expectCounted(project, filledWith);
    await mergeProject(bench, project);
    await expectCounted(project, filledWith);
  });

  test.each(['compact-written', 'compact-committed'])('at %s', async (fault) => {
    const project = await filled();
    const { signal, errors } = await run({ do: 'compact', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    await expectCounted(project, filledWith);
    await compactProject(bench, project);
    await expectCounted(project, filledWith);
  });

  test.each(['index-written', 'index-made'])('at %s', async (fault) => {
    const project = await filled();
    const { signal, errors } = await run({ do: 'compact', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    await expectCounted(project, filledWith);
    expect(await makeIndexes(bench, project, 0, 1)).toBe(fault === 'index-written' ? 1 : 0);
    await mergeProject(bench, project);
    await expectCounted(project, filledWith);
  });

  test.each(['index-written', 'index-made'])('at %s of the ids of a day', async (fault) => {
    const project = await bench.newProject();
    // Broken links: they have no visitors, so there is no other index.
    const take = async (events: readonly KnownEvent[]) => {
      const ingestor = await bench.ingestor({ rememberedIds: 0 });
      const sent = onDay(events).map(({ time, visitor, ...rest }) => ({
        ...rest,
        timestamp: time,
        visitorId: visitor,
        notFound: true,
      }));
      await ingestor.ingest(project, sent);
      await ingestor.flush();
      await mergeProject(bench, project);
    };
    const events = async () => {
      const files = ofFamily((await readManifest(bench.database.db, project)).files, 'events');
      return files.reduce((sum, { rows }) => sum + rows, 0);
    };
    await take(known(batches(4)));
    const { signal, errors } = await run({ do: 'compact', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    await take(known(batches(6)));
    expect(await events()).toBe(known(batches(6)).length);
    expect(await makeIndexes(bench, project, 0, 1)).toBe(fault === 'index-written' ? 2 : 1);
    await take(known(batches(8)));
    expect(await events()).toBe(known(batches(8)).length);
  });

  test.each(['rebuild-written', 'rebuild-committed'])('at %s', async (fault) => {
    const project = await filled();
    const { signal, errors } = await run({ do: 'rebuild', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    const moved = filledWith.map((event) => ({ ...event, path: REBUILT_BY.moves(event.path) }));
    await expectCounted(project, fault === 'rebuild-written' ? filledWith : moved);
    await rebuildProject(bench, project, REBUILT_BY);
    await expectCounted(project, moved);
  });

  test.each(['erase-written', 'erase-committed'])('at %s', async (fault) => {
    const project = await filled();
    const { signal, errors } = await run({ do: 'erase', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    const without = filledWith.filter((event) => event.visitor !== 'v1');
    await expectCounted(project, fault === 'erase-written' ? filledWith : without);
    await eraseVisitor(bench, project, { visitorId: 'v1' });
    await expectCounted(project, without);
  });
});

describe('a process that repairs or takes over dies', () => {
  test.each(['repair-written', 'repair-committed'])('at %s', async (fault) => {
    const project = await filled();
    const [cube] = ofFamily((await readManifest(bench.database.db, project)).files, 'cube');
    await truncate(bench.folder.fileOf(cube!.path), 20);
    const { signal, errors } = await run({ do: 'repair', project, fault });
    expect(signal, errors).toBe('SIGKILL');
    await repairProject(bench, project, 0);
    await expectCounted(project, filledWith);
    expect(await damageOf(bench.database.db, project)).toMatchObject([{ id: cube!.id }]);
  });

  test('at recover-listed', async () => {
    const project = await fillProject(bench, { batches: 4, unmerged: 1 });
    await bench.database.pool.query('DELETE FROM analytics_files WHERE project_id = $1', [project]);
    const { signal, errors } = await run({ do: 'recover', project, fault: 'recover-listed' });
    expect(signal, errors).toBe('SIGKILL');
    await expectCounted(project, known(batches(4)));
    await recoverProject(bench, project);
    await expectCounted(project, known(batches(4)));
  });

  test('at log-taken-over', async () => {
    const project = await bench.newProject();
    const dead = await run({ do: 'ingest', project, fault: 'seal-written', batches: 100_000 }, 120_000);
    const { signal, errors } = await run({ do: 'take over', project, fault: 'log-taken-over' });
    expect(signal, errors).toBe('SIGKILL');
    await takeOver();
    expect(await views(project)).toBeGreaterThanOrEqual(known(dead.acknowledged).length);
    const client = await bench.ingestor({ rememberedIds: 0 });
    const sent = dead.acknowledged.length + 1;
    for (const no of batches(sent)) await client.ingest(project, eventsOf(no));
    await client.flush();
    await expectCounted(project, known(batches(sent)));
  });

  test('at import-written', async () => {
    const project = await bench.newProject();
    const file = path.join(bench.folder.temporaryFolder, 'access.log');
    const rest = '- - [18/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 5 "-" "Mozilla/5.0 Firefox/143.0"';
    await writeFile(file, Array.from({ length: 50 }, (_, no) => `198.51.100.${no} ${rest}\n`).join(''));
    const { signal, errors } = await run({ do: 'import', project, file, fault: 'import-written' });
    expect(signal, errors).toBe('SIGKILL');
    expect(await views(project)).toBe(0);
    for (let again = 0; again < 2; again += 1) await importLogs(bench, project, readLogSource(file));
    expect(await views(project)).toBe(50);
  });
});

test('a damaged log is set aside and named, and its undamaged part counts', async () => {
  const project = await bench.newProject();
  const { acknowledged } = await run({ do: 'ingest', project, fault: 'seal-written', batches: 100_000 }, 120_000);
  expect(acknowledged.length).toBeGreaterThan(2);
  const logs = (await readdir(bench.folder.walFolder, { recursive: true })).filter((name) => name.endsWith('.log'));
  const file = path.join(bench.folder.walFolder, logs.toSorted()[0]!);
  const bytes = await readFile(file);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(file, bytes.subarray(0, bytes.length - 7));
  await takeOver();
  const counted = await views(project);
  const whole = (acknowledged.length - 2) * knownEventsOf(0).length;
  expect(counted).toBeGreaterThanOrEqual(whole);
  expect(counted).toBeLessThan(acknowledged.length * knownEventsOf(0).length);
  expect(await readdir(bench.folder.setAsideFolder)).toContainEqual(
    path.basename(path.dirname(file)) + '-' + path.basename(file),
  );
});
