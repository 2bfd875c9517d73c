import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { GitStore } from '../../src/git/git-store.ts';
import type { CommitRequest } from '@docent/git/contract';
import { createGitStore } from '../../src/git/git-store.ts';
import { mergeBranch } from '../../src/code-hosts/local/local-merge.ts';
import { shortageOf } from '@docent/base/shortage';
import { commitFiles, git, makeBare, makeWorkTree, manyPages, noise, temporaryFolder } from '../support/git-fixture.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = mountSmallDisk('12m');
let folder: ReturnType<typeof temporaryFolder>;
let store: GitStore;

beforeEach(() => {
  folder = temporaryFolder();
  store = createGitStore({ cacheDir: path.join(folder.path, 'cache') });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});
afterAll(() => disk?.remove());

test.skipIf(!disk)(
  'a push or merge that a full disk stops is no refusal, and goes through once there is room',
  async () => {
    const work = path.join(folder.path, 'work');
    const bare = path.join(disk!.folder, 'docs.git');
    const base = makeWorkTree(work, manyPages(20));
    makeBare(work, bare);
    const endpoint = { kind: 'local', path: bare } as const;
    const request: CommitRequest = {
      branch: 'docent/job1',
      expectedTip: null,
      parent: base,
      chainBase: base,
      changes: [{ path: 'docs/large.mdx', content: noise(400_000).toString('base64'), blobId: null }],
      message: 'Add a page',
      author: { name: 'Docent', email: 'docent@example.org' },
      timestamp: 1_700_000_000,
    };
    disk!.fillUp();
    const push = () => store.commitAndPush(endpoint, request);
    expect(await push().then((outcome) => outcome.status, shortageOf)).toBe('disk');
    disk!.makeRoom();
    const pushed = await push();
    expect(pushed.status).toBe('published');

    const other = commitFiles(work, { 'docs/other.mdx': 'other' }, 'Another page');
    git(work, 'push', '-q', bare, `${other}:refs/heads/main`);
    const merge = () =>
      mergeBranch({
        repository: bare,
        headBranch: 'docent/job1',
        headCommit: 'commit' in pushed ? pushed.commit : '',
        baseBranch: 'main',
        title: 'Add a page',
        identity: { name: 'Docent', email: 'docent@example.org' },
      });
    disk!.fillUp();
    expect(await merge().then(() => 'merged', shortageOf)).toBe('disk');
    disk!.makeRoom();
    expect(git(bare, 'rev-parse', 'main')).toBe(other);
    const { mergeCommit } = await merge();
    expect(git(bare, 'rev-parse', 'main')).toBe(mergeCommit);
  },
);
