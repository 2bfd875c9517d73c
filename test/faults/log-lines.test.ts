import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Reaper } from '@docent/servers/processes/reaper';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { ownTemporal } from '../support/own-temporal.ts';
import { spawnRole } from '../support/role-process.ts';

/** As an operator's collector reads it. */
function linesOf(output: string): { level: number; role: string; msg: string }[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as { level: number; role: string; msg: string };
      } catch (err) {
        throw new Error(`This line is no JSON: ${JSON.stringify(line)}`, { cause: err });
      }
    });
}

const module = (text: string) => `--import=data:text/javascript,${encodeURIComponent(text)}`;
/** On a signal, when the role runs: the duration of a start is not guaranteed. */
const WARNS = module(
  `process.on('SIGCONT', () => process.emitWarning('on its way out', 'DeprecationWarning', 'DEP0000'))`,
);
const THROWS = module(`process.on('SIGCONT', () => setImmediate(() => { throw new Error('nobody catches this') }))`);

test('every line of a role is JSON: through lost connections, warnings of Node, and uncaught faults', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-log-lines-'));
  const reaper = new Reaper();
  const temporal = await ownTemporal(folder, 'temporal', reaper);
  let running = await temporal.start();
  const docent = await Installation.create({ env: { TEMPORAL_ADDRESS: temporal.address, NODE_OPTIONS: WARNS } });
  try {
    const [api, worker] = await Promise.all([docent.startApi(), docent.startWorker()]);
    for (const { child } of [api, worker]) child.kill('SIGCONT');
    await docent.createProject();
    const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
    await docent.settled(id);
    await docent.database.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
    // The native part of the SDK complains about its polls.
    await until('the worker has said that Temporal is away', () =>
      linesOf(worker.output()).some(({ msg }) => /poll|connect|transport|retry/i.test(msg)),
    );
    running = await temporal.start();
    await docent.say(id, 'Append a section "Last" with text "The end." to the page guides/start');
    await docent.settled(id);
    await Promise.all([worker.kill('SIGTERM'), api.kill('SIGTERM')]);
    for (const [role, { output }] of [
      ['api', api],
      ['worker', worker],
    ] as const) {
      const lines = linesOf(output());
      expect(new Set(lines.map((line) => [line.role, typeof line.level].join()))).toEqual(new Set([`${role},number`]));
      expect(lines.filter(({ msg }) => msg === 'Node.js warning')).toHaveLength(1);
    }

    const doomed = docent.spawn('api', { NODE_OPTIONS: THROWS, DOCENT_PORT: '0' });
    await until('it answers', () => doomed.output().includes('"answering"'));
    doomed.child.kill('SIGCONT');
    expect(await doomed.ended).toBe(1);
    expect(linesOf(doomed.output()).map(({ msg }) => msg)).toContain('uncaught error');
    const misled = spawnRole('worker', { DOCENT_PORT: 'x', HOME: folder });
    expect(await misled.ended).toBe(2);
    expect(linesOf(misled.output())).toMatchObject([{ level: 60, msg: expect.stringContaining('DOCENT_PORT') }]);
  } finally {
    await docent.stop();
    await reaper.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}, 600_000);
