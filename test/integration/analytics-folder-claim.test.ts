import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { claimFolder, claimFromDead, deleteDeadFolders } from '../../src/analytics/storage/folder-claim.ts';
import type { ClaimOrder } from '../support/claim-process.ts';

const PROCESS = path.join(import.meta.dirname, '..', 'support', 'claim-process.ts');

let root: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'docent-claim-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await rm(root, { recursive: true, force: true });
});

async function start(what: ClaimOrder, folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROCESS, what, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a claim', () => {
  test('holds while its owner lives, even paused, and is free the moment it is killed', async () => {
    const folder = path.join(root, 'writer');
    const owner = await start('claim', folder);
    expect(claimFromDead(folder)).toBeNull();
    owner.kill('SIGSTOP');
    expect(claimFromDead(folder)).toBeNull();
    await kill(owner);
    const claim = claimFromDead(folder);
    expect(claim).not.toBeNull();
    // One at a time, in one process too.
    expect(claimFromDead(folder)).toBeNull();
    claim!.release();
    expect(await readdir(root)).toEqual([]);
    expect(claimFromDead(folder)).toBeNull();
  });

  test('is free immediately after being abandoned', async () => {
    const folder = path.join(root, 'writer');
    claimFolder(folder).abandon();
    const claim = claimFromDead(folder);
    expect(claim).not.toBeNull();
    claim!.release();
  });

  test('is released without damage after another process took it over', async () => {
    const folder = path.join(root, 'writer');
    const paused = claimFolder(folder);
    const successor = claimFolder(folder);
    paused.abandon();
    expect(claimFromDead(folder)).toBeNull();
    successor.release();
  });
});

const open = () => Duck.open({ memoryMb: 64, threads: 1, connections: 1, temporaryFolder: root });

describe('the sorted runs of a rebuild', () => {
  test('goes when its process was killed, with all that is in it; that of a living one stays', async () => {
    const [dead, living] = [await start('runs', root), await start('runs', root)];
    const folders = async () => (await readdir(root)).filter((name) => !name.endsWith('.lock'));
    deleteDeadFolders(root);
    expect(await folders()).toHaveLength(2);
    for (const child of [dead, living]) {
      await kill(child);
      deleteDeadFolders(root);
      expect(await folders()).toHaveLength(child === dead ? 1 : 0);
    }
    expect(await readdir(root)).toEqual([]);
  });
});

describe('the folder of a DuckDB', () => {
  test('exist only while needed, and leave nothing behind', async () => {
    const duck = await open();
    expect((await readdir(root)).filter((name) => !name.endsWith('.lock'))).toEqual([]);
    duck.close();
    expect(await readdir(root)).toEqual([]);
  });

  test('goes when its process was killed; that of a living one stays', async () => {
    const [dead, living] = [await start('duck', root), await start('duck', root)];
    const folders = async () => (await readdir(root)).filter((name) => !name.endsWith('.lock'));
    expect(await folders()).toHaveLength(2);
    await kill(dead);
    const duck = await open();
    expect(await folders()).toHaveLength(1);
    deleteDeadFolders(root);
    expect(await folders()).toHaveLength(1);
    await kill(living);
    deleteDeadFolders(root);
    expect(await folders()).toEqual([]);
    duck.close();
    expect(await readdir(root)).toEqual([]);
  });

  test('goes when it has no owner at all', async () => {
    await mkdir(path.join(root, 'duck-abc'));
    await writeFile(path.join(root, 'duck-abc', 'file'), 'rows');
    deleteDeadFolders(root);
    expect(await readdir(root)).toEqual([]);
  });
});
