import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { WORKFLOW } from '../../src/workflows/contract.ts';
import { workflowBundle } from '../support/caches.ts';
import { temporalOfRun } from '../support/temporal-of-run.ts';
import { Worker } from '../support/temporal-worker.ts';

const temporal = temporalOfRun();

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Runs the maintenance with these activities. @param args what a run is started with */
async function runMaintenance(activities: object, args: unknown[]): Promise<{ result: unknown; workflowId: string }> {
  const [taskQueue, workflowId] = [randomUUID(), randomUUID()];
  const worker = await Worker.create({
    connection: temporal.native,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities,
  });
  const execution = { taskQueue, workflowId, args };
  const result: unknown = await worker.runUntil(
    temporal.client.workflow.execute(WORKFLOW.maintainAnalytics, execution),
  );
  return { result, workflowId };
}

/** Runs the maintenance over seven projects. */
async function maintenance(limit: number) {
  const maintained: string[] = [];
  let collections = 0;
  const activities = {
    dueProjects: async ({ after }: { after: string }) => IDS.filter((id) => id > after).slice(0, limit),
    maintainProjects: async ({ projectIds }: { projectIds: string[] }) => {
      maintained.push(...projectIds);
      if (projectIds.includes('b')) throw ApplicationFailure.nonRetryable('it cannot be');
      return { lines: [], failed: projectIds.filter((id) => id === 'e') };
    },
    collectGarbage: async () => ({ files: (collections += 1) }),
  };
  const { result, workflowId } = await runMaintenance(activities, [{ after: '', projects: 0, failed: [], limit }]);
  const runs = async () => {
    let count = 0;
    for await (const _ of temporal.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) count += 1;
    return count;
  };
  return { result, maintained, collections, runs };
}

describe('the maintenance of page views', () => {
  test('handles any number of projects, some in each run: no history grows with them', async () => {
    const { result, maintained, collections, runs } = await maintenance(3);
    expect(result).toEqual({ projects: 7, failed: ['b', 'e'] });
    expect(maintained).toEqual(IDS);
    expect(collections).toBe(1);
    await expect.poll(runs).toBe(3);
  });
});

describe('the maintenance of very many projects', () => {
  const many = Array.from({ length: 120 }, (_, no) => `p${String(no).padStart(3, '0')}`);

  test('has activities handle several projects each, four at a time, and names failed ones', async () => {
    const some: string[][] = [];
    let [now, most] = [0, 0];
    const { result } = await runMaintenance(
      {
        dueProjects: async ({ after, limit }: { after: string; limit: number }) =>
          many.filter((id) => id > after).slice(0, limit),
        maintainProjects: async ({ projectIds }: { projectIds: string[] }) => {
          some.push(projectIds);
          most = Math.max(most, (now += 1));
          // Under load the first could be through before the fourth has begun.
          await expect.poll(() => most).toBeGreaterThanOrEqual(4);
          await new Promise((resolve) => setTimeout(resolve, 50));
          now -= 1;
          if (projectIds.includes('p030')) throw ApplicationFailure.nonRetryable('none of them');
          return {
            lines: projectIds.map((id) => `- ${id}: nothing`),
            failed: projectIds.filter((id) => id === 'p101'),
          };
        },
        collectGarbage: async () => ({ files: 0 }),
      },
      [],
    );
    expect(some.flat().toSorted()).toEqual(many);
    expect(Math.max(...some.map((ids) => ids.length))).toBe(25);
    expect(most).toBe(4);
    const { projects, failed } = result as { projects: number; failed: string[] };
    expect(projects).toBe(120);
    expect(failed.toSorted()).toEqual([...many.slice(25, 50), 'p101']);
  });
});
