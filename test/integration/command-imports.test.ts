import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { loadedBy } from '../support/loaded-modules.ts';
import { QUICKLY, ROOT, SOURCES } from '../support/processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-imports-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const loadedByCommand = (...words: string[]) => loadedBy(SOURCES, ...words);

const SERVER = ['--url', 'http://127.0.0.1:9', '--project', 'docs'];

test.each([
  [['--version'], ['commander']],
  [
    ['key', 'list', '--url', 'http://127.0.0.1:9'],
    ['commander', 'eventsource-parser', 'openapi-fetch', 'zod'],
  ],
  [
    ['job', 'run', 'Fix it', ...SERVER],
    ['commander', 'eventsource-parser', 'listr2', 'openapi-fetch', 'zod'],
  ],
  [['check', '--help'], ['commander']],
  [
    ['analytics', '--help'],
    ['commander', 'eventsource-parser', 'openapi-fetch', 'zod'],
  ],
  [['migrate', '--help'], ['commander']],
  [['start', '--help'], ['commander']],
])('docent %j is quick: it loads no package but %j', async (words, packages) => {
  expect((await loadedByCommand(...words)).packages).toEqual(packages);
});

test('the help of all commands is quick: it loads no database, no Temporal and no server', async () => {
  const heavy = [
    'drizzle-orm',
    'pg',
    '@duckdb/node-api',
    '@temporalio/client',
    'koa',
    'undici',
    'isomorphic-git',
    'pino',
  ];
  const { packages, own } = await loadedByCommand('--help');
  expect(packages.filter((name) => heavy.includes(name))).toEqual([]);
  expect(
    own.filter((url) =>
      /\/src\/(store|analytics|temporal|api|agent)\/|\/packages\/(agent|code-hosts|models)\//.test(url),
    ),
  ).toEqual([]);
});

test('a called command is defined where it is looked up, as in the complete help', async () => {
  const { commands } = await createProgram();
  expect(commands.length).toBeGreaterThan(9);
  for (const command of commands) {
    // The help is the same as of any command.
    if (command.name() === 'help') continue;
    const called = await createProgram([command.name()]);
    expect(called.commands.map((one) => one.name())).toContain(command.name());
    expect(called.commands.length, command.name()).toBeLessThanOrEqual(4);
  }
});

test('a start without settings loads no models, and no page parsers', async () => {
  // The folder cannot be created: the command ends after reading its settings.
  const { packages } = await loadedByCommand('start', '--home', '/dev/null/home');
  expect(packages).toContain('listr2');
  expect(packages.filter((name) => name.startsWith('@ai-sdk/') || name.startsWith('micromark'))).toEqual([]);
});

const sourceUrl = (file: string) => JSON.stringify(pathToFileURL(path.join(ROOT, 'src', file)).href);

test.each([
  [
    'api',
    ['@duckdb/node-api', '@duckdb/node-bindings', '@temporalio/client', '@temporalio/common', 'protobufjs', 'undici'],
  ],
  [
    'worker',
    [
      '@duckdb/node-api',
      '@duckdb/node-bindings',
      '@ai-sdk/openai',
      '@gitbeaker/rest',
      '@octokit/core',
      'gitea-js',
      'undici',
    ],
  ],
])('the role %s does not load before it is wanted: %j', async (role, packages) => {
  const script = `await import(${sourceUrl(`roles/${role}.ts`)});`;
  const loaded = (await loadedBy(...QUICKLY, '--input-type=module', '-e', script)).packages;
  expect(loaded).toContain('drizzle-orm');
  expect(packages.filter((name) => loaded.includes(name))).toEqual([]);
});
