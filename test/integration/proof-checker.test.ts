import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerJob } from '../faults/proof/checker/ledger-file.ts';
import { checkRepository } from '../faults/proof/checker/repository.ts';
import { makeRepository } from '../support/repository.ts';

const JOB: LedgerJob = {
  id: 'j1',
  kind: 'change',
  page: 'notes/n1',
  messages: [
    { prompt: 'one', title: 'First 1' },
    { prompt: 'two', title: 'Second 1' },
  ],
  merge: 'none',
};

describe('the checker of a repository', () => {
  let folder: string;
  let made = 0;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docent-checker-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A repository with commits on a branch: each is a page's text and the turn that it names. */
  async function withCommits(branch: string, ...commits: { text: string; turn: string }[]): Promise<string> {
    const repository = path.join(folder, `r${(made += 1)}.git`);
    await makeRepository(repository, { 'notes/n1.mdx': 'Begin.\n' });
    const git = (input: string, ...args: string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { input })
        .toString()
        .trim();
    let tip = git('', 'rev-parse', 'main');
    for (const { text, turn } of commits) {
      const page = git(text, 'hash-object', '-w', '--stdin');
      const notes = git(`100644 blob ${page}\tn1.mdx\n`, 'mktree');
      const tree = git(`040000 tree ${notes}\tnotes\n`, 'mktree');
      tip = git('', 'commit-tree', tree, '-p', tip, '-m', `Change\n\nDocent-Turn: ${turn}`);
    }
    git('', 'update-ref', `refs/heads/${branch}`, tip);
    return repository;
  }
  const both = { text: 'Begin.\n## First 1\n\nx\n\n## Second 1\n', turn: 'j1/1' };

  test('has no remark about the request', async () => {
    const found = await checkRepository(await withCommits('docent/j1', both), [JOB]);
    expect(found).toEqual({ wrong: [], looked: { branches: 1, commits: 1 } });
  });

  test.each<[string, string, { text: string; turn: string }[], LedgerJob[], RegExp]>([
    ['a turn that has two commits', 'docent/j1', [both, { ...both, text: `${both.text}\n` }], [JOB], /two commits/],
    ['a section twice', 'docent/j1', [{ ...both, text: `${both.text}## First 1\n` }], [JOB], /is 2 times/],
    ['a section that is missing', 'docent/j1', [{ ...both, text: '## First 1\n' }], [JOB], /is 0 times/],
    ['another order', 'docent/j1', [{ ...both, text: '## Second 1\n## First 1\n' }], [JOB], /not in the order/],
    ['a job without a branch', 'other', [both], [JOB], /has no branch/],
    ['a branch of nobody', 'docent/j9', [both], [JOB], /belongs to no change/],
    ['a merge that is not there', 'docent/j1', [both], [{ ...JOB, merge: 'merged' }], /has not got its commits/],
    ['a question that changed something', 'docent/j1', [both], [{ ...JOB, kind: 'question' }], /belongs to no change/],
  ])('finds %s', async (_, branch, commits, jobs, wrong) => {
    const found = await checkRepository(await withCommits(branch, ...commits), jobs);
    expect(found.wrong.join('\n')).toMatch(wrong);
  });
});
