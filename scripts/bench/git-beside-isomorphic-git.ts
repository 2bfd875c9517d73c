import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { median, ms, printRows, type BenchRow } from './bench-row.ts';
import { addCommits, PAGE, REPOSITORIES } from './git-repositories.ts';
import type { Side, Spent, Work } from './git-work.ts';

const ROUNDS = 3;
const SIDES: readonly Side[] = ['docent', 'isomorphic-git'];
const TIMES = ['first', 'again'] as const;
type Measured = Record<Side, Record<(typeof TIMES)[number], Spent[]>>;

/** Each work's two times, and whether Docent's own code is there for its speed: then it must be the faster one. */
const WORKS: Record<Work, { first: string; again: string; forSpeed: boolean }> = {
  list: { first: 'List branches', again: 'List branches again', forSpeed: false },
  fetch: { first: 'Fetch a commit', again: 'Fetch the next commit', forSpeed: true },
  read: { first: 'Read all pages', again: 'Read all pages again', forSpeed: true },
  push: { first: 'Change and push a page', again: 'Change and push another', forSpeed: true },
  history: { first: 'Read 200 commits', again: 'Read them again, and one more', forSpeed: true },
};

/**
 * What Docent does with its own git code, beside isomorphic-git's functions for the same, over HTTP from one server. Each work is done
 * twice in a process of its own: by a process that is new to it, then by one that is not. The sides take turns.
 */
export async function benchBesideIsomorphicGit(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-isomorphic-'));
  const server = await startGitHttpServer(folder);
  const rows: BenchRow[] = [];
  try {
    for (const [name, make] of Object.entries(REPOSITORIES)) {
      const repository = path.join(folder, `${rows.length}.git`);
      await make(repository);
      const measured = new Map<Work, Measured>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const work of Object.keys(WORKS) as Work[]) {
          const taken = measured.get(work) ?? { docent: { first: [], again: [] }, 'isomorphic-git': { first: [], again: [] } }; // prettier-ignore
          measured.set(work, taken);
          for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
            const kept = path.join(folder, `${rows.length}-${side}-${round}${work === 'history' ? '-history' : ''}`);
            const url = `${server.url}/${path.basename(repository)}`;
            await measure(taken[side], [side, work, kept, url, `${side}-${round}`], () =>
              work === 'fetch' || work === 'history'
                ? addCommits(repository, [{ [PAGE]: `Round ${round} of ${side.slice(0, 5)}\n` }])
                : undefined,
            );
          }
        }
      }
      for (const [work, taken] of measured) {
        for (const time of TIMES) rows.push(rowOf(`${WORKS[work][time]}, ${name}`, taken, time, WORKS[work].forSpeed));
      }
    }
    return rows;
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(taken: Measured[Side], args: string[], between: () => Promise<void> | undefined): Promise<void> {
  const child = fork(path.join(import.meta.dirname, 'git-work.ts'), args);
  const ended = once(child, 'exit');
  taken.first.push(await told(child));
  await between();
  child.send('again');
  taken.again.push(await told(child));
  child.send('end');
  await ended;
}

async function told(child: ChildProcess): Promise<Spent> {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`git-work.ts ended with code ${code}.`);
  });
  const [spent] = (await Promise.race([once(child, 'message'), exit])) as [Spent];
  exit.catch(() => {});
  return spent;
}

function rowOf(name: string, taken: Measured, time: (typeof TIMES)[number], forSpeed: boolean): BenchRow {
  const [ours, theirs] = [taken.docent[time], taken['isomorphic-git'][time]];
  for (const [i, { found }] of ours.entries()) {
    if (theirs[i]?.found !== found)
      throw new Error(`${name}: Docent found ${found}, isomorphic-git ${theirs[i]?.found}.`);
  }
  const ratio = median(ours.map((spent) => spent.processorMs)) / median(theirs.map((spent) => spent.processorMs));
  const row = { name, measured: `${wordsOf(ours)} (isomorphic-git: ${wordsOf(theirs)})`, ratio };
  return forSpeed ? { ...row, goal: 'less processor time than isomorphic-git', met: ratio < 1 } : row;
}

function wordsOf(spent: readonly Spent[]): string {
  const of = (key: 'ms' | 'processorMs' | 'megabytes') => median(spent.map((one) => one[key]));
  return `${ms(of('processorMs'))} of processor time, ${ms(of('ms'))}, ${Math.round(of('megabytes'))} MB`;
}

if (import.meta.main) printRows(await benchBesideIsomorphicGit());
