import { execFileSync } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Native git's own environment in tests: no settings of the machine, and a person's name. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.org',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.org',
  // Without a process after each commit and push that looks for garbage.
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'receive.autogc',
  GIT_CONFIG_VALUE_1: 'false',
};

/** Runs native git in a folder; answers its output without the last line end. Throws when it fails. */
export function git(cwd: string, ...args: string[]): string {
  return gitWithInput(cwd, '', ...args);
}

export function gitWithInput(cwd: string, input: string | Uint8Array, ...args: string[]): string {
  return gitBytes(cwd, input, ...args)
    .toString('utf8')
    .replace(/\n$/, '');
}

export function gitBytes(cwd: string, input: string | Uint8Array, ...args: string[]): Buffer {
  return execFileSync('git', args, { cwd, env: ENVIRONMENT, input, stdio: 'pipe', maxBuffer: 256 * 1024 * 1024 });
}

/** Objects by their ids, read by one process. */
export function gitObjects(cwd: string, ids: readonly string[]): Map<string, { type: string; content: Buffer }> {
  const output = gitBytes(cwd, ids.map((id) => `${id}\n`).join(''), 'cat-file', '--batch');
  const objects = new Map<string, { type: string; content: Buffer }>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [id = '', type = '', size] = output.toString('utf8', at, end).split(' ');
    const content = output.subarray(end + 1, end + 1 + Number(size));
    objects.set(id, { type, content });
    at = end + 1 + content.length + 1;
  }
  return objects;
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-git-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

export type WorkFile = string | Uint8Array | { symlink: string } | { executable: string };

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Record<string, WorkFile>): void {
  for (const [name, file] of Object.entries(files)) {
    const at = path.join(folder, name);
    mkdirSync(path.dirname(at), { recursive: true });
    rmSync(at, { force: true });
    if (typeof file === 'string' || file instanceof Uint8Array) writeFileSync(at, file);
    else if ('symlink' in file) symlinkSync(file.symlink, at);
    else writeFileSync(at, file.executable, { mode: 0o755 });
  }
}

/** A work tree with one commit on `main`; answers the commit's id. */
export function makeWorkTree(folder: string, files: Record<string, WorkFile>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  return commitFiles(folder, files, 'First pages');
}

/** Writes files and commits all of the work tree; answers the commit's id. */
export function commitFiles(folder: string, files: Record<string, WorkFile>, message = 'More'): string {
  writeFiles(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return headOf(folder);
}

/** The commit of HEAD: a process of git is asked only where the commit is in no file of its own. */
function headOf(folder: string): string {
  const read = (name: string) => readFileSync(path.join(folder, '.git', name), 'utf8').trim();
  try {
    const head = read('HEAD');
    return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
  } catch (err) {
    // Its branch is in `packed-refs`.
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return git(folder, 'rev-parse', 'HEAD');
    throw err;
  }
}

/** A bare clone of a work tree. */
export function makeBare(workTree: string, bare: string): string {
  git('/', 'clone', '-q', '--bare', workTree, bare);
  return bare;
}

/** Repositories that this process has made, by their files. */
const made = new Map<string, string>();

/**
 * A bare repository with one commit on `main` that holds these files, to be copied. Git takes 60 ms of
 * processor time for one, and a copy 2 ms.
 * @returns its folder, which is deleted when the process ends
 */
export function madeRepository(files: Record<string, WorkFile>): string {
  const key = hash('sha256', JSON.stringify(files));
  const known = made.get(key);
  if (known !== undefined) return known;
  const folder = temporaryFolder();
  process.once('exit', folder.remove);
  makeWorkTree(path.join(folder.path, 'work'), files);
  const bare = makeBare(path.join(folder.path, 'work'), path.join(folder.path, 'docs.git'));
  made.set(key, bare);
  return bare;
}

/** Pages with some likeness among each other, so that git finds deltas. */
export function manyPages(count: number, lines = 40): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `docs/s${i % 7}/page-${i}.mdx`,
      `---\ntitle: Page ${i}\n---\n\n${Array.from({ length: lines }, (__, n) => `Line ${n} of ${(n * (i % 5)) % 17}, said in page ${n % 9 === 0 ? i : 'any'}.`).join('\n')}\n`,
    ]),
  );
}

/** Bytes that do not compress, the same in each run. */
export function noise(length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let i = 0; blocks.length * 32 < length; i++) blocks.push(createHash('sha256').update(`${i}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
