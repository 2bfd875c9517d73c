import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Findings, LedgerJob } from './ledger-file.ts';

const run = promisify(execFile);
const BASE = 'main';

/**
 * By git alone: a branch for each change and no other, no commit twice, each section once, in the order in
 * which it was asked for.
 */
export async function checkRepository(repository: string, made: readonly LedgerJob[]): Promise<Findings> {
  const git = async (...args: string[]) =>
    (await run('git', ['-C', repository, ...args], { maxBuffer: 256 * 1024 * 1024 })).stdout;
  const wrong: string[] = [];
  await git('fsck', '--strict', '--no-dangling').catch((err: unknown) => wrong.push(`git fsck: ${String(err)}`));
  const branches = new Set((await git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).trim().split('\n'));
  const changes = made.filter(({ kind }) => kind === 'change');
  const wanted = new Set([BASE, ...changes.map(({ id }) => `docent/${id}`)]);
  for (const branch of branches) if (!wanted.has(branch)) wrong.push(`Branch ${branch} belongs to no change.`);

  const log = await git(
    'log',
    '--all',
    '--no-merges',
    '--format=%H %(trailers:key=Docent-Turn,valueonly,separator=%x20)',
  );
  const turns = log.split('\n').flatMap((line) => line.split(' ').slice(1).filter(Boolean));
  const seen = new Set<string>();
  for (const turn of turns) {
    if (seen.has(turn)) wrong.push(`Turn ${turn} has two commits.`);
    seen.add(turn);
  }
  const known = new Set(changes.map(({ id }) => id));
  for (const turn of seen) if (!known.has(turn.split('/')[0] ?? '')) wrong.push(`Turn ${turn} is of no change.`);

  for (const job of changes) {
    if (!branches.has(`docent/${job.id}`)) wrong.push(`Job ${job.id} has no branch.`);
    else wrong.push(...(await sectionsOf(git, `docent/${job.id}`, job)));
    if (job.merge !== 'merged') continue;
    wrong.push(...(await sectionsOf(git, BASE, job)));
    const isIn = await git('merge-base', '--is-ancestor', `docent/${job.id}`, BASE).then(
      () => true,
      () => false,
    );
    if (!isIn) wrong.push(`Job ${job.id} was merged, and ${BASE} has not got its commits.`);
  }
  return { wrong, looked: { branches: branches.size - 1, commits: turns.length } };
}

async function sectionsOf(
  git: (...args: string[]) => Promise<string>,
  branch: string,
  { id, page, messages }: LedgerJob,
): Promise<string[]> {
  const lines = (await git('show', `${branch}:${page}.mdx`).catch(() => '')).split('\n');
  const places = messages.map(({ title }) => lines.flatMap((line, at) => (line === `## ${title}` ? [at] : [])));
  const wrong = places.flatMap((found, i) =>
    found.length === 1 ? [] : [`"${messages[i]?.title}" of job ${id} is ${found.length} times on ${branch}.`],
  );
  const order = places.flat();
  if (wrong.length === 0 && order.some((at, i) => i > 0 && at < order[i - 1]!))
    wrong.push(`The sections of job ${id} are not in the order of its messages on ${branch}.`);
  return wrong;
}
