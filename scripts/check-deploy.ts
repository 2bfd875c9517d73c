/**
 * `npm run check-deploy`: reads the files of deploy/ as those do who run them: Kubernetes' own types, Compose's own loader (both built with Go,
 * a minute the first time), and systemd. Ends with 0 if all of them are taken.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..');
const kubernetes = path.join(ROOT, 'deploy', 'kubernetes');
const systemd = path.join(ROOT, 'deploy', 'systemd');
const work = await mkdtemp(path.join(tmpdir(), 'docent-deploy-'));

try {
  const files = (await readdir(kubernetes)).map((name) => path.join(kubernetes, name));
  // What its reader has to give.
  const given = { POSTGRES_PASSWORD: 'secret', DOCENT_OPERATOR_TOKEN: 'token', DOCENT_SECRET_KEY: 'key' };
  await show('go', ['run', '.', path.join(ROOT, 'deploy', 'compose.yaml'), ...files], {
    cwd: path.join(ROOT, 'scripts', 'check-deploy'),
    env: { ...process.env, ...given },
  });
  for (const name of await readdir(systemd)) {
    const unit = path.join(work, name);
    const text = await readFile(path.join(systemd, name), 'utf8');
    // It wants to see the program.
    await writeFile(unit, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    await show('systemd-analyze', ['verify', unit]);
    await show('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit]);
  }
} catch (err) {
  const { stdout = '', stderr = String(err) } = err as { stdout?: string; stderr?: string };
  process.stderr.write(`${stdout}${stderr}\n`);
  process.exitCode = 1;
} finally {
  await rm(work, { recursive: true, force: true });
}

async function show(
  program: string,
  words: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const { stdout } = await run(program, words, options);
  const last = program === 'go' ? stdout : (stdout.trim().split('\n').at(-1) ?? '');
  if (last.trim() !== '') process.stdout.write(`${last.trim()}\n`);
}
