import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { WORKFLOW } from '../../src/workflows/contract.ts';
import { workflowBundle } from '../support/caches.ts';
import { temporalOfRun } from '../support/temporal-of-run.ts';

const temporal = temporalOfRun();

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Runs the upkeep with these activities. @param args what a run is started with */
async function runUpkeep(activities: object, args: unknown[]): Promise<{ result: unknown; workflowId: string }> {
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

/** Runs the upkeep over seven projects. @param projects which of them a worker tells */
async function upkeep(projects: (place?: { after: string; limit: number }) => string[], limit: number) {
  const maintained: string[] = [];
  let collections = 0;
  const activities = {
    analyticsProjects: async (place?: { after: string; limit: number }) => projects(place),
    maintainProject: async ({ projectId }: { projectId: string }) => {
      maintained.push(projectId);
      if (projectId === 'b') throw ApplicationFailure.nonRetryable('it cannot be');
      return { words: 'nothing' };
    },
    collectGarbage: async () => ({ files: (collections += 1) }),
  };
  const { result, workflowId } = await runUpkeep(activities, [{ after: '', projects: 0, failed: [], limit }]);
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
  test('looks after any number of projects, some in each run: no history grows with them', async () => {
    const { result, maintained, collections, runs } = await upkeep(page, 3);
    expect(result).toEqual({ projects: 7, failed: ['b'] });
    expect(maintained).toEqual(IDS);
    expect(collections).toBe(1);
    await expect.poll(runs).toBe(3);
  });

  test('ends where an older worker tells all projects at once, whatever it is asked', async () => {
    const { maintained, collections } = await upkeep(() => IDS, IDS.length);
    expect(maintained).toEqual(IDS);
    expect(collections).toBe(1);
  });
});

describe('the upkeep of very many projects', () => {
  const many = Array.from({ length: 120 }, (_, no) => `p${String(no).padStart(3, '0')}`);

  test('has activities look after several each, four at a time, and names those that fail', async () => {
    const some: string[][] = [];
    const merged: string[] = [];
    let [now, most] = [0, 0];
    const { result } = await runUpkeep(
      {
        analyticsProjects: async ({ after, limit, due }: { after: string; limit: number; due?: boolean }) =>
          due ? many.filter((id) => id > after).slice(0, limit) : [],
        maintainProjects: async ({ projectIds }: { projectIds: string[] }) => {
          some.push(projectIds);
          most = Math.max(most, (now += 1));
          // On a busy machine the first could be through before the fourth has begun.
          await expect.poll(() => most).toBeGreaterThanOrEqual(4);
          await new Promise((resolve) => setTimeout(resolve, 50));
          now -= 1;
          if (projectIds.includes('p030')) throw ApplicationFailure.nonRetryable('none of them');
          return {
            lines: projectIds.map((id) => `- ${id}: nothing`),
            sharded: projectIds.filter((id) => id === 'p003'),
            failed: projectIds.filter((id) => id === 'p101'),
          };
        },
        planSharedMerge: async ({ projectId }: { projectId: string }) => {
          merged.push(projectId);
          return { merge: '', shards: 0 };
        },
        compactProject: async () => ({ filesBefore: 0, filesAfter: 0 }),
        collectGarbage: async () => ({ files: 0 }),
      },
      [],
    );
    expect(some.flat().toSorted()).toEqual(many);
    expect(Math.max(...some.map((ids) => ids.length))).toBe(25);
    expect(most).toBe(4);
    expect(merged).toEqual(['p003']);
    const { projects, failed } = result as { projects: number; failed: string[] };
    expect(projects).toBe(120);
    expect(failed.toSorted()).toEqual([...many.slice(25, 50), 'p101']);
  });
});

/** Runs the upkeep over three projects, of which `b` is merged in four shards. @param merges how many its unmerged events take */
async function shardedUpkeep(merges: number, mergeShard: (shard: number) => void) {
  const done: string[] = [];
  let planned = 0;
  const activities = {
    analyticsProjects: async () => ['a', 'b', 'c'],
    maintainProject: async ({ projectId }: { projectId: string }) => {
      done.push(`maintain ${projectId}`);
      // Of `c`, as a worker of an earlier build tells it.
      return { words: 'nothing', ...(projectId === 'c' ? {} : { shards: projectId === 'b' ? 4 : 1 }) };
    },
    planSharedMerge: async () => {
      planned += 1;
      return planned > merges ? { merge: '', shards: 0 } : { merge: `m${planned}`, shards: 4 };
    },
    mergeShard: async ({ merge, shard }: { merge: string; shard: number }) => {
      mergeShard(shard);
      done.push(`${merge} shard ${shard}`);
      return { events: 1 };
    },
    publishSharedMerge: async ({ merge }: { merge: string }) => {
      done.push(`publish ${merge}`);
      return { events: 4 };
    },
    compactProject: async ({ projectId }: { projectId: string }) => {
      done.push(`compact ${projectId}`);
      return { filesBefore: 16, filesAfter: 4 };
    },
    collectGarbage: async () => ({ files: 0 }),
  };
  const { result } = await runUpkeep(activities, []);
  return { result, done };
}

const shardsOf = (merge: string) => [0, 1, 2, 3].map((shard) => `${merge} shard ${shard}`);

describe('the upkeep of a project that is merged in shards', () => {
  test('has each shard written before anything is published, merge by merge', async () => {
    const { result, done } = await shardedUpkeep(2, () => {});
    expect(result).toEqual({ projects: 3, failed: [] });
    const sorted = [...done.slice(0, 2), ...done.slice(2, 6).toSorted(), done[6], ...done.slice(7, 11).toSorted()];
    expect([...sorted, ...done.slice(11)]).toEqual([
      'maintain a',
      'maintain b',
      ...shardsOf('m1'),
      'publish m1',
      ...shardsOf('m2'),
      'publish m2',
      'compact b',
      'maintain c',
    ]);
  });

  test('publishes nothing where a shard fails, and goes on with the others', async () => {
    const { result, done } = await shardedUpkeep(1, (shard) => {
      if (shard === 2) throw ApplicationFailure.nonRetryable('it cannot be');
    });
    expect(result).toEqual({ projects: 3, failed: ['b'] });
    expect(done.filter((what) => what.startsWith('publish'))).toEqual([]);
    expect(done.at(-1)).toBe('maintain c');
  });
});
