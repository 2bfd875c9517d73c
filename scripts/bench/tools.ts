import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FactsCache } from '../../src/docs-site/read/facts-cache.ts';
import { runToolCalls } from '../../src/agent/tools/tool-set.ts';
import type { Endpoint } from '../../src/git/contract.ts';
import { createGitStore } from '../../src/git/git-store.ts';
import { memoryBaseTree } from '../../src/git/memory-base-tree.ts';
import { openSnapshot } from '../../src/git/snapshot/snapshot.ts';
import { Workspace } from '../../src/git/workspace.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { median, ms, printRows, type BenchRow } from './bench-row.ts';

const FILES = 1_500;
const ROUNDS = 15;
const MANY_FILES = 100_000;
const LARGE = { pages: 2_000, pictures: 152 };
const POLICY = { docsDir: '', maxFiles: 100, maxFileBytes: 1_048_576, maxTotalBytes: 10_485_760 };
const SEARCHES: [string, object, string[]][] = [
  ['a text', { query: 'subsequent request' }, ['--fixed-strings', 'subsequent request']],
  [
    'a text in any case',
    { query: 'Subsequent REQUEST', ignoreCase: true },
    ['--fixed-strings', '--ignore-case', 'Subsequent REQUEST'],
  ],
  ['a regular expression', { query: 'reque\\w+ [0-9]{4}', regex: true }, ['reque\\w+ [0-9]{4}']],
];

const run = promisify(execFile);

/**
 * Searching a site of 1,500 pages, beside ripgrep on a checkout; first reading of a repository of 80 MB, beside a shallow clone; and new
 * pages in a repository of 100,000 files.
 */
export async function benchTools(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-tools-'));
  try {
    return [...(await benchSearch(folder)), ...(await benchFirstRead(folder)), benchManyFiles()];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function benchSearch(folder: string): Promise<BenchRow[]> {
  const repository = path.join(folder, 'site.git');
  const checkout = path.join(folder, 'site');
  await makeRepository(repository, prose(FILES, 8_000));
  await run('git', ['clone', '-q', repository, checkout]);
  const ripgrep = await run('rg', ['--version']).then(
    ({ stdout }) => stdout.split('\n', 1)[0]!,
    () => null,
  );
  const store = createGitStore({ cacheDir: path.join(folder, 'git'), poolSize: 1 });
  const snapshot = await snapshotOf(store, { kind: 'local', path: repository });
  await store.close();
  const cache = new FactsCache();
  const rows: BenchRow[] = [];
  for (const [name, input, args] of SEARCHES) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS + 2; round += 1) {
      const at = performance.now();
      // As a step does it: the workspace is new each time, the process is not.
      const base = openSnapshot(snapshot);
      const workspace = new Workspace(base, [], POLICY);
      const [result] = runToolCalls(workspace, [{ id: '1', name: 'search', input }], { base, policy: POLICY, cache });
      const took = performance.now() - at;
      if (!result?.ok || (result.data?.tool === 'search' && result.data.matches === 0)) throw new Error(result?.text);
      if (round >= 2) ours.push(took);
      if (ripgrep === null) continue;
      const rgAt = performance.now();
      await run('rg', ['--line-number', '--no-heading', ...args, checkout], { maxBuffer: 1e9 });
      if (round >= 2) theirs.push(performance.now() - rgAt);
    }
    const ratio = median(ours) / median(theirs);
    rows.push(
      ripgrep === null
        ? { name: `Search of ${FILES} files: ${name}`, measured: `${ms(median(ours))} (no ripgrep here to compare)` }
        : {
            name: `Search of ${FILES} files, warm: ${name}`,
            measured: `${ms(median(ours))} (${ripgrep}: ${ms(median(theirs))})`,
            ratio,
            goal: 'at most 3 × ripgrep',
            met: ratio <= 3,
          },
    );
  }
  return rows;
}

/** A hundred new pages and the list of all files, as the tools of a large turn ask for them. */
function benchManyFiles(): BenchRow {
  const base = memoryBaseTree(
    Object.fromEntries(Array.from({ length: MANY_FILES }, (_, n) => [`d${n % 100}/s${n % 7}/p${n}.md`, 'x'])),
  );
  const times = Array.from({ length: ROUNDS }, () => {
    const at = performance.now();
    const workspace = new Workspace(base, [], POLICY);
    for (let n = 0; n < POLICY.maxFiles; n += 1) workspace.write(`d1/new/p${n}.md`, 'y');
    if (workspace.paths().length !== MANY_FILES + POLICY.maxFiles) throw new Error('Files are missing.');
    return performance.now() - at;
  });
  return {
    name: `${POLICY.maxFiles} new pages among ${MANY_FILES.toLocaleString('en-US')} files`,
    measured: ms(median(times)),
    goal: 'below 1 s',
    met: median(times) < 1_000,
  };
}

async function benchFirstRead(folder: string): Promise<BenchRow[]> {
  const repository = path.join(folder, 'large.git');
  await makeRepository(repository, { ...prose(LARGE.pages, 8_000), ...pictures(LARGE.pictures, 524_288) });
  const size = (await stat(await packOf(repository))).size / 1_048_576;
  const [ours, theirs]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    theirs.push(await nativeClone(repository, path.join(folder, `clone-${round}`)));
    ours.push(await firstRead(repository, path.join(folder, `first-${round}`)));
  }
  const time = (all: Measured[]) => median(all.map((one) => one.ms));
  const peak = (all: Measured[]) => Math.round(median(all.map((one) => one.mb)));
  return [
    {
      name: `First read of a repository of ${Math.round(size)} MB, ${LARGE.pages + LARGE.pictures} files`,
      measured: `${ms(time(ours))}, ${peak(ours)} MB (git clone --depth 1: ${ms(time(theirs))}, ${peak(theirs)} MB)`,
      ratio: time(ours) / time(theirs),
    },
  ];
}

interface Measured {
  ms: number;
  /** Most resident memory of the process that did it. */
  mb: number;
}

/** In a process of its own, so that its memory is its own. */
async function firstRead(repository: string, cacheDir: string): Promise<Measured> {
  const child = fork(path.join(import.meta.dirname, 'first-read.ts'), [repository, cacheDir]);
  const [measured] = (await once(child, 'message')) as [Measured];
  await once(child, 'exit');
  return measured;
}

async function nativeClone(repository: string, clone: string): Promise<Measured> {
  const at = performance.now();
  const { stderr } = await run('/usr/bin/env', [
    'time',
    '-f',
    'peak %M',
    'git',
    'clone',
    '-q',
    '--no-local',
    '--depth',
    '1',
    `file://${repository}`,
    clone,
  ]).catch(async () => {
    await rm(clone, { recursive: true, force: true });
    return run('git', ['clone', '-q', '--no-local', '--depth', '1', `file://${repository}`, clone]);
  });
  const measured = { ms: performance.now() - at, mb: Number(/peak (\d+)/.exec(stderr)?.[1] ?? NaN) / 1_024 };
  await rm(clone, { recursive: true, force: true });
  return measured;
}

async function snapshotOf(store: ReturnType<typeof createGitStore>, endpoint: Endpoint): Promise<string> {
  const commit = (await store.listBranches(endpoint)).get('main') ?? '';
  return store.ensureSnapshot(endpoint, { branch: 'main', commit });
}

async function packOf(repository: string): Promise<string> {
  const { stdout } = await run('git', ['-C', repository, 'repack', '-q', '-a', '-d']).then(() =>
    run('sh', ['-c', 'ls -S "$1"/objects/pack/*.pack', 'sh', repository]),
  );
  return stdout.split('\n', 1)[0]!;
}

const WORDS =
  'the a request response server client token page guide with from into after before each every subsequent first second retry error status header body field value deploy project webhook event limit rate key secret rotate install update'.split(
    ' ',
  );

/** Pages of sentences of common words: what is looked for is in some of them. */
function prose(files: number, characters: number): Record<string, string> {
  const next = random(3);
  const sentence = () => {
    const words = Array.from({ length: 14 }, () => WORDS[next() % WORDS.length]!);
    return `${words.join(' ')} ${next() % 100_000}.`;
  };
  return Object.fromEntries(
    Array.from({ length: files }, (_, n) => {
      let text = `---\ntitle: Page ${n}\n---\n`;
      while (text.length < characters) text += `\n${sentence()}\n`;
      return [`docs/section-${n % 40}/page-${n}.mdx`, text];
    }),
  );
}

function pictures(files: number, bytes: number): Record<string, Buffer> {
  const next = random(5);
  return Object.fromEntries(
    Array.from({ length: files }, (_, n) => {
      const content = Buffer.alloc(bytes);
      for (let i = 0; i < bytes; i += 4) content.writeUInt32LE((next() * 2) >>> 0, i);
      return [`images/picture-${n}.png`, content];
    }),
  );
}

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647);
}

if (import.meta.main) printRows(await benchTools());
