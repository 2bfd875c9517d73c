import { expect } from 'vitest';
import { ALIVE_SECONDS } from '../../src/store/installation/processes.ts';
import { nextBuild, THIS_BUILD, buildOf, newestTag, type Build } from '../support/builds.ts';
import { testWithDocent as test } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { answersOf, ask, counted, fill, lostOf, post, settled, type Seen } from '../support/seen-by-clients.ts';

/**
 * The newest release that git's history has, to this build; and always this one to one whose schema has moved
 * on.
 */
const BASELINE = process.env.DOCENT_TEST_BASELINE ?? newestTag();
const released = BASELINE === null ? null : buildOf(BASELINE);
const CASES: { older: Build; newer: Build; takesAway: boolean }[] = [
  { older: THIS_BUILD, newer: nextBuild(), takesAway: true },
  ...(released ? [{ older: released, newer: THIS_BUILD, takesAway: false }] : []),
];

test.for(CASES)(
  'from $older.name to $newer.name, nothing that clients saw is lost, and what was at work goes on',
  { timeout: 600_000 },
  async ({ older, newer, takesAway }, { docent }) => {
    const seen: Seen = { url: docent.apiUrl, operatorToken: docent.operatorToken, projectId: docent.projectId };
    const start = (build: Build) =>
      Promise.all([docent.startApi(build.env, build.cli), docent.startWorker(build.env, build.cli)]);
    const end = async (roles: Awaited<ReturnType<typeof start>>) => {
      for (const role of roles) {
        role.child.kill('SIGTERM');
        expect(await role.ended).toBe(0);
      }
    };
    const old = await start(older);
    await docent.createProject();
    const made = await fill(seen);
    const before = await answersOf(seen, made);
    const [api, worker] = old;
    // One job is in the middle of its turn, another has not begun: its worker is gone.
    const atWork = await post(seen, 'Append a section "Open" with text "x." to the page guides/start');
    await worker.kill('SIGKILL');
    const waiting = await post(seen, 'Append a section "Waiting" with text "x." to the page guides/start');
    await ask(seen, `/v2/agent/${seen.projectId}/job/${waiting}/message`, {
      body: { prompt: 'Append a section "Waiting too" with text "y." to the page guides/start' },
    });
    await api.kill('SIGKILL');

    const roles = await start(newer);
    await counted(seen, made.events);
    expect(lostOf(before, await answersOf(seen, made))).toEqual([]);
    for (const id of [atWork, waiting]) expect(await settled(seen, id)).toBe('completed');
    const sections = async (id: string, page: string) =>
      (await docent.git('show', `docent/${id}:guides/${page}.mdx`)).match(/^## .*$/gm);
    expect(await sections(atWork, 'start')).toEqual(['## Open']);
    expect(await sections(waiting, 'start')).toEqual(['## Waiting', '## Waiting too']);
    await ask(seen, `/v2/agent/${seen.projectId}/job/${made.jobs.published}/message`, {
      body: { prompt: 'Append a section "Later" with text "z." to the page guides/log' },
    });
    expect(await settled(seen, made.jobs.published)).toBe('completed');
    expect(await sections(made.jobs.published, 'log')).toEqual(['## One', '## Later']);

    if (!takesAway) return;
    // The next start removes something that the older one needs: a downgrade is refused with a sentence and
    // changes nothing.
    const after = await answersOf(seen, made);
    await end(roles);
    // Killed processes count as live until their lease ends.
    const living = `SELECT 1 FROM processes WHERE seen_at > now() - make_interval(secs => ${ALIVE_SECONDS})`;
    await until(
      'the older ones are held for dead',
      async () => (await docent.database.pool.query(living)).rowCount === 0,
    );
    const again = await start(newer);
    await expect(docent.startWorker(older.env, older.cli)).rejects.toThrow(/belongs to a newer version of Docent/);
    expect(lostOf(after, await answersOf(seen, made))).toEqual([]);
    await end(again);
  },
);
