/**
 * `npm run try-upgrade -- [REF | FILE.tgz]`: builds an older version in its own folder, with its own
 * packages, from git's history or from its package; starts it in an empty home, works with it, and stops it
 * while a job is at work. Then this version starts in that home: everything that clients saw must be there,
 * the open job must end, and old jobs must accept messages. Last, the older version must work on the home
 * again, or refuse it with a sentence, and then this one. Without REF it is the newest tag. Exits with 0 only
 * if all of that holds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newestTag } from '../../test/support/builds.ts';
import { makeRepository, SITE } from '../../test/support/repository.ts';
import {
  answersOf,
  ask,
  counted,
  fill,
  lostOf,
  post,
  settled,
  type Made,
  type Seen,
} from '../../test/support/seen-by-clients.ts';
import { run, startDocent, type RunningDocent } from '../package/installed.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const THIS = path.join(ROOT, 'src', 'cli', 'main.ts');
const PROJECT = 'acme';
const git = (...words: string[]) =>
  execFileSync('git', ['-C', ROOT, ...words], { maxBuffer: 1024 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] });
const say = (text: string) => void process.stdout.write(`${text}\n`);

const from = process.argv[2] ?? newestTag();
if (from === null) {
  process.stderr.write(
    'There is no tag yet: say which commit, or which package (docent-server-….tgz), to upgrade from.\n',
  );
  process.exit(2);
}
const work = await mkdtemp(path.join(tmpdir(), 'docent-try-upgrade-'));
let running: RunningDocent | undefined;
try {
  const older = await build(from, path.join(work, 'older'));
  await tryUpgrade(older);
  say('The upgrade went through.');
} catch (err) {
  process.stderr.write(`The upgrade does not work: ${(err as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await running?.stop();
  await rm(work, { recursive: true, force: true });
}

async function tryUpgrade(older: string): Promise<void> {
  const home = path.join(work, 'home');
  const user = path.join(work, 'user');
  const repository = path.join(work, 'docs.git');
  await mkdir(user);
  await makeRepository(repository, SITE);
  const { XDG_CACHE_HOME, HOME = '' } = process.env;
  const env = {
    PATH: process.env.PATH,
    HOME: user,
    LANG: 'C.UTF-8',
    XDG_CACHE_HOME: XDG_CACHE_HOME ?? path.join(HOME, '.cache'),
  };
  const start = async (program: string): Promise<Seen> => {
    running = await startDocent(program, { home, env });
    const { apiUrl } = JSON.parse(await readFile(path.join(home, 'run.json'), 'utf8')) as { apiUrl: string };
    const operatorToken = (await readFile(path.join(home, 'operator-token'), 'utf8')).trim();
    return { url: apiUrl, operatorToken, projectId: PROJECT };
  };
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };

  let seen = await start(older);
  say(`The older one runs: ${running?.times}`);
  await ask(seen, '/v1/projects', { body: { id: PROJECT, repository, ref: 'main' } });
  const made = await fill(seen);
  const before = await answersOf(seen, made);
  const open = await post(seen, 'Append a section "Open" with text "x." to the page guides/start');
  await ask(seen, `/v2/agent/${PROJECT}/job/${open}/message`, {
    body: { prompt: 'Append a section "Open too" with text "y." to the page guides/start' },
  });
  await stop();
  say(`Stopped with ${Object.keys(before).length} answers remembered, ${made.events} page views, and a job at work`);

  seen = await start(THIS);
  say(`This one runs in its home: ${running?.times}`);
  await same(seen, before, made);
  const status = await settled(seen, open);
  if (status !== 'completed') throw new Error(`The job that was at work is ${status}.`);
  const pages = execFileSync('git', ['-C', repository, 'show', `docent/${open}:guides/start.mdx`], {
    encoding: 'utf8',
  });
  const sections = pages.match(/^## Open.*$/gm)?.join(', ');
  if (sections !== '## Open, ## Open too')
    throw new Error(`The job that was at work has written ${sections ?? 'nothing'}.`);
  say('The job that was at work has ended, with one of everything');
  await ask(seen, `/v2/agent/${PROJECT}/job/${made.jobs.published}/message`, {
    body: { prompt: 'Append a section "Later" with text "z." to the page guides/log' },
  });
  const later = await settled(seen, made.jobs.published);
  if (later !== 'completed') throw new Error(`An old job with a new message is ${later}.`);
  say('An old job has taken a message');
  const after = await answersOf(seen, made);
  await stop();

  try {
    seen = await start(older);
    await same(seen, after, made, 'beside what only this one tells', (line) => !line.endsWith('is now undefined'));
    say(`The older one works on the home again: ${running?.times}`);
    await stop();
  } catch (err) {
    if (running) throw err;
    const refusal = /^.*(?:newer version|from which .* cannot upgrade).*$/m.exec((err as Error).message)?.[0];
    if (refusal === undefined) throw err;
    say(`The older one refuses the home: ${refusal.trim()}`);
  }
  seen = await start(THIS);
  await same(seen, after, made);
  await stop();
}

async function same(
  seen: Seen,
  before: Awaited<ReturnType<typeof answersOf>>,
  made: Made,
  but = '',
  counts: (line: string) => boolean = () => true,
): Promise<void> {
  await counted(seen, made.events);
  const lost = lostOf(before, await answersOf(seen, made)).filter(counts);
  if (lost.length > 0)
    throw new Error(`Clients see something else than before ${but}:\n${lost.slice(0, 20).join('\n')}`);
  say(`Clients see what they saw, in ${Object.keys(before).length} answers`);
}

/** @returns the program to start */
async function build(ref: string, folder: string): Promise<string> {
  await mkdir(folder);
  if (ref.endsWith('.tgz')) {
    await run('tar', ['-xzf', path.resolve(ref), '--strip-components=1', '-C', folder]);
    await install(folder, ['--omit=dev']);
    return path.join(folder, 'bin', 'docent.js');
  }
  const commit = git('rev-parse', '--short', `${ref}^{commit}`).toString().trim();
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
  const lock = path.join(ROOT, 'package-lock.json');
  if (
    readFileSync(path.join(folder, 'package-lock.json')).equals(readFileSync(lock)) &&
    existsSync(path.join(ROOT, 'node_modules'))
  ) {
    // The very same packages.
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  } else await install(folder, []);
  say(`Built ${commit}`);
  return path.join(folder, 'src', 'cli', 'main.ts');
}

async function install(folder: string, words: string[]): Promise<void> {
  await run('npm', ['ci', '--no-audit', '--no-fund', ...words], { cwd: folder });
}
