import { setTimeout as sleep } from 'node:timers/promises';
import type { Soak } from './soak.ts';
import type { MadeJob } from './jobs.ts';

/**
 * Compares what was acknowledged with what is there: with git itself and with the rows, not by asking Docent.
 * @returns what is wrong, in sentences
 */
export async function doneOnce(soak: Soak): Promise<string[]> {
  const wrong: string[] = [];
  for (const made of soak.jobs.made) wrong.push(...(await jobDoneOnce(soak, made)));
  wrong.push(...(await viewsCountedOnce(soak)), ...(await wordsKeptOnce(soak)), ...(await webhooksDelivered(soak)));
  const { rows } = await soak.docent.database.pool.query(
    'SELECT job_id, count(*)::int AS n FROM pull_requests GROUP BY job_id, chain_no HAVING count(*) > 1',
  );
  wrong.push(...rows.map((row) => `Job ${row.job_id} has ${row.n} pull requests at one link of its chain.`));
  return wrong;
}

async function jobDoneOnce({ docent }: Soak, made: MadeJob): Promise<string[]> {
  const branch = made.kind === 'push' ? 'main' : `docent/${made.id}`;
  const exists = (await docent.branches()).includes(branch);
  if (made.kind === 'stopped') return [];
  if (made.kind === 'ask' || made.kind === 'discarded')
    return exists ? [`Job ${made.id} (${made.kind}) has a branch.`] : [];
  if (!exists) return [`Job ${made.id} (${made.kind}) has no branch.`];
  const trailers = await docent.git(
    'log',
    '--format=%(trailers:key=Docent-Turn,valueonly)',
    made.kind === 'push' ? `--grep=${made.id}` : `main..${branch}`,
  );
  const turns = trailers.split('\n').filter(Boolean);
  const wrong = new Set(turns).size === turns.length ? [] : [`Job ${made.id} has a commit twice.`];
  for (const { page, title } of made.sections) {
    const text = await docent.git('show', `${branch}:${page}.mdx`);
    const found = text.split('\n').filter((line) => line === `## ${title}`).length;
    if (found !== 1) wrong.push(`Job ${made.id}: "${title}" is ${found} times on ${page}.`);
  }
  return wrong;
}

async function viewsCountedOnce({ docent, counts }: Soak): Promise<string[]> {
  const sent = counts['page views'] ?? 0;
  for (let look = 0, told = -1; ; look += 1) {
    const { data } = await docent.client.GET('/v1/analytics/{projectId}/views', {
      params: { path: { projectId: docent.projectId } },
    });
    told = data?.totals.total ?? -1;
    if (told === sent) return [];
    if (look > 60) return [`${sent} page views were acknowledged, and ${told} are counted.`];
    await sleep(1_000);
  }
}

/** What readers said is there as often as it was acknowledged. */
async function wordsKeptOnce({ docent, counts }: Soak): Promise<string[]> {
  const { rows } = await docent.database.pool.query<{ feedback: number; searches: number }>(
    'SELECT (SELECT count(*)::int FROM reader_feedback) AS feedback, (SELECT count(*)::int FROM reader_searches) AS searches',
  );
  return (['feedback', 'searches'] as const)
    .filter((what) => rows[0]?.[what] !== (counts[what] ?? 0))
    .map((what) => `${counts[what]} ${what} were acknowledged, and ${rows[0]?.[what]} are kept.`);
}

/** Each delivery has arrived, and nothing else has. */
async function webhooksDelivered({ docent, receiver, counts }: Soak): Promise<string[]> {
  const wrong = [...receiver.wrong];
  for (let look = 0; ; look += 1) {
    const { rows } = await docent.database.pool.query<{ id: string; state: string }>(
      // A test is sent once, and may be refused.
      "SELECT id, state FROM webhook_deliveries WHERE type <> 'ping'",
    );
    const open = rows.filter(({ state }) => state !== 'delivered');
    if (open.length === 0) {
      const lost = rows.filter(({ id }) => !receiver.taken.has(id));
      wrong.push(...lost.map(({ id }) => `Delivery ${id} is said to be delivered, and never came.`));
      counts['webhook messages delivered'] = rows.length;
      counts['webhook messages refused once'] = receiver.refused;
      counts['webhook messages that came twice'] = [...receiver.taken.values()].filter((n) => n > 1).length;
      return wrong;
    }
    if (look > 240) return [...wrong, `${open.length} deliveries are ${open[0]?.state}.`];
    await sleep(1_000);
  }
}
