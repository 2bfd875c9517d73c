import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FakeGitHub } from '../support/fake-host/github.ts';
import { HostBench } from '../support/host-bench.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

let bench: HostBench;

beforeAll(async () => {
  bench = await HostBench.start(new FakeGitHub(), {
    token: TOKEN,
    may: { account: 'docent-bot', scopes: ['repo'], contents: 'write', pulls: 'write' },
  });
  expect(await bench.addHost()).toMatchObject({ status: 201, data: { id: 'github', account: 'docent-bot' } });
});

afterEach(() => expect(bench.host.violations.splice(0)).toEqual([]));
afterAll(() => bench.stop());

describe('a job on GitHub', () => {
  it('becomes a pull request, which a follow-up updates around what a person wrote', async () => {
    const project = await bench.project({ labels: ['docs', 'nowhere'], reviewers: ['reader', 'stranger'] });
    const { repository } = project;
    const first = await project.run();
    expect(first).toMatchObject({ status: 'completed', error: null, source: { ref: `docent/${first.id}` } });
    expect(first.prLink).toBe(`${bench.host.url}/${repository.path}/pull/1`);
    const [pull] = repository.pulls;
    expect(pull).toMatchObject({ labels: ['docs'], reviewers: ['reader'], draft: false, base: 'main' });
    expect(repository.commits(`docent/${first.id}`)).toHaveLength(1);

    pull!.body = `Seen by me.\n\n${pull!.body}\n\nMind the **release**.`;
    pull!.title = 'A better title';
    await project.say(first.id);
    expect(await project.settled(first.id)).toMatchObject({ status: 'completed', prLink: first.prLink });
    expect(repository.pulls).toHaveLength(1);
    expect(repository.commits(`docent/${first.id}`)).toHaveLength(2);
    expect(pull!.title).toBe('A better title');
    expect(pull!.body).toMatch(
      /^Seen by me\.\n\n<!-- docent:begin -->[^]*<!-- docent:end -->\n\nMind the \*\*release\*\*\.$/,
    );
    expect(pull!.body).toContain('Set up');
  });
});
