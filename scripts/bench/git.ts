import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { GitStore } from '../../src/git/git-store.ts';
import type { Endpoint } from '@docent/git/contract';
import { createGitStore } from '../../src/git/git-store.ts';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { makeRepository } from '../../test/support/repository.ts';
import { median, ms, printRows, type BenchRow } from './bench-row.ts';

const FILES = 1_500;
const ROUNDS = 7;
/** The page that is changed. */
const PAGE = 'docs/section-1/page-1.mdx';
const POLICY = { docsDir: '', maxFiles: 100, maxFileBytes: 1_048_576, maxTotalBytes: 10_485_760 };

const run = promisify(execFile);

/**
 * From a repository of 1,500 pages of about 5 KB to a pushed commit that changes one of them: with native git
 * (clone and checkout, edit, commit, push) and with Docent's git store, without and with the snapshot of the
 * commit. The three take turns.
 */
export async function benchGit(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-git-'));
  const repository = path.join(folder, 'docs.git');
  await makeRepository(repository, pages(FILES));
  const cold = createGitStore({ cacheDir: path.join(folder, 'cold'), poolSize: 1 });
  const warm = createGitStore({ cacheDir: path.join(folder, 'warm'), poolSize: 1 });
  const endpoint: Endpoint = { kind: 'local', path: repository };
  const times: Record<'native' | 'cold' | 'warm', number[]> = { native: [], cold: [], warm: [] };
  try {
    // The processes of a worker that runs for days are up already.
    await cold.listBranches(endpoint);
    await docentCycle(warm, endpoint, 'first');
    for (let round = 0; round < ROUNDS; round++) {
      times.native.push(await timed(() => nativeCycle(repository, path.join(folder, `clone-${round}`), round)));
      await rm(path.join(folder, 'cold'), { recursive: true, force: true });
      times.cold.push(await timed(() => docentCycle(cold, endpoint, `cold-${round}`)));
      times.warm.push(await timed(() => docentCycle(warm, endpoint, `warm-${round}`)));
    }
    const native = median(times.native);
    const row = (name: string, values: number[], goal: number): BenchRow => ({
      name: `Clone, edit, commit and push, ${FILES} files: ${name}`,
      measured: `${ms(median(values))} (native git ${ms(native)})`,
      ratio: median(values) / native,
      goal: `at most ${goal} × native git`,
      met: median(values) <= goal * native,
    });
    return [row('nothing cached', times.cold, 2), row('the commit cached', times.warm, 1.5)];
  } finally {
    await Promise.all([cold.close(), warm.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Over the protocol, as people and Docent use a repository on a server (a local clone would link files
 * instead).
 */
async function nativeCycle(repository: string, clone: string, round: number): Promise<void> {
  const git = (...args: string[]) =>
    run('git', ['-C', clone, '-c', 'user.name=A Person', '-c', 'user.email=person@example.org', ...args]);
  await run('git', ['clone', '-q', '--no-local', repository, clone]);
  await appendFile(path.join(clone, PAGE), 'One more line.\n');
  await git('commit', '-q', '-a', '-m', `Change ${round}`);
  await git('push', '-q', 'origin', `HEAD:refs/heads/native-${round}`);
}

async function docentCycle(store: GitStore, endpoint: Endpoint, name: string): Promise<void> {
  const commit = (await store.listBranches(endpoint)).get('main') ?? '';
  const base = openSnapshot(await store.ensureSnapshot(endpoint, { branch: 'main', commit }));
  const workspace = new Workspace(base, [], POLICY);
  workspace.write(PAGE, `${workspace.readText(PAGE)}One more line.\n`);
  const outcome = await store.commitAndPush(endpoint, {
    branch: `docent/${name}`,
    expectedTip: null,
    parent: commit,
    chainBase: commit,
    changes: workspace.changes(),
    policy: POLICY,
    message: `Change ${name}`,
    author: { name: 'Docent', email: 'docent@localhost' },
    timestamp: 1_700_000_000,
  });
  if (outcome.status !== 'published') throw new Error(`The push ended as ${outcome.status}.`);
}

/** Pages of about 5 KB. */
function pages(count: number): Record<string, string> {
  // Numbers, not words: prose from one small dictionary would compress far better than real text.
  let state = 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  const line = () => Array.from({ length: 12 }, () => next().toString(36)).join(' ');
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `docs/section-${i % 40}/page-${i}.mdx`,
      `---\ntitle: Page ${i}\n---\n\n${Array.from({ length: 64 }, line).join('\n')}\n`,
    ]),
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (import.meta.main) printRows(await benchGit());
