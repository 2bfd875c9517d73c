import { afterEach, describe, expect, test } from 'vitest';
import { Installation } from '../support/installation.ts';
import { withWorkflowOf } from '../support/workflow-handle.ts';

let docent: Installation;
afterEach(() => docent.stop());

const sectionNames = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1]);

describe('40 messages to one job, 20 at a time', () => {
  test(
    'are each carried out once, in the order of acceptance, around turn ends and continue-as-new',
    { timeout: 600_000 },
    async () => {
      docent = await Installation.started({ env: { DOCENT_HISTORY_EVENTS: '100' } });
      const id = await docent.post('Append a section "S0" with text "begin" to the page guides/log');
      for (let block = 0; block < 2; block += 1) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) => {
            const n = block * 20 + i + 1;
            // Some have the maximum length of a prompt.
            const text = n % 20 === 0 ? 'long '.repeat(6_500) : `text ${n}`;
            return docent.say(id, `Append a section "S${n}" with text "${text.trim()}" to the page guides/log`);
          }),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      }
      const job = await docent.settled(id, 500_000);
      expect(job).toMatchObject({ status: 'completed', error: null });
      const { rows } = await docent.database.pool.query(
        'SELECT prompt, state FROM messages WHERE job_id = $1 ORDER BY no',
        [id],
      );
      expect(rows.every(({ state }) => state === 'done')).toBe(true);
      const accepted = rows.map(({ prompt }) => /"(S\d+)"/.exec(prompt)?.[1]);
      const done = sectionNames(await docent.git('show', `docent/${id}:guides/log.mdx`));
      expect(done).toEqual(accepted);
      expect(new Set(done).size).toBe(41);
      expect(await docent.branches()).toEqual([`docent/${id}`, 'main']);
      expect(await runsOf(docent, id)).toBeGreaterThan(1);
    },
  );
});

/** How many runs the job's workflow has: it continues as new. */
function runsOf(docent: Installation, id: string): Promise<number> {
  return withWorkflowOf(docent, id, async ({ client, workflowId }) => {
    const runs = client.list({ query: `WorkflowId = '${workflowId}'` });
    return (await Array.fromAsync(runs)).length;
  });
}
