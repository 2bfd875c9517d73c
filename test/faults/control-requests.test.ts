import { describe, expect } from 'vitest';
import { testWithDocent as test, trapAt, until, type Installation } from '../support/installation.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };

/** A job's pull request, open, as its page's address ends. */
async function openPullRequest(docent: Installation): Promise<string> {
  const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
  const { prLink } = await docent.settled(id);
  return prLink?.split('/').at(-1) ?? '';
}

const change = (docent: Installation, pullRequestId: string, action: 'merge' | 'close') =>
  fetch(`${docent.apiUrl}/pull-requests/${pullRequestId}/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${docent.operatorToken}`, accept: 'application/json' },
  });

const requestsOf = async (docent: Installation, pullRequestId: string) =>
  (
    await docent.database.pool.query(
      `SELECT attempts, result FROM control_requests WHERE kind = 'changePullRequest' AND input->>'pullRequestId' = $1 ORDER BY created_at`,
      [pullRequestId],
    )
  ).rows;

describe('a merge', () => {
  test(
    'whose worker dies as it has claimed it, or has carried it out, is ended by another, and is made once',
    LONG,
    async ({ docent }) => {
      const traps = ['request-claimed', 'request-carried-out'].map((point) => trapAt(docent, point));
      const armed = { DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
      // The process that takes it dies; the other one lives, because the fault strikes once.
      const [, ...workers] = await Promise.all([
        docent.startApi(),
        docent.startWorker(armed),
        docent.startWorker(armed),
      ]);
      await docent.createProject();
      for (const [i, trap] of traps.entries()) {
        const pullRequestId = await openPullRequest(docent);
        trap.arm();
        let answer = await change(docent, pullRequestId, 'merge');
        // The caller may get the answer a moment before.
        await until('the point was reached', () => trap.reached());
        const dead = () => workers.filter(({ child }) => child.signalCode === 'SIGKILL');
        await until('one has died', () => dead().length > i);
        expect(dead()).toHaveLength(i + 1);
        // On a machine that is too busy to do it while the caller waits, the caller asks again.
        while (answer.status === 503) answer = await change(docent, pullRequestId, 'merge');
        expect(answer.status).toBe(200);
        const done = (await requestsOf(docent, pullRequestId)).filter(({ result }) => result !== null);
        expect(done.map(({ result }) => result)).toEqual([{ ok: true, state: 'merged' }]);
        const tip = await docent.git('rev-parse', 'main');
        expect((await change(docent, pullRequestId, 'merge')).status).toBe(200);
        expect(await docent.git('rev-parse', 'main')).toBe(tip);
        if (i === 0) workers.push(await docent.startWorker(armed));
      }
      await docent.git('fsck', '--strict');
    },
  );

  test('whose worker comes back after the caller got a timeout is not carried out', async ({ docent }) => {
    const trap = trapAt(docent, 'stop:request-claimed');
    const [, paused] = await Promise.all([docent.startApi(), docent.startWorker({ DOCENT_TEST_FAULT: trap.spec })]);
    await docent.createProject();
    const pullRequestId = await openPullRequest(docent);
    trap.arm();
    const tip = await docent.git('rev-parse', 'main');
    const answer = await change(docent, pullRequestId, 'merge');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(trap.reached()).toBe(true);
    await paused.resume();
    // What was paused continues at once; this is taken up when the worker has asked for more.
    let closed = await change(docent, pullRequestId, 'close');
    while (closed.status === 503) closed = await change(docent, pullRequestId, 'close');
    expect(closed.status).toBe(200);
    expect(await docent.git('rev-parse', 'main')).toBe(tip);
    const [late, ...later] = await requestsOf(docent, pullRequestId);
    expect(late).toEqual({ attempts: expect.any(Number), result: null });
    expect(later.map(({ result }) => result).filter(Boolean)).toEqual([{ ok: true, state: 'closed' }]);
  });
});
