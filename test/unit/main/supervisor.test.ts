import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger, type Logger } from '../../../src/platform/log.ts';
import { startChild } from '../../../src/platform/processes/child.ts';
import { identityOf } from '../../../src/platform/processes/identity.ts';
import { Reaper } from '../../../src/platform/processes/reaper.ts';
import { PartGivenUp, Supervisor, type Part } from '../../../src/main/start/supervisor.ts';

let folder: string;
let reaper: Reaper;
let supervisor: Supervisor;
let lines: string[];
let log: Logger;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-supervisor-'));
  reaper = new Reaper();
  lines = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push((JSON.parse(chunk.toString()) as { msg: string }).msg);
      done();
    },
  });
  log = createLogger({ level: 'info', name: 'docent' }, sink);
  supervisor = new Supervisor({ log, firstPauseMs: 10, maxPauseMs: 40, maxFailures: 4, steadyMs: 10_000 });
});

afterEach(async () => {
  await supervisor.stop();
  await reaper.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A part that runs a few lines of JavaScript and is ready when they print `ready`. */
function part(name: string, script: string): Part {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, script);
  return {
    name,
    async start() {
      const ready = Promise.withResolvers<void>();
      const child = await startChild({
        name,
        command: process.execPath,
        args: [file],
        env: { FOLDER: folder },
        stopGraceMs: 300,
        reaper,
        onLine: (line) => line === 'ready' && ready.resolve(),
      });
      const died = child.exited.then(({ code }) => {
        throw new Error(`it ended with ${code} before it was ready`);
      });
      died.catch(() => {});
      await Promise.race([ready.promise, died]);
      return child;
    },
  };
}

const STAYS = `console.log('ready'); setInterval(() => {}, 1000);`;

/** Says its name when it has stopped, a little later. */
const tardy = (name: string) => `
    import { appendFileSync } from 'node:fs';
    process.on('SIGTERM', () => setTimeout(() => {
      appendFileSync(process.env.FOLDER + '/order', '${name} ');
      process.exit(0);
    }, 50));
    ${STAYS}`;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 5_000; waited += 10) {
    if (await condition()) return;
    await sleep(10);
  }
  throw new Error('it never came true');
}

test('a part that is killed is started again, and the log says so', async () => {
  await supervisor.keep(part('worker', STAYS));
  const first = supervisor.pidOf('worker') as number;
  process.kill(first, 'SIGKILL');
  await until(() => lines.includes('worker runs again.'));
  expect(supervisor.pidOf('worker')).not.toBe(first);
  expect(lines[0]).toContain('worker: it ended with signal SIGKILL. Starting it again');
});

test('a part that keeps dying is given up with one error that names it', async () => {
  await supervisor.keep(part('worker', `console.log('ready'); setTimeout(() => process.exit(7), 20);`));
  const err = await supervisor.givenUp;
  expect(err).toBeInstanceOf(PartGivenUp);
  expect(err.message).toBe(
    'worker failed 4 times in a row, and Docent gives up. The last time: it ended with exit code 7',
  );
});

test('a part that cannot start again is given up too', async () => {
  const script = `
    import { existsSync, writeFileSync } from 'node:fs';
    const marker = process.env.FOLDER + '/once';
    if (existsSync(marker)) process.exit(3);
    writeFileSync(marker, '');
    ${STAYS}`;
  await supervisor.keep(part('api', script));
  process.kill(supervisor.pidOf('api') as number, 'SIGKILL');
  expect((await supervisor.givenUp).message).toContain('it did not start (it ended with 3 before it was ready)');
});

test('a part whose very first start fails is not tried again', async () => {
  await expect(supervisor.keep(part('api', 'process.exit(3)'))).rejects.toThrow('ended with 3');
  await sleep(100);
  expect(lines).toEqual([]);
});

test('parts are stopped in the reverse order, each one only when the one after it has ended', async () => {
  for (const name of ['postgres', 'temporal', 'worker']) await supervisor.keep(part(name, tardy(name)));
  await supervisor.stop();
  expect(readFileSync(path.join(folder, 'order'), 'utf8')).toBe('worker temporal postgres ');
  expect(lines).toEqual([]);
});

test('a part that ignores the request to stop is killed after its grace', async () => {
  await supervisor.keep(part('worker', `process.on('SIGTERM', () => {}); ${STAYS}`));
  const pid = supervisor.pidOf('worker') as number;
  await supervisor.stop();
  expect(await identityOf(pid)).toBeNull();
});

test('stopping while a part is being started again leaves nothing behind', async () => {
  await supervisor.keep(part('worker', STAYS));
  const first = supervisor.pidOf('worker') as number;
  process.kill(first, 'SIGKILL');
  await until(() => lines.length > 0);
  await supervisor.stop();
  expect(supervisor.pidOf('worker')).toBeUndefined();
});

test('while the disk is full, a part that dies again and again is not given up', async () => {
  let full = true;
  const obstacle = async () => (full ? 'The disk is full: make room.' : null);
  supervisor = new Supervisor({ log, firstPauseMs: 5, maxPauseMs: 20, maxFailures: 3, steadyMs: 10_000, obstacle });
  await supervisor.keep(part('short', `console.log('ready'); setTimeout(() => process.exit(7), 20);`));
  const told = () => lines.filter((line) => line.includes('The disk is full: make room. Starting it again')).length;
  while (told() < 5) await sleep(20);
  full = false;
  expect(await supervisor.givenUp).toBeInstanceOf(PartGivenUp);
  expect(lines.some((line) => line.startsWith('short: it ended with exit code 7. Starting it again'))).toBe(true);
});
