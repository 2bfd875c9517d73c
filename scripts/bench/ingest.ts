import { setTimeout as sleep } from 'node:timers/promises';
import { createProject } from './bench-project.ts';
import type { RoleProcess } from '../../test/support/role-process.ts';
import type { BenchStack } from './bench-stack.ts';
import { processorSeconds } from './process-usage.ts';
import { ms, percentile, type BenchRow } from './bench-row.ts';

const BATCH = 500;
const CLIENTS = 4;
const SECONDS = 10;

/**
 * Measures durable ingest over HTTP, and how long an accepted event takes to show. The clients share the
 * processors.
 */
export async function benchIngest(stack: BenchStack, api: RoleProcess): Promise<BenchRow[]> {
  const project = await createProject(stack, 'bench-ingest');
  const headers = { authorization: `Bearer ${stack.token}`, 'content-type': 'application/json' };
  const url = `${stack.apiUrl}/v1/analytics/${project}`;
  const times: number[] = [];
  let accepted = 0;
  const send = async (client: number, no: number) => {
    const body = JSON.stringify({ events: eventsOf(client, no) });
    const startedAt = performance.now();
    const response = await fetch(`${url}/events`, { method: 'POST', headers, body });
    if (response.status !== 202) throw new Error(await response.text());
    accepted += ((await response.json()) as { accepted: number }).accepted;
    times.push(performance.now() - startedAt);
  };
  await send(99, 0);
  const cpuBefore = await processorSeconds(api.child.pid);
  const startedAt = performance.now();
  accepted = 0;
  times.length = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let no = 0; performance.now() - startedAt < SECONDS * 1_000; no += 1) await send(client, no);
    }),
  );
  const rate = accepted / ((performance.now() - startedAt) / 1_000);
  const cpu = ((await processorSeconds(api.child.pid)) ?? NaN) - (cpuBefore ?? NaN);
  const total = accepted + BATCH;
  const acknowledgedAt = performance.now();
  const views = async () => {
    const response = await fetch(`${url}/views?limit=1`, { headers });
    return ((await response.json()) as { totals: { total: number } }).totals.total;
  };
  while ((await views()) < total) await sleep(50);
  const visible = performance.now() - acknowledgedAt;
  return [
    {
      name: `events over HTTP, batches of ${BATCH}, ${CLIENTS} clients`,
      measured: `${Math.round(rate).toLocaleString('en-US')} events/s, p99 of the answer ${ms(percentile(times, 99))}, ${((cpu / accepted) * 1e6).toFixed(0)} µs of the API's processor time for each`,
      goal: '≥ 20,000 events/s',
      met: rate >= 20_000,
    },
    { name: 'from 202 to visible', measured: ms(visible), goal: '≤ 5 s', met: visible <= 5_000 },
  ];
}

function eventsOf(client: number, no: number): unknown[] {
  const now = Date.now();
  return Array.from({ length: BATCH }, (_, i) => ({
    id: `${client}-${no}-${i}`,
    timestamp: now - i,
    path: `/docs/page-${(i * 31 + no) % 2_000}`,
    ip: `198.51.${(no * 7 + i) % 200}.${i % 250}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + (i % 43)}.0) Gecko/20100101 Firefox/${100 + (i % 43)}.0`,
    referrer: 'https://news.example.com/today',
  }));
}
