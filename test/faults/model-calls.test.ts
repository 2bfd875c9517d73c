import { afterAll, beforeAll, describe, expect } from 'vitest';
import { testWithDocent as test, trapAt } from '../support/installation.ts';
import { ScriptedModels } from '../support/scripted-models.ts';

/** Processes start and die one after the other, which takes minutes on a busy machine. */
const LONG = { timeout: 400_000 };
const models = new ScriptedModels();
let url: string;
beforeAll(async () => {
  url = await models.mock.start();
});
afterAll(() => models.mock.stop());

describe('a worker that is killed while a model is paid', () => {
  const points = [
    ['tools-run', 2],
    ['model-recorded', 2],
    ['model-answered', 3],
  ] as const;

  test(
    `at ${points.map(([point]) => point).join(', ')} has one more call made at most, and counts each answer once`,
    LONG,
    async ({ docent }) => {
      const traps = points.map(([point]) => trapAt(docent, point));
      const env = { OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`, DOCENT_MODEL: 'openai-compatible/qwen3' };
      const armed = { ...env, DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
      let [, doomed] = await Promise.all([docent.startApi(env), docent.startWorker(armed)]);
      await docent.createProject();
      for (const [i, [point, calls]] of points.entries()) {
        const word = `Word-${point}.`;
        const change = { path: 'guides/start.mdx', oldText: 'Install Acme', newText: 'Set Acme up' };
        // An answer that is asked for again is the same again.
        models.playByResults(word, { say: '', calls: [['edit', change]] }, { say: 'Say "set up"' });
        traps[i]!.arm();
        const id = await docent.post(`Improve the start page. ${word}`);
        expect(await doomed.ended, point).toBe('SIGKILL');
        doomed = await docent.startWorker(armed);
        // Before the next worker dies: each death may cost a call.
        const job = await docent.settled(id);
        expect(job).toMatchObject({
          status: 'completed',
          error: null,
          usage: { modelCalls: 2, inputTokens: 2_000, outputTokens: 200 },
        });
        expect(models.asked(word), word).toBe(calls);
        expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toContain('Set Acme up');
      }
      const params = { path: { projectId: docent.projectId } };
      const { data } = await docent.client.GET('/v2/agent/{projectId}/usage', { params });
      expect(data?.usage).toMatchObject({ modelCalls: 6, inputTokens: 6_000 });
    },
  );
});
