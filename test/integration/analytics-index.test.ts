import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { dayOf } from '../../src/analytics/events/days.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { makeIndexes } from '../../src/analytics/counts/make-indexes.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf } from '../support/analytics-load.ts';
import { collectAnHourLater } from '../support/collect-garbage.ts';
import type { KnownEvent } from '../support/brute-count.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** The day after those of the events, none of which is over for good. */
const DAY = dayOf(Date.UTC(2026, 9, 21));
const TODAY = DAY + 1;

const folderOf = (project: string, family = 'presence') => path.join(bench.folder.filesFolder, project, family);
const indexesOf = async (project: string, family = 'presence') =>
  (await filesBelow(folderOf(project, family))).filter((file) => file.endsWith('.index'));

/** A project whose batches were merged one by one, with indexes made on the way. */
async function indexed(batches: number): Promise<string> {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = 0; no < batches; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    await mergeProject(bench, project);
    if (no % 2 === 0) await makeIndexes(bench, project, TODAY, 1);
  }
  return project;
}

/** Batches of a stream that is all on one day, from one midnight to the next. */
const knownOnDay = (batches: number): KnownEvent[] =>
  knownUpTo(batches).map((event, n) => ({ ...event, time: DAY * DAY_MS + ((n * 86_399_999) % DAY_MS) }));
const sent = (events: readonly KnownEvent[]) =>
  events.map(({ time, visitor, ...rest }) => ({ ...rest, timestamp: time, visitorId: visitor }));

/**
 * As {@link indexed}, of {@link knownOnDay}: each batch comes in with all before it, as from a sender that
 * heard no answer.
 */
async function indexedDay(batches: number): Promise<string> {
  const project = await bench.newProject();
  for (let no = 1; no <= batches; no += 1) {
    await take(project, knownOnDay(no));
    await mergeProject(bench, project);
    await makeIndexes(bench, project, TODAY, 1);
  }
  return project;
}

async function take(project: string, events: readonly KnownEvent[]): Promise<void> {
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  await ingestor.ingest(project, sent(events));
  await ingestor.flush();
}

test('a repeated event counts once if ids are looked up in indexes, before and after a merge', async () => {
  const project = await indexedDay(4);
  expect((await indexesOf(project, 'events')).length).toBe(4);
  // On the day before and after it, the same ids count as other ones.
  const twice = [...knownOnDay(5), ...knownOnDay(1).map((event) => ({ ...event, time: event.time - DAY_MS }))];
  await take(project, [...twice, ...knownOnDay(2)]);
  await expectExactly(bench, project, twice);
  await mergeProject(bench, project);
  await expectExactly(bench, project, twice);
});

test('an index that is deleted or damaged while questions and merges continue changes no count', async () => {
  const project = await indexedDay(4);
  const [gone, damaged] = await indexesOf(project, 'events');
  await rm(gone!);
  await writeFile(damaged!, 'x');
  await take(project, knownOnDay(5));
  await expectExactly(bench, project, knownOnDay(5));
  await mergeProject(bench, project);
  await expectExactly(bench, project, knownOnDay(5));
  expect(await makeIndexes(bench, project, TODAY, 1)).toBeGreaterThanOrEqual(3);
});

test('id indexes take space only until their day is over', async () => {
  const project = await indexedDay(2);
  expect((await indexesOf(project, 'events')).length).toBe(2);
  await makeIndexes(bench, project, DAY + 1, 1);
  expect((await indexesOf(project, 'events')).length).toBe(2);
  await makeIndexes(bench, project, DAY + 2, 1);
  expect(await indexesOf(project, 'events')).toEqual([]);
  expect((await indexesOf(project)).length).toBeGreaterThan(0);
  await take(project, knownOnDay(3));
  await mergeProject(bench, project);
  await expectExactly(bench, project, knownOnDay(3));
});

test('counts are exact if merges use indexes, and no index outlives its file', async () => {
  const project = await indexed(5);
  expect((await indexesOf(project)).length).toBeGreaterThan(2);
  await expectExactly(bench, project, knownUpTo(5));

  await compactProject(bench, project);
  await makeIndexes(bench, project, TODAY, 1);
  await expectExactly(bench, project, knownUpTo(5));

  const [before] = await indexesOf(project);
  await eraseVisitor(bench, project, { visitorId: 'v1' });
  await expect(access(before!)).rejects.toThrow('ENOENT');
  expect(await indexesOf(project)).toEqual([]);
  await expectExactly(
    bench,
    project,
    knownUpTo(5).filter(({ visitor }) => visitor !== 'v1'),
  );
});

test.each(['presence', 'events'])(
  'garbage collection leaves indexes of %s alone while their files count, and clears away one that is of no file',
  async (family) => {
    const project = family === 'presence' ? await indexed(2) : await indexedDay(2);
    const kept = await indexesOf(project, family);
    expect(kept.length).toBeGreaterThan(0);
    const orphan = path.join(folderOf(project, family), 'of-no-file.index');
    await writeFile(orphan, 'x');
    await collectAnHourLater(bench);
    expect(await indexesOf(project, family)).toEqual(kept);
    await expect(access(orphan)).rejects.toThrow('ENOENT');
    expect(await filesBelow(bench.folder.setAsideFolder)).toEqual([]);
  },
);
