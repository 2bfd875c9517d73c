import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { identityOf } from '@docent/servers/processes/identity';
import { endLeftovers, Reaper } from '@docent/servers/processes/reaper';
import { endAll } from '@docent/servers/processes/reaping';
import { until } from '../support/patience.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = mountSmallDisk('1m');
afterAll(() => disk?.remove());

const sources = path.resolve(import.meta.dirname, '../../packages/servers/src/processes');
let folder: string;
let started: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-reaper-'));
  started = [];
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const untilDead = (pid: number) => until(`process ${pid} is gone`, async () => (await identityOf(pid)) === null);

const urlOf = (name: string) => JSON.stringify(pathToFileURL(path.join(sources, name)).href);

/**
 * A supervisor with one child that ignores SIGTERM. Resolves with the process ids of both and of the reaper.
 */
async function startFamily(): Promise<{ supervisor: number; child: number; reaper: number }> {
  const script = path.join(folder, 'supervisor.ts');
  writeFileSync(
    script,
    `import { startChild } from ${urlOf('child.ts')};
     import { Reaper } from ${urlOf('reaper.ts')};
     const reaper = new Reaper({ recordFile: ${JSON.stringify(path.join(folder, 'processes.json'))} });
     reaper.deleteAfterDeath(${JSON.stringify(path.join(folder, 'temporary'))});
     const script = "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
     const child = await startChild({
       name: 'stubborn', command: process.execPath, args: ['-e', script], env: {}, stopGraceMs: 100, reaper,
       onLine: () => console.log(JSON.stringify({ child: child.pid })),
     });
     setInterval(() => {}, 1000);`,
  );
  mkdirSync(path.join(folder, 'temporary'));
  const supervisor = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(supervisor);
  const [line] = (await once(createInterface({ input: supervisor.stdout }), 'line')) as [string];
  const { child } = JSON.parse(line) as { child: number };
  const pid = supervisor.pid as number;
  return { supervisor: pid, child, reaper: await reaperOf(pid) };
}

async function reaperOf(parent: number): Promise<number> {
  const ps = spawn('ps', ['-eo', 'pid=,ppid=,args=']);
  let output = '';
  ps.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(ps, 'close');
  const row = output.split('\n').map((line) => line.trim().split(/\s+/));
  const found = row.find(([, ppid, ...args]) => ppid === String(parent) && args.join(' ').includes('reaper-process'));
  return Number(found?.[0]);
}

test('a supervisor killed with SIGKILL leaves no child and no temporary folder', async () => {
  const family = await startFamily();
  process.kill(family.supervisor, 'SIGKILL');
  await untilDead(family.child);
  await untilDead(family.reaper);
  expect(existsSync(path.join(folder, 'temporary'))).toBe(false);
});

test('even if the reaper was killed too, the next start ends leftovers', async () => {
  const family = await startFamily();
  process.kill(family.reaper, 'SIGKILL');
  process.kill(family.supervisor, 'SIGKILL');
  await untilDead(family.supervisor);
  expect(await identityOf(family.child)).not.toBeNull();
  const record = path.join(folder, 'processes.json');
  expect(await endLeftovers(record)).toEqual(['stubborn']);
  expect(await identityOf(family.child)).toBeNull();
  expect(await endLeftovers(record)).toEqual([]);
});

test('a program that was given the number of an ended process is left alone', async () => {
  const bystander = spawn('sleep', ['30']);
  started.push(bystander);
  const ward = { pid: bystander.pid as number, name: 'postgres', signal: 'SIGTERM' as const, graceMs: 100 };
  expect(await endAll([{ ...ward, identity: 'of another boot' }])).toEqual([]);
  expect(await identityOf(ward.pid)).not.toBeNull();
});

test('a record that is cut short does not stop the next start', async () => {
  const record = path.join(folder, 'processes.json');
  writeFileSync(record, '[{"pid": 12');
  expect(await endLeftovers(record)).toEqual([]);
});

test.skipIf(!disk)(
  'on a full disk, the record of processes is reported as missing, and written once there is room',
  async () => {
    const recordFile = path.join(disk!.folder, 'processes.json');
    const problems: unknown[] = [];
    const reaper = new Reaper({ recordFile, onProblem: (err) => problems.push(err) });
    try {
      disk!.fillUp();
      const child = spawn('sleep', ['30']);
      started.push(child);
      const ward = { pid: child.pid as number, name: 'postgres', signal: 'SIGTERM' as const, graceMs: 100 };
      await reaper.watch(ward);
      reaper.forget(ward.pid);
      await reaper.watch(ward);
      expect(problems).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
      disk!.makeRoom();
      const recorded = () => existsSync(recordFile) && readFileSync(recordFile, 'utf8');
      await until('there is a record', () => Boolean(recorded()));
      expect(JSON.parse(recorded() || '[]')).toMatchObject([{ pid: ward.pid }]);
    } finally {
      await reaper.close();
    }
  },
);

test('the record in a copied home ends nothing: its processes belong to the original', async () => {
  const family = await startFamily();
  const copy = mkdtempSync(path.join(tmpdir(), 'docent-reaper-copy-'));
  cpSync(path.join(folder, 'processes.json'), path.join(copy, 'processes.json'));
  expect(await endLeftovers(path.join(copy, 'processes.json'))).toEqual([]);
  expect(await identityOf(family.child)).not.toBeNull();
  // One that was moved is still the same home.
  const moved = `${copy}-moved`;
  process.kill(family.reaper, 'SIGKILL');
  process.kill(family.supervisor, 'SIGKILL');
  await untilDead(family.supervisor);
  renameSync(folder, moved);
  try {
    expect(await endLeftovers(path.join(moved, 'processes.json'))).toEqual(['stubborn']);
  } finally {
    rmSync(copy, { recursive: true });
    renameSync(moved, folder);
  }
});

test.each([
  ['null', 'null'],
  [
    'a number of no process, whose identity is that of none',
    '[{"pid":0,"identity":null,"name":"x","signal":"SIGTERM"}]',
  ],
  ['the number of all processes', '[{"pid":-1,"identity":null,"name":"x","signal":"SIGTERM","graceMs":1}]'],
  ['something else', '{"pid":1}'],
])('a list of processes that says %s ends none', async (_what, list) => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  try {
    writeFileSync(path.join(folder, 'processes.json'), list);
    expect(await endLeftovers(path.join(folder, 'processes.json'))).toEqual([]);
    expect(kill).not.toHaveBeenCalled();
  } finally {
    kill.mockRestore();
  }
});
