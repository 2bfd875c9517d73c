import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createJobWorkflows } from '../../src/temporal/job-workflows.ts';
import { readStatus } from '../../src/temporal/reconciler.ts';
import { jobWorkflowId, taskQueueOf, type WorkflowJob } from '../../src/workflows/contract.ts';
import { workflowBundle } from '../support/caches.ts';
import { temporalOfRun } from '../support/temporal-of-run.ts';
import { until } from '../support/patience.ts';
import { Worker } from '../support/temporal-worker.ts';

const temporal = temporalOfRun();

const REST_MS = 20;
const JOBS = 6;
const MESSAGES = 10;
/**
 * Under load fewer messages come near the end of a run: more are sent until this many runs have ended,
 * up to a limit.
 */
const RUNS = JOBS * 3;
const MAX_MESSAGES = 100;

/** Rows, as far as this needs any: how many messages each job has waiting, in its turn, and behind it. */
class Rows {
  readonly limits = { ...loadConfig({}).limits, restMs: REST_MS };
  readonly waiting = new Map<string, number>();
  readonly taken = new Map<string, number>();
  readonly done = new Map<string, number>();
  turns = 0;

  open(jobId: string): object {
    const summary = { projectId: 'demo', status: 'active', title: 'It', prLink: null, branch: null, reason: null };
    const count = this.waiting.get(jobId) ?? 0;
    if (count === 0 && !this.taken.get(jobId)) {
      return { kind: 'idle', job: { ...summary, status: 'completed' }, limits: this.limits };
    }
    this.taken.set(jobId, (this.taken.get(jobId) ?? 0) + count);
    this.waiting.set(jobId, 0);
    return { kind: 'turn', turn: 1, step: 1, job: summary, spentMs: 0, limits: this.limits };
  }

  end(jobId: string): void {
    this.turns += 1;
    this.done.set(jobId, (this.done.get(jobId) ?? 0) + (this.taken.get(jobId) ?? 0));
    this.taken.set(jobId, 0);
  }
}

describe('a run that ends when its job rests', () => {
  test(
    'loses no message, however close to its end they come: each is carried out without anyone who looks after it',
    { timeout: 600_000 },
    async () => {
      const rows = new Rows();
      const installationId = randomUUID();
      const jobWorkflows = createJobWorkflows(temporal.client, {
        installationId,
        searchAttributes: false,
        deadlineMs: 10_000,
      });
      const jobs: WorkflowJob[] = Array.from({ length: JOBS }, (_, i) => ({
        id: `job-${i}`,
        projectId: 'demo',
        status: 'active',
        title: 'It',
      }));
      const runs = new Set<unknown>();
      const looks = new Map<string, number>();
      const sent = new Map<string, number>();
      const worker = await Worker.create({
        connection: temporal.native,
        taskQueue: taskQueueOf(installationId),
        workflowBundle: await workflowBundle(),
        activities: {
          openTurn: async ({ jobId }: { jobId: string }) => {
            runs.add(Context.current().info.workflowExecution?.runId);
            return rows.open(jobId);
          },
          callModel: async () => ({ toolCalls: 0, calls: '', ms: 1 }),
          checkDocs: async () => ({ told: false, problems: 0, ms: 1 }),
          publishTurn: async ({ jobId }: { jobId: string }) => {
            rows.end(jobId);
            return { kind: 'ended', result: { kind: 'unchanged' }, ms: 1, next: rows.open(jobId) };
          },
          readStopRequest: async () => ({ cancel: false, archived: false }),
          checkRest: async ({ jobId }: { jobId: string }) => {
            const rests = (rows.waiting.get(jobId) ?? 0) === 0;
            looks.set(jobId, (looks.get(jobId) ?? 0) + 1);
            // A message that comes behind this look is announced by its signal alone.
            await sleep(Math.random() * 10);
            return { rests };
          },
        },
      });
      await worker.runUntil(async () => {
        await Promise.all(
          jobs.map(async (job) => {
            for (let n = 0; n < MESSAGES || (runs.size <= RUNS && n < MAX_MESSAGES); n += 1) {
              // Its row first, then the signal.
              sent.set(job.id, n + 1);
              rows.waiting.set(job.id, (rows.waiting.get(job.id) ?? 0) + 1);
              await jobWorkflows.signal(job, { reason: 'message' });
              // Some in the middle of a turn, most in the milliseconds around the last poll and the end of
              // the run.
              if (n % 4 > 0) {
                const before = looks.get(job.id) ?? 0;
                await until('it looks for the last time', () => (looks.get(job.id) ?? 0) > before);
              }
              await sleep(Math.random() * 25);
            }
          }),
        );
        await until('all are', () => jobs.every(({ id }) => rows.done.get(id) === sent.get(id)));
        // They ended in between, and all of them do at last.
        expect(runs.size).toBeGreaterThan(RUNS);
        const stands = () =>
          Promise.all(jobs.map(({ id }) => readStatus(temporal.client, jobWorkflowId(installationId, id))));
        await until('all have ended', async () => (await stands()).every(({ kind }) => kind === 'none'));
        // A caller that only signals an open run starts none.
        await jobWorkflows.signalOpen(jobs[0]!, { reason: 'check' });
        expect((await stands())[0]).toEqual({ kind: 'none' });
      });
    },
  );
});
