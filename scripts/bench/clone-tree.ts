import { spawnSync } from 'node:child_process';
import type { BaseTree } from '../../src/git/contract.ts';
import { memoryBaseTree, type MemoryFile } from '../../src/git/memory-base-tree.ts';

/** Larger files are taken as binary: a clone need not even have them. */
const MAX_BYTES = 1_048_576;

/** The commit that a clone is at, in memory. */
export function cloneTree(clone: string): BaseTree {
  const listed = git(clone, ['ls-tree', '-r', '-l', '-z', 'HEAD'], '').toString();
  const entries = [...listed.matchAll(/(\d+) blob (\w+) +(\d+)\t([^\0]+)\0/g)].map(
    ([, mode, id = '', size, path = '']) => ({
      path,
      id,
      isRead: mode !== '120000' && Number(size) <= MAX_BYTES,
    }),
  );
  const read = entries.filter(({ isRead }) => isRead);
  const contents = git(clone, ['cat-file', '--batch'], read.map(({ id }) => `${id}\n`).join(''));
  const files: Record<string, MemoryFile> = {};
  for (const { path } of entries) files[path] = Buffer.from([0]);
  let at = 0;
  for (const { path } of read) {
    const line = contents.indexOf('\n', at);
    const size = / blob (\d+)$/.exec(contents.toString('latin1', at, line))?.[1];
    at = line + 1;
    if (size === undefined) continue;
    files[path] = contents.subarray(at, at + Number(size));
    at += Number(size) + 1;
  }
  return memoryBaseTree(files);
}

function git(clone: string, args: string[], input: string): Buffer {
  const { status, stdout, stderr } = spawnSync('git', ['-C', clone, ...args], { input, maxBuffer: 2 ** 31 - 1 });
  if (status !== 0) throw new Error(`git ${args[0]} failed in ${clone}: ${stderr.toString()}`);
  return stdout;
}
