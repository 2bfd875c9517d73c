import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProject } from './bench-project.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';
import type { RoleProcess } from '../../test/support/role-process.ts';
import type { BenchStack } from './bench-stack.ts';
import { usageText, spent, total, usageOf } from './parts-usage.ts';
import { runSkeletons } from './skeleton-jobs.ts';

const SEQUENTIAL = 25;
const AT_ONCE = 100;
const IDLE = 1_000;
const POLL_MS = 20;

/**
 * From a prompt to its pull request, one by one and all at once; then the cost of a thousand resting jobs.
 */
export async function benchJobs(stack: BenchStack, api: RoleProcess): Promise<BenchRow[]> {
  const worker = await stack.startWorker();
  const projectId = await createProject(stack, 'twenty-pages');
  const post = async (prompt: string) => {
    const { data } = await stack.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId } },
      body: { prompt },
    });
    if (!data) throw new Error('The job was refused.');
    return data.id;
  };
  const settled = async (id: string) => {
    for (;;) {
      const { data } = await stack.client.GET('/v2/agent/{projectId}/job/{id}', {
        params: { path: { projectId, id } },
      });
      if (data && data.status !== 'active') return data;
      await sleep(POLL_MS);
    }
  };
  const published = async (id: string) => {
    const job = await settled(id);
    if (job.status !== 'completed' || !job.prLink)
      throw new Error(`Job ${id} ended without a pull request: ${JSON.stringify(job)}`);
  };

  const times: number[] = [];
  for (let n = 0; n < SEQUENTIAL + 3; n += 1) {
    const startedAt = performance.now();
    await published(
      await post(`Append a section "Added ${n}" with text "Text ${n}." to the page guides/page-${n % 20}`),
    );
    if (n >= 3) times.push(performance.now() - startedAt);
  }

  const parts = {
    temporal: stack.pids.temporal,
    postgres: stack.pids.postgres,
    worker: worker.child.pid,
    api: api.child.pid,
  };
  const before = await usageOf(parts);
  const burstAt = performance.now();
  const burst = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) =>
      post(`Append a section "Burst ${n}" with text "Text." to the page guides/page-${n % 20}`),
    ),
  );
  for (const id of burst) await published(id);
  const burstSeconds = (performance.now() - burstAt) / 1_000;
  const used = spent(before, await usageOf(parts));
  const skeleton = await runSkeletons(stack, AT_ONCE);

  const pid = worker.child.pid ?? 0;
  const beforeMb = await residentMb(pid);
  for (let n = 0; n < IDLE; n += 50) {
    const ids = await Promise.all(Array.from({ length: 50 }, () => post('Good morning')));
    await Promise.all(ids.map(settled));
  }
  const samples: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    await sleep(10_000);
    samples.push(await residentMb(pid));
  }
  const first = samples[0] ?? 0;
  const last = samples.at(-1) ?? 0;

  return [
    {
      name: 'POST to pull request, 20-page local site, builtin',
      measured: `p50 ${ms(median(times))}, p90 ${ms(percentile(times, 90))}`,
      goal: 'p50 at most 200 ms',
      met: median(times) <= 200,
    },
    {
      name: `${AT_ONCE} jobs posted at once, all with a pull request, against workflows with as many empty activities`,
      measured: `${(AT_ONCE / burstSeconds).toFixed(1)} jobs/s / ${(AT_ONCE / skeleton.seconds).toFixed(1)} workflows/s`,
      ratio: skeleton.seconds / burstSeconds,
      goal: 'at least 9 jobs/s',
      met: AT_ONCE / burstSeconds >= 9,
    },
    {
      name: 'Their processor time, with all child processes, against the same',
      measured: `${usageText(used)} / ${usageText(skeleton.used)}`,
      ratio: total(used) / total(skeleton.used),
      goal: 'at most 20 s',
      met: total(used) <= 20,
    },
    {
      name: `Worker memory with ${IDLE} resting jobs`,
      measured: `${beforeMb.toFixed(0)} MB before; ${samples.map((mb) => mb.toFixed(0)).join(', ')} MB over a minute`,
      ratio: last / first,
      goal: 'flat (at most 1.1)',
      met: last / first <= 1.1,
    },
  ];
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1_024;
}
