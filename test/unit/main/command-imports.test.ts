import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../../src/main/cli/program.ts';
import { BARE_ENV } from '../../support/bare-env.ts';
import { ROOT, SOURCES } from '../../support/processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-imports-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes down what is loaded after it. */
const WATCH = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeFileSync(process.env.LOADED, loaded.join('\\n')));`;

/** The packages, and files of our own, that a command line loads. */
async function loadedBy(...words: string[]): Promise<{ packages: string[]; own: string[] }> {
  const file = path.join(folder, 'loaded');
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const env = { ...BARE_ENV, HOME: folder, LOADED: file, DOCENT_API_KEY: 'docent_x' };
  await new Promise((resolve) => execFile(process.execPath, ['--import', watch, SOURCES, ...words], { env }, resolve));
  const urls = readFileSync(file, 'utf8').split('\n');
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  const own = urls.filter((url) => url.startsWith(`${pathToFileURL(ROOT)}/src/`));
  return { packages: [...new Set(packages)].toSorted(), own };
}

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
  expect((await loadedBy(...words)).packages).toEqual(packages);
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
  const { packages, own } = await loadedBy('--help');
  expect(packages.filter((name) => heavy.includes(name))).toEqual([]);
  expect(own.filter((url) => /\/src\/(store|analytics|temporal|api|agent)\//.test(url))).toEqual([]);
});

test('a command that is called is defined where it is looked for, as in the help of all', async () => {
  const { commands } = await createProgram();
  expect(commands.length).toBeGreaterThan(9);
  for (const command of commands) {
    const called = await createProgram([command.name()]);
    expect(called.commands.map((one) => one.name())).toContain(command.name());
    expect(called.commands.length, command.name()).toBeLessThanOrEqual(3);
  }
});

const sourceUrl = (file: string) => JSON.stringify(pathToFileURL(path.join(ROOT, 'src', file)).href);

test('a role does not pay a quarter of a gigabyte for the library of its database', async () => {
  const script = `
    const { quickenImports } = await import(${sourceUrl('main/quick-imports.ts')});
    quickenImports();
    await import(${sourceUrl('store/database.ts')});
    console.log(process.resourceUsage().maxRSS / 1024);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...BARE_ENV, HOME: folder },
  });
  // 80 MB; without our resolving, 290.
  expect(Number(stdout)).toBeLessThan(180);
});
