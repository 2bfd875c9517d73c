import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { WORKFLOW } from '../../src/workflows/contract.ts';
import { workflowBundle } from '../support/caches.ts';
import { temporalOfRun } from '../support/temporal-of-run.ts';

const temporal = temporalOfRun();

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Runs the upkeep over seven projects. @param projects which of them a worker tells */
async function upkeep(projects: (place?: { after: string; limit: number }) => string[], limit: number) {
  const taskQueue = randomUUID();
  const maintained: string[] = [];
  let collections = 0;
  const worker = await Worker.create({
    connection: temporal.native,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: {
      analyticsProjects: async (place?: { after: string; limit: number }) => projects(place),
      maintainProject: async ({ projectId }: { projectId: string }) => {
        maintained.push(projectId);
        if (projectId === 'b') throw ApplicationFailure.nonRetryable('it cannot be');
        return { words: 'nothing' };
      },
      collectGarbage: async () => ({ files: (collections += 1) }),
    },
  });
  const workflowId = randomUUID();
  const result: unknown = await worker.runUntil(
    temporal.client.workflow.execute(WORKFLOW.maintainAnalytics, {
      taskQueue,
      workflowId,
      args: [{ after: '', projects: 0, failed: [], limit }],
    }),
  );
  const runs = async () => {
    let count = 0;
    for await (const _ of temporal.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) count += 1;
    return count;
  };
  return { result, maintained, collections, runs };
}

const page = (place?: { after: string; limit: number }) =>
  place ? IDS.filter((id) => id > place.after).slice(0, place.limit) : IDS;

describe('the upkeep of page views', () => {
  test(
    'looks after any number of projects, some in each run: no history grows with them',
    { timeout: 60_000 },
    async () => {
      const { result, maintained, collections, runs } = await upkeep(page, 3);
      expect(result).toEqual({ projects: 7, failed: ['b'] });
      expect(maintained).toEqual(IDS);
      expect(collections).toBe(1);
      await expect.poll(runs).toBe(3);
    },
  );

  test('ends where an older worker tells all projects at once, whatever it is asked', { timeout: 60_000 }, async () => {
    const { maintained, collections } = await upkeep(() => IDS, IDS.length);
    expect(maintained).toEqual(IDS);
    expect(collections).toBe(1);
  });
});
