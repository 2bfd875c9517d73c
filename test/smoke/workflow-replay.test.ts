import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, test } from 'vitest';
import { HISTORIES } from '../support/histories.ts';
import { replay } from '../support/temporal-worker.ts';

const names = globSync('*/*.json', { cwd: HISTORIES }).toSorted();
const changelog = readFileSync(path.join(HISTORIES, '..', '..', '..', 'CHANGELOG.md'), 'utf8');
const read = (name: string) => historyFromJSON(JSON.parse(readFileSync(path.join(HISTORIES, name), 'utf8')));

/** `WORKFLOW_TASK_SCHEDULED` of temporal.api.enums.v1.EventType. */
const TASK_SCHEDULED = 5;

/** As it was when some of the job was still to come: up to the middle of its workflow tasks. */
function whileItRan(history: ReturnType<typeof read>): ReturnType<typeof read> {
  const { events } = history;
  const tasks = events?.flatMap(({ eventType }, i) => (Number(eventType) === TASK_SCHEDULED ? [i] : [])) ?? [];
  expect(tasks.length).toBeGreaterThan(1);
  history.events = events?.slice(0, tasks[Math.ceil(tasks.length / 2)]);
  return history;
}

/**
 * Jobs that run while Docent is upgraded continue under the new code. A history that no longer replays means
 * that such a job would be stuck: keep its path beside the new one (`patched`, or what an activity's answer
 * has), and leave the histories of releases as they are.
 */
describe('recorded histories replay under the present code', () => {
  test('are there for the last release (before the first one, for this build): an upgrade meets its jobs', () => {
    const [, last = 'next'] = /^## \[(\d[^\]]*)\]/m.exec(changelog) ?? [];
    const released = names.filter((name) => name.startsWith(`${last}/`));
    expect(released.length, `test/fixtures/histories/${last}: see docs-internal/releasing.md`).toBeGreaterThanOrEqual(
      15,
    );
  });

  test.each(names)('%s, of a job that has ended', async (name) => {
    await replay(read(name));
  });

  test.each(names)('%s, of a job that still runs', async (name) => {
    await replay(whileItRan(read(name)));
  });
});
