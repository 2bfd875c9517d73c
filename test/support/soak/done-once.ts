import { setTimeout as sleep } from 'node:timers/promises';
import type { Soak } from './customers.ts';
import type { MadeJob } from './jobs.ts';

/**
 * Compares what was acknowledged with what is there: with git itself and with the rows, not by asking Docent.
 * @returns what is wrong, in sentences
 */
export async function doneOnce(soak: Soak): Promise<string[]> {
  const wrong: string[] = [];
  for (const made of soak.jobs.made) wrong.push(...(await jobDoneOnce(soak, made)));
  wrong.push(...(await viewsCountedOnce(soak)));
  const { rows } = await soak.docent.database.pool.query(
    'SELECT job_id, count(*)::int AS n FROM pull_requests GROUP BY job_id, chain_no HAVING count(*) > 1',
  );
  wrong.push(...rows.map((row) => `Job ${row.job_id} has ${row.n} pull requests at one link of its chain.`));
  return wrong;
}

async function jobDoneOnce({ docent }: Soak, made: MadeJob): Promise<string[]> {
  const branch = `docent/${made.id}`;
  const exists = (await docent.branches()).includes(branch);
  if (made.kind !== 'pull-request') return [];
  if (!exists) return [`Job ${made.id} has no branch.`];
  const trailers = await docent.git('log', '--format=%(trailers:key=Docent-Turn,valueonly)', `main..${branch}`);
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
