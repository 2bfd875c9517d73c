import { afterAll, beforeAll, describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, until } from '../support/installation.ts';
import { ScriptedModels } from '../support/scripted-models.ts';

const models = new ScriptedModels();
let url: string;
beforeAll(async () => {
  url = await models.mock.start();
});
afterAll(() => models.mock.stop());

describe.concurrent('a worker that is killed while a model is paid', () => {
  test.for([
    ['model-answered', 3],
    ['model-recorded', 2],
    ['tools-run', 2],
  ] as const)(
    'at %s has one more call made at most, and counts each answer once',
    async ([point, calls], { docent }) => {
      const word = `Word-${point}.`;
      const change = { path: 'guides/start.mdx', oldText: 'Install Acme', newText: 'Set Acme up' };
      // A repeated request gets the same answer.
      models.playByResults(word, { say: '', calls: [['edit', change]] }, { say: 'Say "set up"' });
      const env = { OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`, DOCENT_MODEL: 'openai-compatible/qwen3' };
      const marker = markerIn(docent, point);
      await docent.startApi(env);
      const doomed = await docent.startWorker({ ...env, DOCENT_TEST_FAULT: `${point}@${marker.file}` });
      await docent.createProject();
      const id = await docent.post(`Improve the start page. ${word}`);
      await until(`the worker dies at ${point}`, () => marker.reached());
      await doomed.ended;
      await docent.startWorker(env);
      const job = await docent.settled(id);
      expect(job).toMatchObject({
        status: 'completed',
        error: null,
        usage: { modelCalls: 2, inputTokens: 2_000, outputTokens: 200 },
      });
      expect(models.asked(word)).toBe(calls);
      expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toContain('Set Acme up');
      const params = { path: { projectId: docent.projectId } };
      const { data } = await docent.client.GET('/v2/agent/{projectId}/usage', { params });
      expect(data?.usage).toMatchObject({ modelCalls: 2, inputTokens: 2_000 });
    },
  );
});
