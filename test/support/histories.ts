import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** A folder for each release, and `next` for what changed since the last one. */
export const HISTORIES = path.join(ROOT, 'test', 'fixtures', 'histories');
const NEXT = path.join(HISTORIES, 'next');

/**
 * Saves the histories of a workflow's first and last run, for the replay test, while
 * `DOCENT_TEST_RECORD_HISTORIES` is set (`npm run record-histories`); else does nothing.
 * @param name what they show, in words: it becomes the files' name
 */
export async function saveHistories(client: Client, workflowId: string, name: string): Promise<void> {
  if (!process.env.DOCENT_TEST_RECORD_HISTORIES) return;
  await mkdir(NEXT, { recursive: true });
  const runs = await Array.fromAsync(client.workflow.list({ query: `WorkflowId = '${workflowId}'` }));
  const ids = runs.toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime()).map(({ runId }) => runId);
  const wanted = ids.length > 1 ? { '-first-run': ids[0], '-last-run': ids.at(-1) } : { '': ids[0] };
  for (const [suffix, runId] of Object.entries(wanted)) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    // The name of the machine is private.
    const text = historyToJSON(history)
      .replaceAll(ROOT, '/docent')
      // Packages may be linked from another checkout.
      .replaceAll(/\/[\w./-]+(?=\/node_modules\/)/g, '/docent')
      .replaceAll(/"identity": "[^"]*"/g, '"identity": "worker"');
    await writeFile(path.join(NEXT, `${slugOf(name)}${suffix}.json`), `${text}\n`);
  }
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100);
}
