import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchSnapshot } from '@docent/git/snapshot/fetch-snapshot';
import { SnapshotCache } from '@docent/git/snapshot/snapshot-cache';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { createAgentPool, type AgentPool } from '../../src/agent/agent-pool.ts';
import { makeWorkTree, temporaryFolder } from '../support/git-fixture.ts';
import { siteFiles } from '../support/fixture-site.ts';

const policy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 10_000_000 };
const signal = AbortSignal.timeout(120_000);

describe('the agent’s child processes', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let pool: AgentPool;
  const facts = temporaryFolder();

  beforeAll(() => {
    pool = createAgentPool({ cacheDir: facts.path, size: 1 });
  });
  afterAll(async () => {
    await pool.close();
    facts.remove();
  });
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function snapshotOf(files: Record<string, string | Uint8Array>): Promise<string> {
    const repository = path.join(folder.path, 'repo');
    const commit = makeWorkTree(repository, files);
    const cache = new SnapshotCache(path.join(folder.path, 'git'));
    const options = { limits: DEFAULT_TRANSFER_LIMITS };
    return (await fetchSnapshot(cache, { kind: 'local', path: repository }, commit, options)).path;
  }

  test('end work that takes too long, report it, and do the next', async () => {
    // Each of them times out soon, but all together take long.
    const slow = Array.from({ length: 12 }, (_, i) => [`slow${i}.md`, `# ${i}\n\n${'a\n-\n'.repeat(60_000)}`]);
    const snapshotPath = await snapshotOf({ ...Object.fromEntries(slow), 'index.md': '# Home\n' });
    const hasty = createAgentPool({ cacheDir: path.join(folder.path, 'hasty'), size: 1, timeLimitMs: 1_500 });
    try {
      await expect(hasty.runChecks({ snapshotPath, overlay: [], policy }, { signal })).rejects.toThrow('longer than');
      const read = await hasty.readInstructions({ snapshotPath, docsDir: '' }, { signal });
      expect(read.instructions.included).toEqual([]);
    } finally {
      await hasty.close();
    }
  });

  test('run steps and checks on a snapshot, and carry the overlay there and back', async () => {
    const snapshotPath = await snapshotOf(siteFiles('mintlify') as Record<string, Uint8Array>);
    const calls = [
      { id: '1', name: 'move', input: { from: 'images/delivery.png', to: 'images/d.png' } },
      { id: '2', name: 'write', input: { path: 'x.mdx', content: '[a](/nope)\n' } },
    ];
    const step = await pool.runStep({ snapshotPath, overlay: [], policy, calls }, { signal });
    expect(step.results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(step.overlay.map((entry) => entry.path)).toEqual([
      'guides/webhooks.mdx',
      'images/d.png',
      'images/delivery.png',
      'x.mdx',
    ]);
    expect(await pool.runStep({ snapshotPath, overlay: [], policy, calls }, { signal })).toEqual(step);
    const checked = await pool.runChecks({ snapshotPath, overlay: step.overlay, policy }, { signal });
    expect(checked).toMatchObject({ site: { kind: 'docs.json', configPath: 'docs.json' }, checkedPages: 12 });
    expect(checked.introduced.filter(({ severity }) => severity === 'error')).toMatchObject([
      { path: 'x.mdx', target: '/nope' },
    ]);
    const read = await pool.readInstructions({ snapshotPath, docsDir: '' }, { signal });
    expect(read.instructions.included).toMatchObject([
      { path: 'AGENTS.md', text: expect.stringContaining('second person') },
    ]);
  });

  test('return the problems on given lines, including those that were there before', async () => {
    const snapshotPath = await snapshotOf({
      'docs/index.md': '# Home\n\n[a](gone.md)\n\n[b](gone.md)\n',
      'docs/constructor': 'no page\n',
    });
    const lines: [string, number[]][] = [
      ['docs/index.md', [1, 5]],
      ['docs/constructor', [1]],
    ];
    const at = { snapshotPath, overlay: [], policy: { ...policy, docsDir: 'docs' } };
    const checked = await pool.runChecks({ ...at, lines }, { signal });
    expect(checked.onLines).toMatchObject([{ path: 'docs/index.md', line: 5, target: 'gone.md' }]);
    expect((await pool.runChecks(at, { signal })).onLines).toEqual([]);
  });

  test('stop when they are asked to, and serve the next call', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [
        `p/${i}.mdx`,
        `# ${i}\n\n${'[a](/b) *c* `d` <E f="g" />\n\n'.repeat(100)}`,
      ]),
    );
    const snapshotPath = await snapshotOf(pages);
    const abort = new AbortController();
    const startedAt = performance.now();
    const checking = pool.runChecks({ snapshotPath, overlay: [], policy }, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 500);
    await expect(checking).rejects.toThrow('enough');
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    const calls = [{ id: '1', name: 'read', input: { path: 'p/7.mdx', limit: 1 } }];
    const step = await pool.runStep({ snapshotPath, overlay: [], policy, calls }, { signal });
    expect(step.results[0]!.text).toContain('\t# 7\n');
  });

  test('keep facts about pages for later processes', async () => {
    const pages = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p/${i}.mdx`, `# ${i}\n`]));
    const snapshotPath = await snapshotOf(pages);
    const before = readdirSync(facts.path);
    await pool.runChecks({ snapshotPath, overlay: [], policy }, { signal });
    expect(readdirSync(facts.path).length).toBe(before.length + 1);
  });

  test('report a missing snapshot so that the caller can act on it', async () => {
    const gone = path.join(folder.path, 'gone.snapshot');
    await expect(pool.runChecks({ snapshotPath: gone, overlay: [], policy }, { signal })).rejects.toMatchObject({
      code: 'snapshot_unusable',
    });
  });
});
