import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretId } from '@docent/find-secrets/find-secrets';
import { commitFiles, git } from '../support/git-fixture.ts';
import { awsKey, privateKey, stripeKey } from '../support/fake-secrets.ts';
import { ObeyingAgent, type Attacked, type Outcome } from '../support/obeying-agent.ts';
import { SITE } from '../support/repository.ts';

/** The model of these tests writes any requested text. The tests check the published results. */
let agent: ObeyingAgent;

beforeAll(async () => {
  agent = await ObeyingAgent.start();
});
afterAll(() => agent.stop());

const page = (text: string) => `---\ntitle: Log\n---\n\n${text}\n`;
const write = (text: string, path = 'guides/log.mdx'): [string, Record<string, unknown>] => [
  'write',
  { path, content: page(text), mode: 'replace' },
];

/**
 * No output of Docent has the value: refs, pull request, commit, answers of the API, history and log.
 */
function mustNotHold(at: Attacked, outcome: Outcome, value: string): void {
  const needle = value.replaceAll('-----BEGIN PRIVATE KEY-----', '').trim().slice(0, 60);
  const seen = [
    outcome.api,
    outcome.history,
    outcome.log,
    JSON.stringify(outcome.pullRequest),
    git(at.bare, 'log', '-p', '--all'),
  ];
  for (const text of seen) expect(text).not.toContain(needle);
}

const editLog = (oldText: string, newText: string): [string, Record<string, unknown>] => [
  'edit',
  { path: 'guides/log.mdx', oldText, newText },
];
const pagesOf = ({ pages }: Outcome) => pages.map(({ of, path }) => `${of} ${path}`);

describe('a secret in what a job would publish', () => {
  test('in a page: nothing is pushed, the agent gets a notice, then a person is asked', async () => {
    const secret = privateKey();
    const at = await agent.repository(SITE);
    const obey = [write(`\`\`\`\n${secret}\n\`\`\``)];
    const outcome = await agent.run(at, [obey, 'Log', obey, 'Log', 'Log', 'Log', 'Log']);
    expect(outcome.job).toMatchObject({ status: 'failed', prLink: null, error: { code: 'secret_found' } });
    expect(outcome.job.error.message).toMatch(
      / in guides\/log\.mdx, line 6 \([0-9a-f]{16}\)\. .*--allow-secret [0-9a-f]{16}/,
    );
    expect(outcome.changed).toEqual([]);
    expect(outcome.otherRefs).toEqual([]);
    expect(outcome.pullRequest).toBeNull();
    const notices = outcome.requests.at(-1)!.transcript.filter((entry) => entry.role === 'notice');
    expect(notices.length).toBeGreaterThan(0);
    expect(notices.at(-1)!.text).toMatch(/^Nothing was published.*\n- guides\/log\.mdx, line 6: /);
    expect(JSON.stringify(notices)).not.toContain(secret.slice(28, 60) || secret);
    mustNotHold(at, outcome, secret);
  });

  test('is taken out by an agent that knows; the prompt is repeated without it in pull request and commit', async () => {
    const at = await agent.repository(SITE);
    const [key, prompted] = [stripeKey(), stripeKey()];
    const outcome = await agent.run(
      at,
      [[write(`Use ${key}.`)], 'Say the key', [write('Use YOUR_KEY.')], 'Say the key'],
      { prompt: `Write the log. Our key is ${prompted}` },
    );
    expect(outcome.job).toMatchObject({ status: 'completed', error: null });
    expect(outcome.changed).toEqual(['100644 guides/log.mdx']);
    mustNotHold(at, outcome, key);
    expect(JSON.stringify(outcome.pullRequest)).toContain('Our key is [secret]');
    expect(JSON.stringify(outcome.pullRequest)).not.toContain(prompted);
    expect(git(at.bare, 'log', '-p', '--all')).not.toContain(prompted);
  });

  test('in closing words or a file name: nothing is pushed, and the summary does not contain it', async () => {
    const at = await agent.repository(SITE);
    const key = awsKey();
    const words = `Use the key ${key}\n\nIt is ${key}.`;
    const spoken = await agent.run(at, [[write('All well.')], words, words, words, words]);
    expect(spoken.job).toMatchObject({
      status: 'failed',
      error: { code: 'secret_found' },
      summary: expect.stringContaining('[secret]'),
    });
    expect(spoken.job.error.message).toContain('in the closing words');
    expect(spoken.changed).toEqual([]);
    mustNotHold(at, spoken, key);

    const answered = await agent.run(at, [words, words, words, words]);
    expect(answered.job).toMatchObject({ status: 'failed', error: { code: 'secret_found' } });
    mustNotHold(at, answered, key);

    const named = await agent.run(at, [[write('All well.', `guides/${key}.mdx`)], 'Log', 'Log', 'Log', 'Log']);
    expect(named.job.error).toMatchObject({
      code: 'secret_found',
      message: expect.stringContaining('the name of a file'),
    });
    expect(named.changed).toEqual([]);
  });

  test('that existed before is not blamed on the job: the page is changed and moved', async () => {
    const key = awsKey();
    const at = await agent.repository({ ...SITE, 'guides/log.mdx': page(`Key: ${key}`) });
    const outcome = await agent.run(at, [
      [['edit', { path: 'guides/log.mdx', oldText: 'Key:', newText: 'The key:' }]],
      [['move', { from: 'guides/log.mdx', to: 'guides/diary.mdx' }]],
      'Moved',
    ]);
    expect(outcome.job).toMatchObject({ status: 'completed', error: null });
    expect(outcome.changed).toContain('100644 guides/diary.mdx');
  });

  test('that existed before is in no shown page, before and after its removal, unless it is allowed', async () => {
    const key = awsKey();
    const far = '\n'.repeat(20);
    const at = await agent.repository({ ...SITE, 'guides/log.mdx': page(`One.${far}Key: ${key}`) });
    const change = [editLog('One.', 'Two.'), write('All well.', 'guides/new.mdx')];
    const outcome = await agent.run(at, [change, 'Log']);
    expect(outcome.job).toMatchObject({ status: 'completed', error: null });
    expect(outcome.changed).toEqual(['100644 guides/log.mdx', '100644 guides/new.mdx']);
    expect(pagesOf(outcome)).toEqual(['pull_request guides/new.mdx']);
    // The lines around the change are without it.
    expect(outcome.api).not.toContain(key);
    const taken = await agent.run(at, [[editLog(key, 'YOUR_KEY'), write('Well.', 'guides/new.mdx')], 'Log'], {
      jobId: outcome.id,
    });
    expect(taken.job).toMatchObject({ status: 'completed', error: null });
    expect(pagesOf(taken)).toEqual(['pull_request guides/new.mdx']);
    await agent.update(at, { settings: { allowedSecrets: [secretId(key)] } });
    const allowed = await agent.run(at, [change, 'Log']);
    expect(pagesOf(allowed)).toEqual(['pull_request guides/log.mdx', 'pull_request guides/new.mdx']);
    expect(allowed.pages[0]?.after).toContain(key);
  });

  test('that is copied from elsewhere in the repository is blamed on the job', async () => {
    const key = awsKey();
    const at = await agent.repository({ ...SITE, 'src/config.ts': `const key = '${key}';\n` });
    const outcome = await agent.run(at, [[write(`Key: ${key}`)], 'Log', 'Log', 'Log', 'Log']);
    expect(outcome.job).toMatchObject({ status: 'failed', error: { code: 'secret_found' } });
    expect(outcome.api + outcome.history + outcome.log).not.toContain(key);
  });

  test('is published when the operator allows exactly this one; nothing in the repository can allow it', async () => {
    const [shown, other] = [stripeKey(), stripeKey()];
    const at = await agent.repository({
      ...SITE,
      'docent.json': JSON.stringify({ allowedSecrets: [secretId(shown)] }),
    });
    const refused = await agent.run(at, [
      [write(`<!-- secretlint-disable gitleaks:allow -->\nUse ${shown}.`)],
      'Log',
      'Log',
      'Log',
      'Log',
    ]);
    expect(refused.job.error).toMatchObject({
      code: 'secret_found',
      message: expect.stringContaining(secretId(shown)),
    });
    await agent.update(at, { settings: { allowedSecrets: [secretId(shown)] } });
    const allowed = await agent.run(at, ['Log'], { jobId: refused.id, prompt: 'Go on' });
    expect(allowed.job).toMatchObject({ status: 'completed', error: null });
    expect(agent.read(at, allowed.branch, 'guides/log.mdx')).toContain(shown);
    const more = await agent.run(at, [[write(`Use ${shown} or ${other}.`)], 'Log', 'Log', 'Log', 'Log']);
    expect(more.job.error).toMatchObject({ code: 'secret_found', message: expect.stringContaining(secretId(other)) });
    expect(more.job.error.message).not.toContain(secretId(shown));
  });

  test('is still found if the base moved while the agent worked', async () => {
    const key = awsKey();
    const at = await agent.repository(SITE);
    const outcome = await agent.run(at, [
      [write(`Key: ${key}`)],
      () => {
        commitFiles(at.work, { 'index.mdx': page('Meanwhile.') });
        git(at.work, 'push', '-q', at.bare, 'HEAD:main');
        return 'Log';
      },
      'Log', 'Log', 'Log',
    ]); // oxfmt-ignore
    expect(outcome.job).toMatchObject({ status: 'failed', error: { code: 'secret_found' } });
    expect(outcome.changed).toEqual([]);
  });
});
