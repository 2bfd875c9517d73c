import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { FakeGitHub } from '../support/fake-host/github.ts';
import { GITHUB_ACCESS, HostBench } from '../support/host-bench.ts';
import { pullRequestTests } from '../support/host-pull-requests.ts';
import { verifiedCommitTests } from '../support/host-verified-commits.ts';
import { TEST_KEY } from '../support/models.ts';
import { chatAnswer, startScriptedProvider, type ScriptedProvider } from '../support/scripted-provider.ts';

let bench: HostBench;
let models: ScriptedProvider;
const benchOf = () => bench;
const pullUrl = (path: string, number: number) => `/${path}/pull/${number}`;
/** What the model of the tests finds in a review. */
const FOUND = '- guides/more.mdx:5: Say what the guide explains.\n\nOne page, one question.';

beforeAll(async () => {
  models = await startScriptedProvider([{ body: [chatAnswer({ content: FOUND })] }]);
  bench = await HostBench.start(new FakeGitHub(), {
    env: {
      OPENAI_COMPATIBLE_API_KEY: TEST_KEY,
      OPENAI_COMPATIBLE_BASE_URL: `${models.url}/v1`,
    },
    ...GITHUB_ACCESS,
  });
  expect(await bench.addHost()).toMatchObject({ status: 201, data: { id: 'github', account: 'docent-bot' } });
});
afterEach(() => expect(bench.host.violations.splice(0)).toEqual([]));
afterAll(async () => {
  await bench.stop();
  await models.close();
});

describe('on GitHub', () => {
  pullRequestTests(benchOf, pullUrl);
  verifiedCommitTests(benchOf);
});
