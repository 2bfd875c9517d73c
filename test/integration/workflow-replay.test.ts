import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { workflowBundle } from '../support/caches.ts';

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'histories');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

/**
 * Jobs that run while Docent is upgraded go on under the new code. A history that no longer replays means that such a job would
 * be stuck: guard the change with `patched`, do not record the history again.
 */
describe('recorded histories replay under the present code', () => {
  test('has histories of finished and of running jobs', () => {
    expect(names.length).toBeGreaterThanOrEqual(5);
  });

  test.each(names)('%s', async (name) => {
    const history = historyFromJSON(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
    await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, history);
  });
});
