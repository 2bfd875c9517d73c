/**
 * `npm run try-image`: builds the image of the Containerfile without a registry of images, from a Debian that
 * mmdebstrap makes and the Node that runs this, and checks the result: user, health check, labels, bill of
 * materials, sizes, and that its user cannot change its files. Then it runs `docent start` in it as operators
 * do, with a root that is read-only, as far as the kernel allows it; otherwise it reports that without
 * failing. Requires root, and Debian's packages buildah, mmdebstrap, podman and runc.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { imageFacts, isReadOnlyFor, type ImageFacts } from '../package/image-facts.ts';
import { run } from '../package/installed.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const BASE = 'localhost/docent-base:try';
const IMAGE = 'localhost/docent:try';
const USER = 10001;
/** Temporal's program comes from this machine: in the image, it would be downloaded. */
const START_MS = 120_000;
const { values: options } = parseArgs({
  options: {
    root: { type: 'string' },
    keep: { type: 'boolean' },
    'no-build': { type: 'boolean' },
    temporal: { type: 'string' },
  },
});
const say = (text: string) => void process.stdout.write(`${text}\n`);
const work = await mkdtemp(path.join(tmpdir(), 'docent-try-image-'));

try {
  if (!options['no-build']) await build();
  const facts = await imageFacts(IMAGE);
  say(
    `Image: ${facts.megabytes} MB, of which Docent ${facts.docentMegabytes}, ${facts.components} packages in its bill of materials`,
  );
  const wrong = facts.wrong.concat(await isReadOnlyFor(IMAGE, USER));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  say(`Version: ${(await inImage('--version')).trim()}`);
  await tryStart(facts);
} catch (err) {
  process.stderr.write(`The image does not work: ${(err as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await rm(work, { recursive: true, force: true });
  if (!options.keep) await run('buildah', ['rmi', IMAGE, BASE]).catch(() => {});
}

async function build(): Promise<void> {
  await makeBase(options.root ?? (await debian()));
  const began = performance.now();
  // In a chroot: namespaces need more of the kernel than a build does.
  const how = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--build-arg', `BASE=${BASE}`];
  await run('buildah', ['build', ...how, '--tag', IMAGE, ROOT]);
  say(`Built in ${Math.round((performance.now() - began) / 1_000)} s.`);
}

async function debian(): Promise<string> {
  const tarball = path.join(work, 'debian.tar');
  await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,git', 'bookworm', tarball]);
  return tarball;
}

/** Debian with Node if the official image of Node has it, and this machine's certificates and registry. */
async function makeBase(tarball: string): Promise<void> {
  const npm = path.join((await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])).trim(), '..', '..');
  const cafile = process.env.NODE_EXTRA_CA_CERTS;
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
  const container = (await run('buildah', ['from', 'scratch'])).trim();
  try {
    await run('buildah', ['add', '--quiet', container, tarball, '/']);
    await run('buildah', ['copy', '--quiet', container, process.execPath, '/usr/local/bin/node']);
    await run('buildah', ['copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm']);
    const npmrc = path.join(work, 'npmrc');
    const certificates = '/etc/ssl/certs/ca-certificates.crt';
    await writeFile(npmrc, `registry=${registry}\n${cafile === undefined ? '' : `cafile=${certificates}\n`}`);
    await run('buildah', ['copy', '--quiet', container, npmrc, '/usr/local/etc/npmrc']);
    if (cafile !== undefined) await run('buildah', ['copy', '--quiet', container, cafile, certificates]);
    const link = 'ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod 755 /usr/local/bin/node';
    await run('buildah', ['run', '--isolation', 'chroot', container, 'sh', '-c', link]);
    await run('buildah', ['commit', '--quiet', container, BASE]);
  } finally {
    await run('buildah', ['rm', container]);
  }
}

/**
 * As an operator runs it, but for the network, which is this machine's, and for what a machine without
 * systemd and with cgroups of both versions wants: runc, and limits that this process may set.
 */
async function podman(name: string, ...words: string[]): Promise<string> {
  const files = (await run('bash', ['-c', 'ulimit -Hn'])).trim().replace('unlimited', '65536');
  const flags = ['--network', 'host', '--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp', '--cap-drop', 'ALL'];
  const here = ['--no-healthcheck', '--ulimit', `nofile=${files}:${files}`, '--ulimit', 'nproc=4096:4096'];
  const runtime = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
  return run('podman', [
    ...runtime,
    'run',
    '--name',
    name,
    '--security-opt',
    'no-new-privileges',
    ...flags,
    ...here,
    ...words,
  ]);
}

async function inImage(...words: string[]): Promise<string> {
  try {
    return await podman('docent-try-version', '--rm', IMAGE, ...words);
  } catch (err) {
    say(`podman cannot run it here: ${(err as Error).message.trim().split('\n').at(-1)}`);
    const container = (await run('buildah', ['from', IMAGE])).trim();
    try {
      return await run('buildah', [
        'run',
        '--isolation',
        'chroot',
        container,
        'node',
        '/opt/docent/bin/docent.js',
        ...words,
      ]);
    } finally {
      await run('buildah', ['rm', container]);
    }
  }
}

async function tryStart(facts: ImageFacts): Promise<void> {
  if (options.temporal === undefined)
    return say('Not started: --temporal FOLDER names a folder with `temporal` for it.');
  const name = 'docent-try-start';
  const home = path.join(work, 'home');
  await mkdir(home);
  await run('chown', [`${USER}:${USER}`, home]);
  const mounts = [
    '--volume',
    `${home}:/var/lib/docent`,
    '--volume',
    `${path.resolve(options.temporal)}:/opt/temporal:ro`,
  ];
  const settings = ['--env', 'DOCENT_PORT=4017', '--env', 'PATH=/opt/temporal:/usr/local/bin:/usr/bin:/bin'];
  try {
    await podman(name, '--detach', ...mounts, ...settings, IMAGE);
  } catch (err) {
    await run('podman', ['rm', '--force', name]).catch(() => {});
    return say(`podman cannot start it here: ${(err as Error).message.trim().split('\n').at(-1)}`);
  }
  try {
    const began = performance.now();
    while (!existsSync(path.join(home, 'run.json'))) {
      if (performance.now() - began > START_MS) throw new Error(`not ready:\n${await run('podman', ['logs', name])}`);
      await sleep(500);
    }
    await run('podman', ['exec', name, ...facts.healthCheck]);
    const job = await run('podman', [
      'exec',
      name,
      'docent',
      'job',
      'run',
      'Add a page titled "Image" at guides/image with the text "From an image."',
      '--json',
    ]);
    const { status, prLink } = JSON.parse(job) as { status: string; prLink: string };
    if (status !== 'completed' || !(await fetch(prLink)).ok) throw new Error(`the job is ${status}`);
    say(`Started as ${USER} on a root that is read-only; a job made a pull request: ${prLink}`);
  } finally {
    await run('podman', ['stop', '--time', '60', name]);
    await run('podman', ['rm', '--force', name]);
  }
}
