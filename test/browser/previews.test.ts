import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser, settled, Visitor } from '../support/browser/browser.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';

const NOT_READY = 'This job has no unpublished change.';

/** Where it can be published and discarded from, by the end of the address. */
const PLACES = { 'the job': '', 'its changes': '/changes' };

describe.skipIf(!hasBrowser)('a preview', () => {
  let browser: Browser;
  let docent: Installation;
  let api: RoleProcess;
  let visitor: Visitor;
  let made = 0;

  beforeAll(async () => {
    [browser, docent] = await Promise.all([launchBrowser(), Installation.create()]);
    [api] = await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    visitor = await Visitor.create(browser, docent.apiUrl, { token: docent.operatorToken });
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  /** A job that has a change ready, and its name in the change. */
  async function ready(): Promise<string> {
    made += 1;
    const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: docent.projectId } },
      body: { prompt: `Append a section "Part ${made}" with the text "Yes." to the page index.mdx`, mode: 'preview' },
    });
    if (!data) throw new Error(error.error);
    await docent.settled(data.id);
    return data.id;
  }
  const open = (id: string, place: string) => visitor.open(`/projects/${docent.projectId}/jobs/${id}${place}`);
  const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const isGone = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });

  describe.each(Object.entries(PLACES))('on the page of %s', (_, place) => {
    test('is published, and shows that', async () => {
      const id = await ready();
      const page = await open(id, place);
      await press(page, 'Publish');
      await confirm(page, 'Publish');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('Open', { exact: true }).first().waitFor();
      await isGone(page, 'Publish');
      expect((await docent.settled(id)).prLink).not.toBeNull();
      expect(await docent.commits((await docent.job(id)).source.ref ?? '')).toHaveLength(1);
      visitor.leave(page);
    });

    test('is discarded, and nothing of it is left to press', async () => {
      const id = await ready();
      const page = await open(id, place);
      await press(page, 'Discard');
      await confirm(page, 'Discard');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await isGone(page, 'Discard');
      expect(await docent.job(id)).toMatchObject({ pendingChanges: null, prLink: null });
      visitor.leave(page);
    });

    test.each([
      ['Discard', 'Publish'],
      ['Publish', 'Discard'],
    ])('that someone else did “%s” with a moment before says why “%s” is too late', async (theirs, ours) => {
      const id = await ready();
      const [page, other] = [await open(id, place), await open(id, '/changes')];
      await press(page, ours);
      await press(other, theirs);
      await confirm(other, theirs);
      await other.getByRole('dialog').waitFor({ state: 'detached' });
      await docent.settled(id);
      // The page has heard of it by now; the question that is being answered stays.
      await until('nothing is ready', async () => (await docent.job(id)).pendingChanges === null);
      await page.bringToFront();
      await confirm(page, ours);
      await page.getByRole('dialog').getByRole('alert').getByText(NOT_READY).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await isGone(page, ours);
      expect((await docent.settled(id)).prLink === null).toBe(theirs === 'Discard');
      visitor.leave(page, other);
    });

    test('that is published while the server is unavailable is published when it is back, once', async () => {
      const id = await ready();
      const page = await open(id, place);
      await press(page, 'Publish');
      await api.kill('SIGTERM');
      try {
        await confirm(page, 'Publish');
        await page.getByRole('dialog').getByRole('alert').getByText('The server cannot be reached').waitFor();
      } finally {
        api = await docent.startApi();
      }
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      await confirm(page, 'Publish');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('Open', { exact: true }).first().waitFor();
      expect(await docent.commits((await docent.settled(id)).source.ref ?? '')).toHaveLength(1);
      visitor.leave(page);
    });
  });

  test('keeps the title that was begun through a reload', async () => {
    const id = await ready();
    const page = await open(id, '');
    await press(page, 'Publish');
    await page.getByLabel('Pull request title').fill('Half a ti');
    await page.reload();
    await settled(page);
    await press(page, 'Publish');
    await expect.poll(() => page.getByLabel('Pull request title').inputValue()).toBe('Half a ti');
    visitor.leave(page);
    expect(visitor.wrong).toEqual([]);
  });
});
