import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { workflowBundle } from '../support/caches.ts';
import { HISTORIES } from '../support/histories.ts';

const names = readdirSync(HISTORIES);
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
 * Jobs that run while Docent is upgraded go on under the new code. A history that no longer replays means that such a job would
 * be stuck: guard the change with `patched`, do not record the history again before the next release.
 */
describe('recorded histories replay under the present code', () => {
  test('has histories of all kinds', () => {
    expect(names.length).toBeGreaterThanOrEqual(15);
  });

  test.each(names)('%s, of a job that has ended', async (name) => {
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, read(name));
  });

  test.each(names)('%s, of a job that still runs', async (name) => {
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, whileItRan(read(name)));
  });
});
