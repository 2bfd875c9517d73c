import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import type { Duck } from '../../src/analytics/storage/duck.ts';
import type { StorageDeps } from '../../src/analytics/storage/storage.ts';
import { eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';

/** The number of batches after which an endless step is given up. */
const MOST = 40;

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** A project that gets another file of unmerged events whenever DuckDB begins with a piece of work. */
async function busyProject() {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  let sent = 0;
  const send = async () => {
    await ingestor.ingest(project, eventsOf(sent));
    sent += 1;
    await ingestor.flush();
  };
  await send();
  await send();
  const use: Duck['use'] = async (work) => {
    if (sent < MOST) await send();
    return bench.duck.use(work);
  };
  const deps: StorageDeps = { ...bench, duck: Object.assign(Object.create(bench.duck) as Duck, { use }) };
  return { project, deps, sent: () => sent };
}

test('a merge takes the events from its start, and leaves later ones to the next merge', async () => {
  const { project, deps, sent } = await busyProject();
  expect(await mergeProject(deps, project)).toMatchObject({ events: 2 * BATCH });
  expect(sent()).toBe(3);
  await expectExactly(bench, project, knownUpTo(3));
});

const STEPS: [name: string, step: (deps: StorageDeps, project: string) => Promise<unknown>][] = [
  ['a rebuild', (deps, project) => rebuildProject(deps, project, {})],
  ['an erasure', (deps, project) => eraseVisitor(deps, project, { visitorId: 'nobody' })],
  ['a recovery', recoverProject],
];

test.for(STEPS)('%s ends while events continue coming', async ([, step]) => {
  const { project, deps, sent } = await busyProject();
  expect(await step(deps, project)).not.toBeNull();
  expect(sent()).toBeLessThan(MOST);
  await expectExactly(bench, project, knownUpTo(sent()));
});
