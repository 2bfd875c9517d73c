import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { FakeGitLab } from '../support/fake-host/gitlab.ts';
import { HostBench } from '../support/host-bench.ts';
import { lifecycleTests } from '../support/host-lifecycle.ts';

let bench: HostBench;
const pullUrl = (path: string, number: number) => `/${path}/-/merge_requests/${number}`;

beforeAll(async () => {
  bench = await HostBench.start(new FakeGitLab(), {
    token: `glpat-${'a1B2'.repeat(5)}`,
    may: { account: 'docent-bot', scopes: ['api'], contents: 'write', pulls: 'write' },
  });
  expect(await bench.addHost()).toMatchObject({ status: 201, data: { id: 'gitlab', account: 'docent-bot' } });
});
afterEach(() => expect(bench.host.violations.splice(0)).toEqual([]));
afterAll(() => bench.stop());

describe('on GitLab', () => lifecycleTests(() => bench, pullUrl));
