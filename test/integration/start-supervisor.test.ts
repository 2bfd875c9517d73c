import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { redact, createLogger, type Logger } from '../../src/platform/log.ts';
import { startChild } from '@docent/servers/processes/child';
import { identityOf } from '@docent/servers/processes/identity';
import { Reaper } from '@docent/servers/processes/reaper';
import { GivenUpParts } from '@docent/servers/given-up-parts';
import { Supervisor, type Part, type RunningPart } from '@docent/servers/supervisor';
import { Refused } from '@docent/base/refused';
import { until } from '../support/patience.ts';

let folder: string;
let reaper: Reaper;
let supervisor: Supervisor;
let givenUp: GivenUpParts;
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
  givenUp = new GivenUpParts();
  supervisor = new Supervisor({
    log,
    redact,
    givenUp,
    firstPauseMs: 10,
    maxPauseMs: 40,
    maxFailures: 4,
    steadyMs: 10_000,
  });
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

test('a killed part is restarted, with a log line', async () => {
  await supervisor.keep(part('worker', STAYS));
  const first = supervisor.pidOf('worker') as number;
  process.kill(first, 'SIGKILL');
  await until('the worker runs again', () => lines.includes('worker is running again.'));
  expect(supervisor.pidOf('worker')).not.toBe(first);
  expect(lines[0]).toContain('worker: it exited with signal SIGKILL. Restarting');
});

/** Ready at its first start; later starts go by what is in the file `cause`: an exit code, or nothing. */
const FAILS_WITH_CAUSE = `
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const file = (name) => process.env.FOLDER + '/' + name;
    if (existsSync(file('cause'))) process.exit(Number(readFileSync(file('cause'), 'utf8')));
    ${STAYS}`;

test('only a part that keeps failing is suspended, with the reason, and it recovers when the cause is gone', async () => {
  supervisor = new Supervisor({
    redact,
    log,
    givenUp,
    firstPauseMs: 5,
    maxPauseMs: 10,
    maxFailures: 3,
    givenUpPauseMs: 100,
    steadyMs: 300,
  });
  await supervisor.keep(part('api', STAYS));
  await supervisor.keep(part('worker', FAILS_WITH_CAUSE));
  const api = supervisor.pidOf('api') as number;
  writeFileSync(path.join(folder, 'cause'), '3');
  process.kill(supervisor.pidOf('worker') as number, 'SIGKILL');
  await until('the part is given up', () => givenUp.all.length > 0);
  expect(givenUp.all).toEqual([{ name: 'worker', reason: 'it did not start (it ended with 3 before it was ready)' }]);
  expect(lines.at(-1)).toBe(
    'worker is down after 3 failures in a row: it did not start (it ended with 3 before it was ready). The other parts keep running. ' +
      'Fix the cause. Docent retries worker every 0.1 s; you do not need to restart anything.',
  );
  await until('a retry is announced', () => lines.some((line) => line.includes('Next retry in 0.1 s.')));
  expect(await identityOf(api), 'the others go on').not.toBeNull();
  expect(supervisor.pidOf('api')).toBe(api);

  rmSync(path.join(folder, 'cause'));
  await until('the worker has a process', () => supervisor.pidOf('worker') !== undefined);
  expect(givenUp.all, 'one start is no recovery').toHaveLength(1);
  await until('no part is given up', () => givenUp.all.length === 0);
  expect(lines.at(-1)).toBe('worker is running again and stable.');

  // From then on, it has all of its tries again.
  process.kill(supervisor.pidOf('worker') as number, 'SIGKILL');
  await until('the worker runs again', () => lines.at(-1) === 'worker is running again.');
  expect(givenUp.all).toEqual([]);
});

test('a part that refuses to start for a lasting reason is suspended immediately', async () => {
  const refusing: Part = {
    ...part('api', STAYS),
    start: () => Promise.reject(new Refused('The database belongs to a newer version.')),
  };
  const first = part('api', STAYS);
  let starts = 0;
  await supervisor.keep({ name: 'api', start: (signal) => ((starts += 1) === 1 ? first : refusing).start(signal) });
  process.kill(supervisor.pidOf('api') as number, 'SIGKILL');
  await until('the part is given up', () => givenUp.all.length > 0);
  expect(starts).toBe(2);
  expect(lines.at(-1)).toContain('api is down: it did not start (The database belongs to a newer version.).');
});

const cannotLook = () => Promise.reject(new Error('no such folder'));

test('if the state of the disk is unknown, parts are restarted anyway', async () => {
  supervisor = new Supervisor({ log, redact, givenUp, firstPauseMs: 5, maxPauseMs: 20, obstacle: cannotLook });
  await supervisor.keep(part('worker', STAYS));
  process.kill(supervisor.pidOf('worker') as number, 'SIGKILL');
  await until('the worker runs again', () => lines.includes('worker is running again.'));
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

test('stopping in the pause before a restart leaves nothing behind', async () => {
  await supervisor.keep(part('worker', STAYS));
  process.kill(supervisor.pidOf('worker') as number, 'SIGKILL');
  while (lines.length === 0) await sleep(1);
  await supervisor.stop();
  expect(supervisor.pidOf('worker')).toBeUndefined();
});

test('stopping during a restart leaves nothing behind', async () => {
  const worker = part('worker', STAYS);
  const restarted = Promise.withResolvers<RunningPart>();
  const isStopping = Promise.withResolvers<void>();
  let starts = 0;
  const slow = async (signal: AbortSignal) => {
    const running = await worker.start(signal);
    if (starts++ === 0) return running;
    restarted.resolve(running);
    await isStopping.promise;
    return running;
  };
  await supervisor.keep({ name: 'worker', start: slow });
  process.kill(supervisor.pidOf('worker') as number, 'SIGKILL');
  const { exited } = await restarted.promise;
  const stopped = supervisor.stop();
  isStopping.resolve();
  await stopped;
  await exited;
  expect(supervisor.pidOf('worker')).toBeUndefined();
});

test('while the disk is full, a part that dies again and again is not given up', async () => {
  let full = true;
  const obstacle = async () => (full ? 'The disk is full: make room.' : null);
  const options = { firstPauseMs: 5, maxPauseMs: 20, maxFailures: 3, steadyMs: 10_000 };
  supervisor = new Supervisor({ log, redact, givenUp, ...options, obstacle });
  await supervisor.keep(part('short', `console.log('ready'); setTimeout(() => process.exit(7), 20);`));
  const told = () => lines.filter((line) => line.includes('The disk is full: make room. Restarting')).length;
  while (told() < 5) await sleep(20);
  expect(givenUp.all).toEqual([]);
  full = false;
  await until('the part is given up', () => givenUp.all.length > 0);
  expect(lines.some((line) => line.startsWith('short: it exited with exit code 7. Restarting'))).toBe(true);
});

test('what a child sends is not lost, though it ends before it is watched', async () => {
  const watch = reaper.watch.bind(reaper);
  reaper.watch = async (...args) => {
    await sleep(1_000);
    return watch(...args);
  };
  const sent: unknown[] = [];
  const child = await startChild({
    name: 'quick',
    command: process.execPath,
    args: ['-e', "process.send('first'); process.send('last', () => process.disconnect())"],
    env: {},
    stopGraceMs: 300,
    reaper,
    onMessage: (message) => sent.push(message),
  });
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(sent).toEqual(['first', 'last']);
});
