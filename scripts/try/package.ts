/**
 * `npm run try-package`: makes the packages, installs the server's in an empty folder as
 * docs/operate/install.mdx says, and uses it as an operator without a checkout: starts it in an empty home,
 * posts a job, reads its pull request, stops it, and starts it again. Prints sizes, times and memory at rest.
 * Ends with 0 only if all of it happened. Wants Node 24 and git on the PATH.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bytesIn, run, startDocent, type RunningDocent } from '../package/installed.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const { values: options } = parseArgs({ options: { keep: { type: 'boolean' }, 'no-build': { type: 'boolean' } } });
/** What runs at rest is measured after this long. */
const REST_MS = 20_000;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const work = await mkdtemp(path.join(tmpdir(), 'docent-try-package-'));
const installed = path.join(work, 'docent');
const home = path.join(work, 'home');
let docent: RunningDocent | undefined;
try {
  const release = path.join(work, 'release');
  const node = path.dirname(process.execPath);
  // The first on the PATH, like an operator's own Node, not that of the checkout's packages.
  const env = {
    PATH: `${node}:/usr/local/bin:/usr/bin:/bin`,
    HOME: path.join(work, 'user'),
    LANG: 'C.UTF-8',
    ...caches(),
  };
  await mkdir(env.HOME);
  const build = options['no-build'] ? ['--no-build'] : [];
  await run(process.execPath, [path.join(ROOT, 'scripts/package.ts'), '--out', release, ...build], { cwd: ROOT });
  const tarball = (await readdir(release)).find((name) => /^docent-server-.*\.tgz$/.test(name)) ?? '';
  await mkdir(installed);
  await run('tar', ['-xzf', path.join(release, tarball), '--strip-components=1', '-C', installed]);
  // Where the registry is, npm knows from this machine's settings.
  await run('npm', ['ci', '--omit=dev'], { cwd: installed, env: { ...process.env, PATH: env.PATH } });
  say(
    `Installed: ${megabytes(await bytesIn(installed))} MB (${megabytes(await bytesIn(path.join(release, tarball)))} MB packed)`,
  );

  const program = path.join(installed, 'bin', 'docent.js');
  const docentDoes = (...words: string[]) => run(process.execPath, [program, ...words], { cwd: env.HOME, env });
  say(`Version: ${(await docentDoes('--version')).trim()}`);
  docent = await startDocent(program, { home, env });
  say(`First start: ${docent.times}`);
  const prompt = 'Add a page titled "Installed" at guides/installed with the text "Written by an installed package."';
  const job = JSON.parse(await docentDoes('job', 'run', prompt, '--home', home, '--json')) as {
    status: string;
    prLink: string;
  };
  const page = await fetch(job.prLink);
  if (job.status !== 'completed' || !page.ok)
    throw new Error(`The job is ${job.status}, its pull request answers ${page.status}.`);
  say(`A job made a pull request: ${job.prLink}`);
  const docs = await fetch(new URL('/docs/quickstart', job.prLink));
  const dashboard = await fetch(new URL('/', job.prLink), { headers: { accept: 'text/html' } });
  if (!docs.ok || !dashboard.ok) throw new Error(`/docs answers ${docs.status}, the dashboard ${dashboard.status}.`);
  await docent.stop();

  docent = await startDocent(program, { home, env });
  await docent.stop();
  docent = await startDocent(program, { home, env });
  say(`Start on an existing home: ${docent.times}`);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  say(`At rest: ${await docent.memory()}`);
  await docent.stop();
  docent = undefined;
} catch (err) {
  process.stderr.write(`The package does not work: ${(err as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await docent?.stop();
  if (options.keep) say(`Kept: ${work}`);
  else await rm(work, { recursive: true, force: true });
}

/**
 * Temporal's program may already exist: only the very first start fetches it, which is not timed.
 */
function caches(): Record<string, string> {
  const { XDG_CACHE_HOME, HOME } = process.env;
  return { XDG_CACHE_HOME: XDG_CACHE_HOME ?? path.join(HOME ?? '', '.cache') };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
