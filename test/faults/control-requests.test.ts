import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };

/** A job's pull request, open, as its page's address ends. */
async function openPullRequest(): Promise<string> {
  const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
  const { prLink } = await docent.settled(id);
  return prLink?.split('/').at(-1) ?? '';
}

const change = (pullRequestId: string, action: 'merge' | 'close') =>
  fetch(`${docent.apiUrl}/pull-requests/${pullRequestId}/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${docent.operatorToken}`, accept: 'application/json' },
  });

const requestsOf = async (pullRequestId: string) =>
  (
    await docent.database.pool.query(
      `SELECT attempts, result FROM control_requests WHERE kind = 'changePullRequest' AND input->>'pullRequestId' = $1 ORDER BY created_at`,
      [pullRequestId],
    )
  ).rows;

let docent: Installation;
/** Of the first worker. */
let trap: Trap;
let paused: RoleProcess;
beforeAll(async () => {
  docent = await Installation.create();
  trap = trapAt(docent, 'stop:request-claimed');
  [, paused] = await Promise.all([docent.startApi(), docent.startWorker({ DOCENT_TEST_FAULT: trap.spec })]);
  await docent.createProject();
});
afterAll(() => docent.stop());

describe('a merge', () => {
  test('whose worker comes back after the caller got a timeout is not carried out', async () => {
    const pullRequestId = await openPullRequest();
    trap.arm();
    const tip = await docent.git('rev-parse', 'main');
    const answer = await change(pullRequestId, 'merge');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(trap.reached()).toBe(true);
    await paused.resume();
    // What was paused continues at once; this is taken up when the worker has asked for more.
    let closed = await change(pullRequestId, 'close');
    while (closed.status === 503) closed = await change(pullRequestId, 'close');
    expect(closed.status).toBe(200);
    expect(await docent.git('rev-parse', 'main')).toBe(tip);
    const [late, ...later] = await requestsOf(pullRequestId);
    expect(late).toEqual({ attempts: expect.any(Number), result: null });
    expect(later.map(({ result }) => result).filter(Boolean)).toEqual([{ ok: true, state: 'closed' }]);
    await paused.kill('SIGTERM');
  });

  test(
    'whose worker dies as it has claimed it, or has carried it out, is ended by another, and is made once',
    LONG,
    async () => {
      const traps = ['request-claimed', 'request-carried-out'].map((point) => trapAt(docent, point));
      const armed = { DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
      // The process that takes it dies; the other one lives, because the fault strikes once.
      const workers = await Promise.all([docent.startWorker(armed), docent.startWorker(armed)]);
      for (const [i, trap] of traps.entries()) {
        const pullRequestId = await openPullRequest();
        trap.arm();
        let answer = await change(pullRequestId, 'merge');
        // The caller may get the answer a moment before.
        await until('the point was reached', () => trap.reached());
        const dead = () => workers.filter(({ child }) => child.signalCode === 'SIGKILL');
        await until('one has died', () => dead().length > i);
        expect(dead()).toHaveLength(i + 1);
        // On a machine that is too busy to do it while the caller waits, the caller asks again.
        while (answer.status === 503) answer = await change(pullRequestId, 'merge');
        expect(answer.status).toBe(200);
        const done = (await requestsOf(pullRequestId)).filter(({ result }) => result !== null);
        expect(done.map(({ result }) => result)).toEqual([{ ok: true, state: 'merged' }]);
        const tip = await docent.git('rev-parse', 'main');
        expect((await change(pullRequestId, 'merge')).status).toBe(200);
        expect(await docent.git('rev-parse', 'main')).toBe(tip);
        if (i === 0) workers.push(await docent.startWorker(armed));
      }
      await docent.git('fsck', '--strict');
    },
  );
});
