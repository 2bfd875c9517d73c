import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { FakeGitHub } from '../support/fake-host/github.ts';
import { GITHUB_ACCESS, HostBench } from '../support/host-bench.ts';
import { lifecycleTests } from '../support/host-lifecycle.ts';
import { renameTests } from '../support/host-renames.ts';
import { webhookEventTests } from '../support/host-webhook-events.ts';

let bench: HostBench;
const benchOf = () => bench;
const pullUrl = (path: string, number: number) => `/${path}/pull/${number}`;

beforeAll(async () => {
  bench = await HostBench.start(new FakeGitHub(), {
    ...GITHUB_ACCESS,
    env: { DOCENT_TEST_WEBHOOK_PAUSES: '300,300' },
  });
  expect(await bench.addHost()).toMatchObject({ status: 201, data: { id: 'github', account: 'docent-bot' } });
});
afterEach(() => expect(bench.host.violations.splice(0)).toEqual([]));
afterAll(() => bench.stop());

describe('on GitHub', () => {
  lifecycleTests(benchOf, pullUrl);
  describe('webhooks', () => webhookEventTests(benchOf));
  renameTests(benchOf, pullUrl);
});
