import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { FakeGitea } from '../support/fake-host/gitea.ts';
import { FakeGitLab } from '../support/fake-host/gitlab.ts';
import { HostBench } from '../support/host-bench.ts';
import { lifecycleTests } from '../support/host-lifecycle.ts';

let gitea: HostBench;
let gitlab: HostBench;

beforeAll(async () => {
  const may = { account: 'docent-bot', contents: 'write', pulls: 'write' } as const;
  gitea = await HostBench.start(new FakeGitea(), {
    token: '0123456789abcdef'.repeat(3).slice(0, 40),
    may: { ...may, scopes: ['write:repository'] },
  });
  gitlab = await gitea.withHost(new FakeGitLab(), {
    token: `glpat-${'a1B2'.repeat(5)}`,
    may: { ...may, scopes: ['api'] },
  });
  for (const bench of [gitea, gitlab])
    expect(await bench.addHost()).toMatchObject({ status: 201, data: { id: bench.hostId, account: 'docent-bot' } });
});
afterEach(() => {
  for (const { host } of [gitea, gitlab]) expect(host.violations.splice(0)).toEqual([]);
});
afterAll(() => gitea.stop());

describe('on Gitea', () =>
  lifecycleTests(
    () => gitea,
    (path, number) => `/${path}/pulls/${number}`,
  ));
describe('on GitLab', () =>
  lifecycleTests(
    () => gitlab,
    (path, number) => `/${path}/-/merge_requests/${number}`,
  ));
