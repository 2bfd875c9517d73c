import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  darkProblems,
  endlessAnimations,
  hasBrowser,
  launchBrowser,
  leaveBrowser,
  LOOKS,
  overflow,
  picture,
  Visitor,
} from '../support/browser/browser.ts';
import { Installation } from '../support/installation.ts';
import { SITE } from '../support/repository.ts';
import { furnish, type Furnished } from '../support/browser/furnish.ts';
import { MeasuringTab, type PageCost } from '../support/browser/page-cost.ts';

/** Of a page's code and style, compressed. */
const MOST_BYTES = 107_000;
const MOST_SHIFT = 0.02;
/** A hang, not slowness under load. */
const MOST_BLOCKED_MS = 3_000;
/** Under load, a page is drawn in several steps: the best of this many loads counts. */
const LOADS = 3;

/** Automations of the base branch that the project lacks. */
const AUTOMATION = { '.docent/automations/weekly.yaml': 'name: Weekly typos\nprompt: Fix typos\nmaxRunsPerDay: 1\n' };

/** Every page, by the name of its picture. */
const PAGES: Record<string, (of: Furnished) => string> = {
  home: ({ projectId }) => `/projects/${projectId}`,
  projects: () => '/projects',
  'new-project': () => '/projects/new',
  settings: ({ projectId }) => `/projects/${projectId}/settings`,
  automations: ({ projectId }) => `/projects/${projectId}/automations`,
  'automation-runs': ({ projectId, automationId }) => `/projects/${projectId}/automations/${automationId}`,
  webhooks: ({ projectId }) => `/projects/${projectId}/webhooks`,
  webhook: ({ projectId, webhookId }) => `/projects/${projectId}/webhooks/${webhookId}`,
  keys: () => '/keys',
  hosts: () => '/hosts',
  model: () => '/model',
  health: () => '/health',
  jobs: ({ projectId }) => `/projects/${projectId}/jobs`,
  'jobs-none': ({ projectId }) => `/projects/${projectId}/jobs?q=nothing-has-this`,
  'jobs-new': ({ projectId }) => `/projects/${projectId}/jobs/new`,
  'jobs-one': ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}`,
  'jobs-preview': ({ projectId, jobs }) => `/projects/${projectId}/jobs/${jobs.previewId}`,
  'jobs-hostile': ({ projectId, jobs }) => `/projects/${projectId}/jobs/${jobs.hostileId}`,
  'pull-requests': ({ projectId }) => `/projects/${projectId}/pull-requests`,
  'pull-requests-none': ({ projectId }) => `/projects/${projectId}/pull-requests?state=closed`,
  analytics: ({ projectId }) => `/projects/${projectId}/analytics`,
  people: () => '/people',
  account: () => '/account',
  audit: () => '/audit',
  changes: ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes`,
  'changes-preview': ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes?view=preview`,
  'not-found': () => '/projects/acme/nowhere',
  'sign-in': () => '/sign-in',
  shared: ({ sharedPath }) => sharedPath,
};

describe.skipIf(!hasBrowser)('each page', () => {
  let browser: Browser;
  let docent: Installation;
  let furnished: Furnished;
  /** Bytes of each page. */
  const table: string[] = [];

  beforeAll(async () => {
    const env = { DOCENT_SECRET_KEY: randomBytes(32).toString('base64') };
    [browser, docent] = await Promise.all([
      launchBrowser(),
      Installation.started({ env, files: { ...SITE, ...AUTOMATION } }),
    ]);
    furnished = await furnish(docent);
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
    process.stdout.write(`First load, compressed:\n${table.join('\n')}\n`);
  });

  describe.each(Object.entries(LOOKS))('%s', (name, look) => {
    let visitor: Visitor;
    let tab: MeasuringTab;

    beforeAll(async () => {
      visitor = await Visitor.create(browser, docent.apiUrl, { look, token: docent.operatorToken });
      tab = await MeasuringTab.in(visitor.context, { isSlow: name === 'phone' });
    });
    afterAll(() => visitor?.close());
    afterEach(() => {
      visitor.wrong.length = 0;
    });

    test.each(Object.entries(PAGES))('%s', async (pageName, addressOf) => {
      const { page } = tab;
      await page.emulateMedia({ colorScheme: look.theme });
      const cost = await leastMoved(tab, docent.apiUrl + addressOf(furnished));
      await picture(page, `${pageName}-${name}`);
      expect(visitor.wrong).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await endlessAnimations(page)).toEqual([]);
      expect(cost.bytes).toBeGreaterThan(1_000);
      expect(cost.bytes).toBeLessThanOrEqual(MOST_BYTES);
      expect(cost.shift, cost.moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT);
      expect(cost.longestTaskMs).toBeLessThan(MOST_BLOCKED_MS);
      if (name === 'light') {
        table.push(`${pageName} ${(cost.bytes / 1_000).toFixed(1)} kB`);
        expect(await darkProblems(page), 'in the dark').toEqual([]);
        await picture(page, `${pageName}-dark`);
      }
    });
  });

  test('automations of files are compared, and applied by a button', async () => {
    const visitor = await Visitor.create(browser, docent.apiUrl, { look: LOOKS.light, token: docent.operatorToken });
    const page = await visitor.open(`/projects/${furnished.projectId}/automations`);
    const plan = page.getByRole('region', { name: 'Automations in the repository' });
    await plan.getByText('.docent/automations/weekly.yaml').first().waitFor();
    await plan.getByText('maxRunsPerDay: 1').waitFor();
    await plan.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Weekly typos' }).waitFor();
    await plan.waitFor({ state: 'detached' });
    const path = { projectId: furnished.projectId, automationId: 'weekly' };
    const { data } = await docent.client.GET('/v1/projects/{projectId}/automations/{automationId}', {
      params: { path },
    });
    expect(data).toMatchObject({ name: 'Weekly typos', maxRunsPerDay: 1, file: '.docent/automations/weekly.yaml' });
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });
});

async function leastMoved(tab: MeasuringTab, address: string): Promise<PageCost> {
  let cost = await tab.load(address);
  for (let loads = 1; loads < LOADS && cost.shift > MOST_SHIFT; loads++) cost = await tab.load(address);
  return cost;
}
