import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser, settled, Visitor } from '../support/browser/browser.ts';
import { clipboard, copied } from '../support/browser/clipboard.ts';
import { operatorIn, signInLink } from '../support/browser/signed-in.ts';
import { Installation } from '../support/installation.ts';

const run = promisify(execFile);
const SCOPE_NAMES = {
  read: 'Read jobs and analytics',
  write: 'Create jobs and send messages',
  events: 'Send page views',
  analytics: 'Read analytics',
};
type Scope = keyof typeof SCOPE_NAMES;

describe.skipIf(!hasBrowser)('the first start', () => {
  let browser: Browser;
  let docent: Installation;
  let folder: string;

  beforeAll(async () => {
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started()]);
    folder = await mkdtemp(path.join(tmpdir(), 'docent-pasted-'));
    await symlink(path.resolve(import.meta.dirname, '../../node_modules'), path.join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What a program answers with a key. */
  const statusWith = async (key: string) =>
    (await fetch(`${docent.apiUrl}/v2/agent/${docent.projectId}/jobs`, { headers: { Authorization: `Bearer ${key}` } }))
      .status;

  test('a link signs in, a key is made, and what is shown works as it is pasted', async () => {
    const visitor = await Visitor.create(browser, docent.apiUrl);
    const link = await signInLink(docent);
    const page = await visitor.context.newPage();
    await page.goto(link);
    await page.waitForURL(`**/projects/${docent.projectId}`);
    expect(page.url()).not.toContain('link=');
    await settled(page);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    await page.getByRole('button', { name: `Copy Project ID ${docent.projectId}` }).click();
    expect(await clipboard(page)).toBe(docent.projectId);

    const key = await makeKey(page, 'Continuous integration', ['write']);
    expect(key).toMatch(/^\S{30,}$/);
    const curl = await copied(page, 'With curl');
    const posted = await run('bash', ['-c', `${curl} --silent --show-error --fail`], { cwd: folder });
    expect(JSON.parse(posted.stdout)).toMatchObject({ status: 'active', title: 'Fix broken links' });

    const program = path.join(folder, 'pasted.mjs');
    await writeFile(
      program,
      `${await copied(page, 'With the TypeScript client')}\nconsole.log(JSON.stringify({ data, error }));\n`,
    );
    const { stdout } = await run(process.execPath, [program], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ data: { status: 'active', title: 'Fix broken links' } });

    // Escape does not close a secret that is shown once.
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('cell', { name: /^Continuous integration/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
    expect(kept).not.toContain(key);

    const newSecret = await rotate(page, 'Continuous integration', '1 hour');
    expect(await Promise.all([statusWith(key), statusWith(newSecret)])).toEqual([200, 200]);
    const last = await rotate(page, 'Continuous integration', '0 minutes');
    await expect.poll(() => statusWith(newSecret), { timeout: 5_000, interval: 50 }).toBe(401);
    expect(await statusWith(last)).toBe(200);

    await menu(page, 'Continuous integration', 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => statusWith(last), { timeout: 5_000, interval: 50 }).toBe(401);
    await page.getByRole('cell', { name: /^Continuous integration/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Show revoked and expired keys').check();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(page.url()).toContain('all=true');
    expect(visitor.wrong).toEqual([]);

    const again = await Visitor.create(browser, docent.apiUrl);
    const second = await again.context.newPage();
    await second.goto(link);
    await second.getByRole('alert').getByText('This link is no longer valid').waitFor();
    await second.getByLabel('Operator token').fill(docent.operatorToken);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.waitForURL(`**/projects/${docent.projectId}`);
    await Promise.all([visitor.close(), again.close()]);
  });

  test.each<[Scope[]]>([[['read']], [['events']], [['analytics']], [['events', 'analytics']]])(
    'what is shown for a key that may %j works, too',
    async (scopes) => {
      const { visitor, page } = await operatorIn(browser, docent);
      await page.goto(`${docent.apiUrl}/keys`);
      await settled(page);
      await makeKey(page, `For ${scopes.join(' and ')}`, scopes, { isForAll: true });
      const curl = await copied(page, 'With curl');
      const { stdout } = await run('bash', ['-c', `${curl} --silent --show-error --fail`], { cwd: folder });
      if (curl.includes('/events')) expect(JSON.parse(stdout)).toMatchObject({ accepted: 1 });
      expect(visitor.wrong).toEqual([]);
      await visitor.close();
    },
  );

  test('a key whose answer was lost is not shown as an empty one', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    await page.goto(`${docent.apiUrl}/keys`);
    await settled(page);
    let lost = 0;
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Lost on the way');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText('The server did not answer this request').waitFor();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('the response with its secret was lost').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    // It is there, once, and gets a secret that can be read.
    await page.getByRole('cell', { name: /^Lost on the way/ }).waitFor();
    await expect.poll(() => page.getByRole('cell', { name: /^Lost on the way/ }).count()).toBe(1);
    expect(await statusWith(await rotate(page, 'Lost on the way', '0 minutes'))).toBe(200);
    await visitor.close();
  });
});

/** Through the dialog, as a person does. @returns the key, from the clipboard */
async function makeKey(page: Page, name: string, scopes: Scope[], { isForAll = false } = {}): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  if (isForAll) await dialog.getByLabel('All current and future projects').check();
  for (const [scope, label] of Object.entries(SCOPE_NAMES))
    await dialog.getByLabel(label, { exact: true }).setChecked(scopes.includes(scope as Scope));
  await dialog.getByLabel('Expires').selectOption('7');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('You cannot see it again').waitFor();
  return copied(page, 'Key');
}

async function rotate(page: Page, name: string, overlap: string): Promise<string> {
  await menu(page, name, 'Rotate secret');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Old secret stays valid for').selectOption({ label: overlap });
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText('You cannot see it again').waitFor();
  const key = await copied(page, 'Key');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  return key;
}

async function menu(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for “${name}”` }).click();
  await page.getByRole('button', { name: item, exact: true }).click();
}
