import { describe, expect } from 'vitest';
import { testWithDocent as test, type Installation } from '../support/installation.ts';

async function started(docent: Installation): Promise<void> {
  await Promise.all([docent.startApi(), docent.startWorker()]);
  await docent.createProject();
}

const START = '---\ntitle: Start\n---\n\nInstall Acme, then run it.\n';

describe('the outcome of a job', () => {
  test('is that of its last turn, and null while one runs or was cancelled', async ({ docent }) => {
    await started(docent);
    const id = await docent.post('Replace "Install" with "Set up" in guides/start');
    expect((await docent.job(id)).outcome ?? 'none').toMatch(/none|changed/);
    const changed = await docent.settled(id);
    expect(changed).toMatchObject({ status: 'completed', outcome: 'changed', prLink: expect.any(String) });
    for (const [prompt, outcome] of [
      ['Replace "Install" with "Set up" in guides/start', 'unchanged'],
      ['Change the heading to something nicer', 'refused'],
      ['What can you do?', 'answered'],
    ] as const) {
      await docent.say(id, prompt);
      expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome, prLink: changed.prLink });
    }
    const { rows } = await docent.database.pool.query('SELECT outcome FROM turns WHERE job_id = $1 ORDER BY no', [id]);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'refused', 'answered']);
    // As a job of 0.1.0 has it.
    await docent.database.pool.query('UPDATE jobs SET outcome = NULL WHERE id = $1', [id]);
    expect(await docent.job(id)).toMatchObject({ status: 'completed', outcome: null });
  });

  test('of a refusal names the nearest sentence that the model knows', async ({ docent }) => {
    await started(docent);
    const id = await docent.post('Change the heading to something nicer in guides/start');
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed', outcome: 'refused', prLink: null });
    expect(job.summary).toContain('Did you mean:\n- Rename the heading "Old" to "New" in guides/start');
  });

  test('of undoing the last change is a commit that takes back just that', async ({ docent }) => {
    await started(docent);
    const before = await docent.git('show', 'main:guides/start.mdx');
    expect(before).toBe(START);
    const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
    await docent.settled(id);
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    await docent.settled(id);
    await docent.say(id, 'Undo the last change');
    expect(await docent.settled(id)).toMatchObject({
      outcome: 'changed',
      summary: expect.stringMatching(/^Undid the change of turn 2/),
    });
    expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toBe(`${START}\n## Next\n\nRead on.\n`);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(3);
  });
});
