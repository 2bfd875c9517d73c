import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@docent/base/thrown';

/** The most bytes of `packed-refs`: about 15,000 refs. Reading more costs as much as asking git. */
const MAX_PACKED = 1_048_576;

/**
 * The commit of a branch, from git's files (gitrepository-layout), without a process. Null if no line of them
 * has it, for any reason: then ask git.
 * @param repository the main work tree's root, or the folder of a bare repository
 */
export async function branchInFiles(repository: string, branch: string): Promise<string | null> {
  if (branch.includes('\0') || branch.split('/').some((part) => part === '' || part.startsWith('.'))) return null;
  try {
    const folder = await gitFolder(repository);
    // In this order: git packs a branch before it deletes its file.
    return (await looseBranch(folder, branch)) ?? (await packedBranch(folder, branch));
  } catch {
    // Another format of refs, gone, or not for us to read.
    return null;
  }
}

/** @throws if there is a file, but not with an ordinary branch: for example a symbolic one */
async function looseBranch(folder: string, branch: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, 'refs', 'heads', branch), 'latin1');
    const commit = /^([0-9a-f]{40})\n?$/.exec(text)?.[1];
    if (commit === undefined) throw new Error('The branch is not a plain one.');
    return commit;
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return null;
    throw err;
  }
}

async function packedBranch(folder: string, branch: string): Promise<string | null> {
  const file = join(folder, 'packed-refs');
  if ((await stat(file)).size > MAX_PACKED) return null;
  const name = Buffer.from(` refs/heads/${branch}`).toString('latin1');
  const line = (await readFile(file, 'latin1')).split('\n').find((given) => given.slice(40) === name);
  return line === undefined ? null : (/^[0-9a-f]{40}/.exec(line)?.[0] ?? null);
}

/** As git finds it: a work tree's before the folder itself. */
async function gitFolder(repository: string): Promise<string> {
  const inside = join(repository, '.git');
  const isThere = await stat(inside).then(
    () => true,
    () => false,
  );
  return isThere ? inside : repository;
}
