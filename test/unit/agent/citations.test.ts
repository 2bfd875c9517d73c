import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { readCitations, type CitedClaim } from '@docent/agent/citations/read-citations';
import { citationsOf, judgeCitations } from '@docent/agent/citations/turn-citations';
import { whyUnsupported } from '@docent/agent/citations/supports';
import { stateOfCited } from '@docent/agent/citations/cited-state';
import { hashOfLines, verifyCitation, type ReadLines } from '@docent/agent/citations/verify-citations';
import type { Source } from '@docent/agent/sources/source';
import { Workspace } from '@docent/git/workspace';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const PAGE = `---
title: Limits
description: What the server allows.
---

# Limits

Requests end after 30 seconds. The server retries
a request 3 times.

Set \`requestTimeout\` to change it. The default port is 8080.

<!-- Uploads may have 5 MB at most. -->
`;
const DOCS = {
  'docs/limits.md': PAGE,
  'docs/other.md': '# Other\n\nThe cache holds 100 entries.\n',
  'docs/data.json': '{"claim": "Requests end after 30 seconds."}\n',
  'outside.md': 'Requests end after 30 seconds.\n',
};
const CONFIG = [
  '/** Limits of the server. */',
  'export const requestTimeout = 30_000;',
  '/** How often a request is tried again. */',
  'export const retries = 3;',
  '',
  'export const port = 8080;',
  'export const maxUpload = 5 * 1024 * 1024;',
  ...Array.from({ length: 80 }, (_, i) => `export const other${i} = ${i + 1_000};`),
].join('\n');
const FILES = {
  'src/config.ts': CONFIG,
  'src/confi\u0433.ts': CONFIG,
  'src/server.ts': "import { port } from './config.ts';\nlisten(port);\n// Requests end after 30 seconds.\n",
  'src/bundle.js': `${'x'.repeat(5_000)};${CONFIG.replaceAll('\n', ' ')}`,
  'src/wide.ts': Array.from(
    { length: 60 },
    () => `${CONFIG.slice(0, 120).replaceAll('\n', ' ')}${' '.repeat(200)}`,
  ).join('\n'),
  'src/unread.ts': CONFIG,
  'lib/config.ts': CONFIG,
  '.env': 'Requests end after 30 seconds.\n',
};
const source = (name: string, more: Partial<Source> = {}): Source => ({
  name,
  repository: `https://example.com/acme/${name}`,
  ref: 'main',
  paths: ['src', '.env'],
  commit: COMMIT,
  problem: null,
  base: memoryBaseTree(FILES),
  ...more,
});
const sources = [source('server'), source('cli'), source('gone', { base: null, commit: null, problem: 'It is gone.' })];
const read = (path: string, first: number, last: number, more: Partial<ReadLines> = {}): ReadLines => ({
  source: 'server',
  commit: COMMIT,
  path,
  first,
  last,
  ...more,
});
const reads = [
  read('src/config.ts', 1, 4),
  read('src/config.ts', 5, 60),
  read('src/server.ts', 1, 2),
  read('src/bundle.js', 1, 1),
  read('src/wide.ts', 1, 60),
  read('src/unread.ts', 1, 60, { commit: 'f'.repeat(40) }),
  read('lib/config.ts', 1, 60),
  read('.env', 1, 1),
];
const workspace = new Workspace(memoryBaseTree(DOCS), [], {
  docsDir: 'docs',
  maxFiles: 10,
  maxFileBytes: 1_000_000,
  maxTotalBytes: 1_000_000,
});
const verify = (cited: CitedClaim) => verifyCitation(cited, { workspace, sources, reads });
const TRUE: CitedClaim = {
  page: 'docs/limits.md',
  line: 8,
  claim: 'Requests end after 30 seconds.',
  source: 'server',
  path: 'src/config.ts',
  commit: null,
  fromLine: 2,
  toLine: 2,
};

describe('a true citation holds', () => {
  test.each([
    {},
    { line: null },
    { commit: COMMIT.slice(0, 12) },
    { fromLine: 1, toLine: 4 },
    { claim: 'The server retries a request 3 times.', fromLine: 3, toLine: 4, line: 8 },
    { claim: 'The server retries a request 3 times.', fromLine: 3, toLine: 4, line: 9 },
    { claim: 'Set `requestTimeout` to change it.', line: 11 },
    { claim: 'The default port is 8080.', line: 11, fromLine: 6, toLine: 6 },
  ])('%j', (more) => {
    const verdict = verify({ ...TRUE, ...more });
    expect(verdict).toMatchObject({ ok: true, citation: { page: 'docs/limits.md', commit: COMMIT, source: 'server' } });
  });

  test('and records the page’s line, the commit and the hash of the lines', () => {
    expect(verify({ ...TRUE, line: null })).toEqual({
      ok: true,
      citation: {
        ...TRUE,
        line: 8,
        repository: 'https://example.com/acme/server',
        commit: COMMIT,
        sha256: createHash('sha256').update('export const requestTimeout = 30_000;').digest('hex'),
        lines: 'export const requestTimeout = 30_000;',
      },
    });
  });
});

/** Each is false for one reason. */
function falseCitations(): [kind: string, CitedClaim][] {
  const kinds: Record<string, Partial<CitedClaim>[]> = {
    'lines that say something else': [1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22].map(
      (line) => ({ fromLine: line, toLine: line }),
    ),
    'lines behind the end': [87, 88, 89, 100, 1_000, 999_999_999].map((line) => ({ fromLine: 2, toLine: line + 1 })),
    'lines before the beginning, and ranges that end before they begin': [
      { fromLine: 0, toLine: 2 },
      { fromLine: 0, toLine: 0 },
      { fromLine: 2, toLine: 1 },
      { fromLine: 4, toLine: 2 },
      { fromLine: -1, toLine: 2 },
    ],
    'an empty line': [{ fromLine: 5, toLine: 5 }],
    'huge ranges': [60, 61, 70, 87].map((toLine) => ({ fromLine: 1, toLine: Math.max(61, toLine) })),
    'lines never read': [61, 62, 63, 64, 65, 66, 70, 75, 80, 85, 86, 87].map((line) => ({
      claim: 'The default port is 8080.',
      line: 11,
      fromLine: line - 55,
      toLine: line,
    })),
    'another file': [
      'src/server.ts',
      'src/unread.ts',
      'lib/config.ts',
      'src/config.js',
      'src/Config.ts',
      'src',
      'config.ts',
      'src/config.ts.bak',
      '.env',
      'SRC/config.ts',
      'src/confi\u0433.ts',
      'src/config.ts\u200b',
      '\u202esrc/config.ts',
      'src/ｃonfig.ts',
      '',
      ' ',
    ].flatMap((path) => [{ path }, { path, fromLine: 1, toLine: 3 }]),
    'a path that leaves its place': [
      '../src/config.ts',
      'src/../src/config.ts',
      './src/config.ts',
      '/src/config.ts',
      'src//config.ts',
      'src\\config.ts',
      'src/config.ts/',
      'src/config.ts\u0000',
      '%2e%2e/src/config.ts',
      '../../etc/passwd',
      'src/./config.ts',
      'file:///src/config.ts',
    ].map((path) => ({ path })),
    'another commit': [
      'f'.repeat(40),
      'fffffff',
      COMMIT.slice(0, 6),
      COMMIT.slice(0, 1),
      `${COMMIT.slice(0, 11)}e`,
      COMMIT.slice(1, 20),
      `${COMMIT}0`,
      COMMIT.toUpperCase(),
      '',
      'HEAD',
      'main',
    ].map((commit) => ({ commit })),
    'another source': ['cli', 'gone', 'Server', 'server ', '', 'acme', 'https', 'serve', 'server\u200b'].map(
      (name) => ({
        source: name,
      }),
    ),
    'another page': [
      'docs/other.md',
      'docs/none.md',
      'docs/data.json',
      'outside.md',
      'limits.md',
      'docs/limits',
      'docs/Limits.md',
      '/docs/limits.md',
      'docs/../docs/limits.md',
      '../docs/limits.md',
      'docs/./limits.md',
      'docs//limits.md',
      'docs\\limits.md',
      'docs/limits.md/',
      'docs',
      '',
      'docs/limits.md\u200b',
      'docs/l\u0456mits.md',
    ].flatMap((page) => [{ page }, { page, line: null }]),
    'another line of the page': [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 999].map((line) => ({ line })),
    'a claim that the page does not have': [
      'Requests time out after 30 seconds.',
      'Requests end after 30 second.',
      'requests end after 30 seconds.',
      'Requests end after thirty seconds.',
      'Requests end after 30 000 milliseconds.',
      'Requests always end after 30 seconds.',
      'equests end after 30 seconds',
      'Requests end after 30 sec',
      'Requests end after 30 seconds!',
      'All requests end after 30 seconds.',
      'Requests end after 3 seconds.',
      'After 30 seconds, requests end.',
      'Uploads may have 5 MB at most.',
      'The server retries. Requests end after 30 seconds.',
      'requestTimeout = 30_000',
      'export const requestTimeout = 30_000;',
    ].map((claim) => ({ claim })),
    'tricks of Unicode in the claim': [
      'Requests end after 30\u00a0\u200bseconds.',
      'Requests\u200b end after 30 seconds.',
      'Requests end after 30 seconds.\u202e',
      '\ufeffRequests end after 30 seconds.',
      'R\u0435quests end after 30 seconds.',
      'Requests end after ３０ seconds.',
      'Requests end after 30 secon\u0064\u0301s.',
      'Requests end after 3\u20600 seconds.',
      'Requests\u0000 end after 30 seconds.',
      'Requests end after 30 sec\u00adonds.',
      'Requests end after \u{e0033}30 seconds.',
    ].map((claim) => ({ claim })),
    'a claim that says nothing': [
      '',
      ' ',
      '\n',
      '\t',
      '.',
      '30',
      'the',
      'seconds',
      'after',
      'Limits',
      '# ',
      '---',
      '`',
      '""',
    ].flatMap((claim) => [
      { claim, line: null },
      { claim, line: null, fromLine: 1, toLine: 4 },
    ]),
    'lines that are too long to prove anything': [
      { path: 'src/bundle.js', fromLine: 1, toLine: 1 },
      { path: 'src/wide.ts', fromLine: 1, toLine: 60 },
    ],
    'a claim without end': [{ claim: PAGE.slice(0, 240).repeat(3) }, { claim: 'Requests end '.repeat(10_000) }],
  };
  return Object.entries(kinds).flatMap(([kind, list]) =>
    list.map((more): [string, CitedClaim] => [kind, { ...TRUE, ...more }]),
  );
}

describe('of false citations', () => {
  const all = falseCitations();

  test('there are more than 200 here', () => expect(all.length).toBeGreaterThan(200));

  test('none is accepted', () => {
    const accepted = all.filter(([, cited]) => verify(cited).ok);
    expect(accepted).toEqual([]);
  });

  test('each is refused with a sentence', () => {
    for (const [kind, cited] of all) {
      const verdict = verify(cited);
      expect(verdict.ok ? kind : verdict.reason).toMatch(/^[^\n]{5,300}\.$/);
    }
  });
});

describe('the lines of a citation on the branch of its source', () => {
  const lines = ['export const port = 8080;', 'export const host = "any";'];
  const cited = { path: 'a.ts', fromLine: 2, toLine: 3, sha256: hashOfLines(lines), lines: lines.join('\n') };
  const stateIn = (text: string | null) => {
    const files: Record<string, string> = text === null ? {} : { 'a.ts': text };
    return stateOfCited(cited, source('s', { paths: [], base: memoryBaseTree(files) }));
  };

  test.each([
    ['as they were', `// a\n${lines.join('\n')}\n`],
    ['with other line ends', `// a\r\n${lines.join('\r\n')}\r\n`],
    ['further down', `// a\n// b\n// c\n${lines.join('\n')}\n`],
    ['further up', lines.join('\n')],
  ])('hold %s', (_, text) => expect(stateIn(text)).toEqual({ state: 'held', newLines: null }));

  test('are stale with what is there now', () => {
    const changed = lines[0]!.replace('8080', '9090');
    expect(stateIn(`// a\n${changed}\n${lines[1]}\n`)).toEqual({
      state: 'stale',
      newLines: `${changed}\n${lines[1]}`,
    });
    expect(stateIn('// a\n')).toEqual({ state: 'stale', newLines: '' });
  });

  test('are gone with their file, and if it can no longer be read', () => {
    expect(stateIn(null)).toEqual({ state: 'gone', newLines: null });
    const elsewhere = source('s', { paths: ['src'], base: memoryBaseTree({ 'a.ts': lines.join('\n') }) });
    expect(stateOfCited(cited, elsewhere)).toEqual({ state: 'gone', newLines: null });
  });

  const text = `// a\n${lines.join('\n')}\n`;
  test.each([
    ['a file of that name in another folder', { 'src/a.ts': text }, 'held'],
    ['a renamed file of the folder', { 'b.ts': text }, 'held'],
    ['a file of another name elsewhere', { 'src/b.ts': text }, 'gone'],
    ['a file of that name with other lines', { 'src/a.ts': '// a\n' }, 'gone'],
    ['a file with a secret', { '.env': text }, 'gone'],
  ])('follow a renamed file: %s', (_, files, state) => {
    const renamed = source('s', { paths: [], base: memoryBaseTree(files) });
    expect(stateOfCited(cited, renamed).state).toBe(state);
  });

  test('too short to be recognized are gone with their file', () => {
    const short = { path: 'a.ts', fromLine: 1, toLine: 1, sha256: hashOfLines(['}']), lines: '}' };
    const renamed = source('s', { paths: [], base: memoryBaseTree({ 'src/a.ts': 'b();\n}\n' }) });
    expect(stateOfCited(short, renamed).state).toBe('gone');
  });
});

describe('closing words', () => {
  const LIST = `Say when requests end

It was missing.

Citations:
- docs/limits.md:8 "Requests end after 30 seconds." -> server:src/config.ts#L2
- \`docs/limits.md\` "Set "requestTimeout" now" → server:src/a b.ts@0123456789ab#L10-L24
* nothing of the kind

Outcome of it all.`;

  test('lose their list of citations, which is read', () => {
    expect(readCitations(LIST)).toEqual({
      text: 'Say when requests end\n\nIt was missing.\n\nOutcome of it all.',
      cited: [
        { ...TRUE, claim: 'Requests end after 30 seconds.' },
        {
          page: 'docs/limits.md',
          line: null,
          claim: 'Set "requestTimeout" now',
          source: 'server',
          path: 'src/a b.ts',
          commit: '0123456789ab',
          fromLine: 10,
          toLine: 24,
        },
      ],
      malformed: ['* nothing of the kind'],
    });
  });

  test.each(['Say when requests end\n\n- It was missing.\n', '', 'Use `a -> b`.\n- one "two" -> three'])(
    'without one stay as they are: %j',
    (words) => expect(readCitations(words)).toEqual({ text: words, cited: [], malformed: [] }),
  );

  test('take time in proportion to their length', () => {
    const started = performance.now();
    readCitations(`Citations:\n- a "${'"-> '.repeat(900)}\n`.repeat(200));
    readCitations('"'.repeat(1_000_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

const citing = (target: string) => `- docs/limits.md "${TRUE.claim}" -> server:${target}`;
const judged = (...closings: string[][]) => {
  const entries = closings.map((lines) => ({
    role: 'assistant' as const,
    text: `Done\n\nCitations:\n${lines.join('\n')}`,
    toolCalls: [],
  }));
  const found = citationsOf(entries);
  const { held, refused } = judgeCitations(
    found,
    found.cited.map(({ claim }) => verify(claim)),
  );
  return [held.map(({ path, fromLine }) => `${path}#L${fromLine}`), refused.length];
};
const [good, also, bad] = ['src/config.ts#L2', 'src/config.ts#L2-L3', 'src/config.ts#L900'].map(citing) as [
  string,
  string,
  string,
];

describe('a claim with several sources', () => {
  test('keeps all that hold, once', () => {
    expect(judged([good, also, good])).toEqual([['src/config.ts#L2', 'src/config.ts#L2'], 0]);
  });

  test('counts as one without a source only if none holds', () => {
    expect(judged([good, bad])).toEqual([['src/config.ts#L2'], 0]);
    expect(judged([bad])).toEqual([[], 1]);
  });

  test('has those of the newest closing words that name it', () => {
    expect(judged([good], [bad])).toEqual([[], 1]);
    expect(judged([bad], [good])).toEqual([['src/config.ts#L2'], 0]);
  });
});

describe('cited lines', () => {
  test.each([
    ['Requests end after 30 seconds.', 'const requestTimeout = 30_000;'],
    ['Requests end after 30 seconds.', 'const requestTimeout = 30;'],
    ['Uploads have at most 5 MB.', 'const maxUpload = 5 * 1024 * 1024;'],
    ['Tokens expire after 2 hours.', 'expires: 2 * 60 * 60 * 1000, // tokens'],
    ['The limit is 1,000 rows.', 'LIMIT = 1000  # rows'],
    ['The limit is 0.1 seconds.', 'const limit = 100; // ms'],
    ['The mask is 18446744073709551615.', 'const mask = 18446744073709551615;'],
    ['Requires Node 20.19.', '"engines": { "node": ">=20.19" }, // requires'],
    ['`max_retries` is optional.', 'max_retries: int | None = None  # optional'],
    ['Set to 1024 by `Uint8Array`.', 'new Uint8Array(1024)'],
    ['既定値は `8080` です。', 'port = 8080'],
  ])('may support %j: %j', (claim, lines) => expect(whyUnsupported(claim, lines)).toBeNull());

  test.each([
    ['Requests end after 30 seconds.', 'const requestTimeout = 60_000;'],
    ['Requests end after 30 seconds.', 'const requestTimeout = 300;'],
    ['Requests end after 30 items.', 'const requestTimeout = 30_000;'],
    ['The epoch is 1640995200130.', 'const epoch = 1640995200123;'],
    ['The limit is 9007199254740993 rows.', 'const limit = 9_007_199_254_740_992; // rows'],
    ['`maxRetries` is optional.', 'max_connections?: number; // optional'],
    ['The cache is written at once.', 'listen(port);'],
    ['既定値は `8080` です。', 'port = 9090'],
    ['Anything', ' \n\t'],
  ])('cannot support %j: %j', (claim, lines) => expect(whyUnsupported(claim, lines)).toMatch(/\.$/));
});
