/**
 * `npm run check-deploy`: reads the files of deploy/ as their users' programs do: kustomize's own builder,
 * Kubernetes' own types, Compose's own loader (built with Go, some minutes the first time), and systemd. With
 * `--start` it also sets up a PostgreSQL and a Temporal by their scripts, and has the roles do a job with
 * exactly the variables that Compose and Kubernetes give them. Ends with 0 if all of that works.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { parse } from 'yaml';
import { kubernetesVariables, Services, type RoleVariables } from './check-deploy/start-roles.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..');
const composeFile = path.join(ROOT, 'deploy', 'compose.yaml');
const kubernetes = path.join(ROOT, 'deploy', 'kubernetes');
const systemd = path.join(ROOT, 'deploy', 'systemd');
const { values: options } = parseArgs({ options: { start: { type: 'boolean' } } });
const work = await mkdtemp(path.join(tmpdir(), 'docent-deploy-'));
const say = (text: string) => void process.stdout.write(`${text}\n`);

try {
  const files = (await readdir(kubernetes)).map((name) => path.join(kubernetes, name));
  const given = await writtenSettings();
  const services = path.join(work, 'services.json');
  await show('go', ['run', '.', services, composeFile, ...files], {
    cwd: path.join(ROOT, 'scripts', 'check-deploy'),
    env: { ...process.env, ...given },
  });
  for (const name of await readdir(systemd)) {
    const unit = path.join(work, name);
    const text = await readFile(path.join(systemd, name), 'utf8');
    // It requires the program.
    await writeFile(unit, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    await show('systemd-analyze', ['verify', unit]);
    await show('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit]);
  }
  if (options.start) await startRoles(services, given);
} catch (err) {
  const { stdout = '', stderr = String(err) } = err as { stdout?: string; stderr?: string };
  process.stderr.write(`${stdout}${stderr}\n`);
  process.exitCode = 1;
} finally {
  await rm(work, { recursive: true, force: true });
}

/** What the documented commands write into deploy/.env. */
async function writtenSettings(): Promise<Record<string, string>> {
  const page = await readFile(path.join(ROOT, 'docs', 'operate', 'install.mdx'), 'utf8');
  const [, lines = ''] = /cat > deploy\/\.env <<END\n([\s\S]*?)\nEND/.exec(page) ?? [];
  const { stdout } = await run('sh', ['-c', `cat <<END\n${lines}\nEND`]);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

async function startRoles(servicesFile: string, given: Record<string, string>): Promise<void> {
  const expanded = JSON.parse(await readFile(servicesFile, 'utf8')) as Record<
    string,
    { environment?: Record<string, string> }
  >;
  const { configs } = parse(await readFile(composeFile, 'utf8')) as { configs: Record<string, { content: string }> };
  const scripts = {
    schema: configs['temporal-schema']?.content ?? '',
    namespace: configs['temporal-namespace']?.content ?? '',
  };
  const compose = { api: expanded.api?.environment, worker: expanded.worker?.environment } as RoleVariables;
  const services = await Services.start(work, scripts, say);
  try {
    await services.tryRoles('compose', compose);
    say('The roles of Compose made a pull request.');
    await services.tryRoles('kubernetes', await kubernetesVariables(kubernetes, given));
    say('The roles of Kubernetes made a pull request.');
  } finally {
    await services.stop();
  }
}

async function show(
  program: string,
  words: string[],
  settings: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const { stdout } = await run(program, words, settings);
  const last = program === 'go' ? stdout : (stdout.trim().split('\n').at(-1) ?? '');
  if (last.trim() !== '') say(last.trim());
}
