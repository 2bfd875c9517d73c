import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCommit } from '@docent/git/objects/commit';
import { git, gitBytes, gitWithInput, makeWorkTree, temporaryFolder } from '../support/git-fixture.ts';

const folder = temporaryFolder();
const repo = folder.path;
let tip: string;
let tree: string;

beforeAll(() => {
  tip = makeWorkTree(repo, { 'a.md': 'a' });
  tree = git(repo, 'rev-parse', 'HEAD^{tree}');
});
afterAll(() => folder.remove());

const PERSON = 'A Person <person@example.org> 1 +0000';

/**
 * Creates a commit object of these parts. Returns the values that we read, and the parents that native git
 * sees.
 */
function made(...headers: string[]) {
  const raw = `${headers.join('\n')}\n\nMessage\n`;
  const id = gitWithInput(repo, raw, 'hash-object', '-w', '--literally', '-t', 'commit', '--stdin');
  const [, ...parents] = git(repo, 'rev-list', '--parents', '-n', '1', id).split(' ');
  return { ours: parseCommit(gitBytes(repo, '', 'cat-file', 'commit', id)), native: { parents } };
}

describe('a commit object', () => {
  test('has the parents that native git sees: a line further down makes no commit an ancestor', () => {
    const [author, committer] = [`author ${PERSON}`, `committer ${PERSON}`];
    for (const headers of [
      [`tree ${tree}`, author, committer],
      [`tree ${tree}`, `parent ${tip}`, author, committer],
      [`tree ${tree}`, author, committer, `parent ${tip}`],
      [`tree ${tree}`, author, `parent ${tip}`, committer, `tree ${tip}`],
    ]) {
      const { ours, native } = made(...headers);
      expect(ours.parents, headers.join()).toEqual(native.parents);
      expect(ours.tree).toBe(tree);
    }
  });

  test('is rejected without a tree at its beginning', () => {
    for (const raw of [
      '',
      `author ${PERSON}\ntree ${tree}\n\nx`,
      `tree ${tree.slice(1)}\n\nx`,
      `tree ${tree}\nparent x\n\nx`,
    ]) {
      expect(() => parseCommit(Buffer.from(raw)), raw).toThrow(expect.objectContaining({ code: 'object_bad' }));
    }
  });
});
