import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { FakeGitea } from '../support/fake-host/gitea.ts';
import { HostBench } from '../support/host-bench.ts';
import { lifecycleTests } from '../support/host-lifecycle.ts';

let bench: HostBench;
const pullUrl = (path: string, number: number) => `/${path}/pulls/${number}`;

beforeAll(async () => {
  bench = await HostBench.start(new FakeGitea(), {
    token: '0123456789abcdef'.repeat(3).slice(0, 40),
    may: { account: 'docent-bot', scopes: ['write:repository'], contents: 'write', pulls: 'write' },
  });
  expect(await bench.addHost()).toMatchObject({ status: 201, data: { id: 'gitea', account: 'docent-bot' } });
});
afterEach(() => expect(bench.host.violations.splice(0)).toEqual([]));
afterAll(() => bench.stop());

describe('on Gitea', () => lifecycleTests(() => bench, pullUrl));
