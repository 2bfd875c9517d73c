import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { readOperatorToken } from '../../src/start/home.ts';
import {
  accessibilityProblems,
  hasBrowser,
  launchBrowser,
  leaveBrowser,
  picture,
  settled,
  Visitor,
} from '../support/browser/browser.ts';
import { copied } from '../support/browser/clipboard.ts';
import { until } from '../support/patience.ts';
import { ROOT, StartedDocent } from '../support/processes.ts';
import { makeRepository, SITE } from '../support/repository.ts';
import { ScriptedModels } from '../support/scripted-models.ts';

const run = promisify(execFile);
/** The first `docent start`. */
const START_MS = 120_000;
const MODEL = 'openai-compatible/qwen3';
const WORDS = 'What was found on the page, and what it lacks. '.repeat(12);
const START = 'guides/start.mdx';

/**
 * From nothing to a merged change, each step by what a person sees: one story, so its tests continue where
 * the one before ended.
 */
describe.skipIf(!hasBrowser)('from the first start to a merge', () => {
  const models = new ScriptedModels();
  let browser: Browser;
  let folder: string;
  let repository: string;
  let docent: StartedDocent;
  let client: DocentClient;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docent-flow-'));
    // If the tests run as root, PostgreSQL runs as another user.
    await chmod(folder, 0o711);
    repository = path.join(folder, 'docs.git');
    await Promise.all([
      makeRepository(repository, SITE),
      symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')),
    ]);
    docent = new StartedDocent(path.join(folder, 'home'), {
      env: { OPENAI_COMPATIBLE_BASE_URL: `${await models.mock.start()}/v1` },
    });
    const [{ apiUrl }, launched] = await Promise.all([docent.ready(START_MS), launchBrowser()]);
    browser = launched;
    client = createDocentClient({ baseUrl: apiUrl, apiKey: readOperatorToken(docent.home) ?? '' });
    visitor = await Visitor.create(browser, apiUrl);
    page = await visitor.context.newPage();
  }, 1.5 * START_MS);
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
    await models.mock.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const git = async (...args: string[]) => (await run('git', ['-C', repository, ...args])).stdout;
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();
  const nav = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  async function jobOf(id: string) {
    const { data } = await client.GET('/v2/agent/{projectId}/job/{id}', {
      params: { path: { projectId: 'acme-docs', id } },
    });
    return data;
  }

  test('the printed link signs in, and the demo can be left behind', async () => {
    // Output that is not a terminal names the file that has the link.
    const file = /Dashboard .* the sign-in link in (\S+): /.exec(docent.output)?.[1] ?? '';
    await page.goto((await readFile(file, 'utf8')).trim());
    await heading('demo');
    await nav('Settings');
    await page.getByRole('button', { name: 'Delete', exact: false }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('demo');
    await dialog
      .getByRole('button', { name: /Delete/ })
      .last()
      .click();
    await heading('No projects yet');
  });

  test('a repository becomes a project', async () => {
    await page.getByRole('link', { name: 'New project' }).first().click();
    await heading('New project');
    await page.getByLabel('Repository').fill(repository);
    await page.getByText('docs.json').first().waitFor();
    await page.getByLabel('Project ID').fill('acme-docs');
    // A reload loses nothing of it.
    await page.reload();
    await settled(page);
    await expect.poll(() => page.getByLabel('Repository').inputValue()).toBe(repository);
    await expect.poll(() => page.getByLabel('Project ID').inputValue()).toBe('acme-docs');
    await page.getByText('docs.json').first().waitFor();
    await page.getByRole('button', { name: 'Create project' }).click();
    await heading('acme-docs');
    await page.getByText('No page views yet.').waitFor();
    await page.getByText('Nothing needs your attention.').waitFor();
  });

  test('a key is made, and what is shown with it runs as it is pasted', async () => {
    await nav('API keys');
    await heading('API keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Website');
    await expect.poll(() => page.getByRole('dialog').getByLabel('acme-docs').isChecked()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('You cannot see it again').waitFor();
    const curl = await copied(page, 'With curl');
    const { stdout: answer } = await run('bash', ['-c', curl], { cwd: folder });
    expect(JSON.parse(answer)).toMatchObject({ title: 'Fix broken links', status: 'active' });
    const program = path.join(folder, 'pasted.mjs');
    await writeFile(program, `${await copied(page, 'With the TypeScript client')}\nconsole.log(data.id, error);\n`);
    const { stdout: printed } = await run(process.execPath, [program], { cwd: folder });
    expect(printed).toMatch(/^[0-9a-z]{20} undefined\n$/);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await nav('Jobs');
    await expect.poll(() => page.getByRole('link', { name: 'Fix broken links' }).count()).toBe(2);
  });

  test('a job is started, is watched as it works, and opens a pull request', async () => {
    models.play(
      'Word-flow.',
      {
        say: WORDS,
        calls: [
          ['read', { path: START }],
          ['edit', { path: START, oldText: 'Install Acme, then run it.', newText: 'Install Acme.\n\nThen run it.' }],
        ],
        slowly: true,
      },
      { say: 'Split the first sentence in two.' },
      { say: 'A comment came.', calls: [['edit', { path: START, oldText: 'Then run', newText: 'Now run' }]] },
      { say: 'Put it as the comment says.' },
    );
    await page.getByRole('link', { name: 'New job' }).first().click();
    await page.getByLabel('Prompt').fill('Make the start easier to read. Word-flow.');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Model').fill(MODEL);
    await page.getByRole('button', { name: 'Start job' }).click();
    await heading('Make the start easier to read. Word-flow.');
    await page.getByText('Docent is writing…').waitFor();
    await page.getByText('What was found on the page').first().waitFor();
    await page.getByText('Working', { exact: true }).first().waitFor();
    await page.getByRole('heading', { name: 'Pull request' }).waitFor();
    await page.getByText('Split the first sentence in two.').first().waitFor();
    await page.getByText('Pull request open', { exact: true }).first().waitFor();
    expect(await git('show', 'main:guides/start.mdx')).toContain('Install Acme, then run it.');
  });

  test('input and result of a call open at its line', async () => {
    await page.getByText('Turn 1', { exact: true }).click();
    await page.getByText('edit guides/start.mdx').click();
    const given = (name: string) => page.getByRole('region', { name: `Input: ${name}` }).innerText();
    expect(await given('oldText')).toBe('Install Acme, then run it.');
    expect(await given('newText')).toBe('Install Acme.\n\nThen run it.');
    await picture(page, 'jobs-call');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('edit guides/start.mdx').click();
    await page.getByText('read guides/start.mdx').click();
    await page.getByRole('region', { name: 'Output', exact: true }).getByText('title: Start').waitFor();
  });

  test('a comment on a line is a follow-up, its commit goes to the same pull request, and merged stays merged', async () => {
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const before = await jobOf(id);
    await page.getByRole('link', { name: 'View changes' }).first().click();
    const line = page.locator('.line.add', { hasText: 'Then run it.' });
    await line.hover();
    await line.getByRole('button').click();
    await page.getByRole('textbox', { name: /Comment on line/ }).fill('Say “now”.');
    await page.getByRole('button', { name: 'Send to the job' }).click();
    await page.getByText('Sent. The job is working on it.').waitFor();
    await page.locator('.line.add', { hasText: 'Now run it.' }).waitFor();
    await until('the turn is over', async () => (await jobOf(id))?.status === 'completed');
    const after = await jobOf(id);
    expect(after?.prLink).toBe(before?.prLink);
    expect(await git('log', '--format=%s', `main..${after?.source.ref}`)).toMatch(/^.+\n.+\n$/);

    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merged', { exact: true }).first().waitFor();
    expect(await git('show', 'main:guides/start.mdx')).toContain('Now run it.');
    await page.reload();
    await settled(page);
    await page.getByText('Merged', { exact: true }).first().waitFor();
    await page.locator('.line.add', { hasText: 'Now run it.' }).waitFor();
    expect(await page.getByRole('button', { name: 'Merge' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the job' }).click();
    await page.getByText('Merged', { exact: true }).first().waitFor();
  });

  test('home shows what was merged, and the chart says when', async () => {
    await nav('Home');
    await heading('Merged in the last 7 days');
    await page.getByRole('link', { name: /^Split the first sentence in two/ }).waitFor();
    await page.getByText('Nothing needs your attention.').waitFor();
    // A reader opens the page, so that there is a chart.
    await client.POST('/v1/analytics/{projectId}/events', {
      params: { path: { projectId: 'acme-docs' } },
      body: { events: [{ timestamp: Date.now(), path: '/guides/start', visitorId: 'reader-1' }] },
    });
    await page.getByRole('link', { name: 'In the chart' }).click();
    await page.getByRole('link', { name: /^Merged .*: Split the first sentence in two/ }).waitFor();
    expect(visitor.wrong).toEqual([]);
  });
});
