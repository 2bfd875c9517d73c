import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createAgentPool, type AgentPool } from '../../src/agent/agent-pool.ts';
import { nextMark, requestTokens, roomOf, visibleTranscript, type TranscriptPart } from '@docent/agent/compaction';
import type { SourceAt } from '@docent/agent/sources/source';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import { SOURCE_TOOLS } from '@docent/agent/tools/tool-set';
import { createGitStore } from '../../src/git/git-store.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { median, percentile, ms, printRows, type BenchRow } from './bench-row.ts';

const FILES = 50_000;
const SEARCHES = 40;
const GOAL_MS = 300;
/** A busy machine builds the index slowly. */
const TIME_LIMIT_MS = 1_200_000;
/** Steps of the job, and the window of its model in tokens. */
const STEPS = 60;
const WINDOW = 32_000;
const POLICY = { docsDir: '', maxFiles: 100, maxFileBytes: 1_048_576, maxTotalBytes: 10_485_760 };

const run = promisify(execFile);

/**
 * A source of 50,000 files, as a job reads it: fetched with git, searched and read in the agent's child
 * process. Then a conversation with 60 reads and searches of it, in a window of 32,000 tokens.
 */
export async function benchSources(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-sources-'));
  const git = createGitStore({ cacheDir: path.join(folder, 'git'), poolSize: 1 });
  const cacheDir = path.join(folder, 'pages');
  const first = createAgentPool({ cacheDir, size: 1, timeLimitMs: TIME_LIMIT_MS });
  const second = createAgentPool({ cacheDir, size: 1, timeLimitMs: TIME_LIMIT_MS });
  try {
    const [docs, code] = [path.join(folder, 'docs.git'), path.join(folder, 'code.git')];
    await makeRepository(docs, { 'index.md': '# Docs\n' });
    await makeSource(code);
    const snapshot = await snapshotOf(git, docs);
    const { ms: fetched, value: own } = await timed(() => snapshotOf(git, code));
    const source: SourceAt = {
      name: 'code',
      repository: code,
      ref: 'main',
      paths: [],
      commit: own.commit,
      snapshotPath: own.path,
      problem: null,
    };
    const ask = (pool: AgentPool, name: string, input: object) =>
      call(pool, { source, snapshot: snapshot.path }, { id: 'c', name, input });
    const search = (pool: AgentPool, n: number) => ask(pool, 'sources_search', { query: queryOf(n) });
    const { ms: cold } = await timed(() => search(first, 0));
    const { ms: kept } = await timed(() => search(second, 0));
    const times: number[] = [];
    for (let n = 1; n <= SEARCHES; n++) times.push((await timed(() => search(first, n))).ms);
    const most = await windowUsed((n) =>
      n % 3 === 0
        ? ask(first, 'sources_search', { query: queryOf(n), limit: 50 })
        : ask(first, 'sources_read', { path: pathOf(n * 701) }),
    );
    const room = roomOf(WINDOW);
    return [
      { name: `Fetch a source of ${FILES} files`, measured: ms(fetched) },
      { name: 'First search, which builds the index', measured: ms(cold) },
      { name: 'First search of a new process', measured: ms(kept) },
      {
        name: `Search, ${SEARCHES} queries: median and slowest 5 %`,
        measured: `${ms(median(times))} and ${ms(percentile(times, 95))}`,
        goal: `at most ${ms(GOAL_MS)}`,
        met: median(times) <= GOAL_MS,
      },
      {
        name: `Longest request of a job with ${STEPS} reads and searches`,
        measured: `${most} tokens`,
        goal: `at most ${room} of a window of ${WINDOW}`,
        met: most <= room,
      },
    ];
  } finally {
    await Promise.all([git.close(), first.close(), second.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function snapshotOf(git: ReturnType<typeof createGitStore>, repository: string) {
  const endpoint = { kind: 'local', path: repository } as const;
  const commit = (await git.listBranches(endpoint)).get('main') ?? '';
  return { commit, path: await git.ensureSnapshot(endpoint, { branch: 'main', commit }) };
}

async function call(pool: AgentPool, { source, snapshot }: { source: SourceAt; snapshot: string }, one: ToolCall) {
  const step = { snapshotPath: snapshot, overlay: [], policy: POLICY, calls: [one], sources: [source] };
  const { results } = await pool.runStep(step, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  const [result] = results;
  if (!result?.ok) throw new Error(`${one.name} failed: ${result?.text}`);
  return result;
}

/** The most tokens of a request, when each result is added and the conversation is shortened as in a job. */
async function windowUsed(resultOf: (n: number) => ReturnType<typeof call>): Promise<number> {
  const frame = { system: 'You edit docs. '.repeat(300), tools: SOURCE_TOOLS };
  const room = roomOf(WINDOW);
  const parts: TranscriptPart[] = [
    { turn: 1, step: 0, entries: [{ role: 'user', no: 1, text: 'Describe the whole repository.' }] },
  ];
  let mark: ReturnType<typeof nextMark> = null;
  let most = 0;
  for (let step = 1; step <= STEPS; step++) {
    const result = { ...(await resultOf(step)), callId: `c${step}` };
    parts.push({
      turn: 1,
      step,
      entries: [
        { role: 'assistant', text: `Step ${step}.`, toolCalls: [{ id: `c${step}`, name: result.name, input: {} }] },
        { role: 'tool', results: [result] },
      ],
    });
    if (requestTokens(frame, visibleTranscript(parts, mark)) > room) {
      mark = nextMark(parts, mark, frame, room / 2, room) ?? mark;
    }
    most = Math.max(most, requestTokens(frame, visibleTranscript(parts, mark)));
  }
  return most;
}

const VERBS = 'get set read write open close send receive start stop create delete update find list check'.split(' ');
const NOUNS =
  'user order page token request response queue worker limit timeout cache index file folder branch commit key secret event report'.split(
    ' ',
  );

const pathOf = (n: number): string => `packages/p${n % 97}/src/${NOUNS[n % NOUNS.length]}/${nameOf(n % FILES)}.ts`;
const queryOf = (n: number): string =>
  `default ${NOUNS[n % NOUNS.length]} ${VERBS[n % VERBS.length]} limit in ${nameOf(n * 977)}`;

/** Names of a large program: 16 × 20 × 500 different ones. */
function nameOf(n: number): string {
  const noun = NOUNS[Math.floor(n / VERBS.length) % NOUNS.length]!;
  return `${VERBS[n % VERBS.length]}${noun[0]!.toUpperCase()}${noun.slice(1)}${Math.floor(n / 320) % 500}`;
}

/** With `git fast-import`: writing as many files takes minutes. */
async function makeSource(repository: string): Promise<void> {
  await run('git', ['init', '-q', '--bare', '-b', 'main', repository]);
  const child = spawn('git', ['-C', repository, 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.write(
    'commit refs/heads/main\ncommitter A Person <person@example.org> 1700000000 +0000\ndata 5\nFirst\n',
  );
  for (let n = 0; n < FILES; n++) {
    const text = textOf(n);
    const written = child.stdin.write(`M 100644 inline ${pathOf(n)}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    if (!written) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
}

/** About 2 KB of code, the same in each run. */
function textOf(n: number): string {
  let state = n + 1;
  const next = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit;
  const lines = Array.from(
    { length: 30 },
    () =>
      `export const ${nameOf(next(160_000))} = (${NOUNS[next(20)]}: string) => ${nameOf(next(160_000))}(${next(9_999)});`,
  );
  return `/** The ${NOUNS[n % 20]} of ${nameOf(n)}. */\n${lines.join('\n')}\n`;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}

if (import.meta.main) printRows(await benchSources());
