import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  hasBrowser,
  launchBrowser,
  LOOKS,
  overflow,
  picture,
  Visitor,
} from '../support/browser/browser.ts';
import { Installation } from '../support/installation.ts';
import { furnish, type Furnished } from '../support/browser/furnish.ts';

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
  audit: () => '/audit',
  changes: ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes`,
  'changes-preview': ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes?view=preview`,
  'not-found': () => '/projects/acme/nowhere',
  'sign-in': () => '/sign-in',
};

describe.skipIf(!hasBrowser)('each page, in each theme and on a telephone', () => {
  let browser: Browser;
  let docent: Installation;
  let furnished: Furnished;

  beforeAll(async () => {
    const env = { DOCENT_SECRET_KEY: randomBytes(32).toString('base64') };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ env })]);
    furnished = await furnish(docent);
  });
  afterAll(async () => {
    await browser?.close();
    await docent?.stop();
  });

  describe.each(Object.entries(LOOKS))('%s', (name, look) => {
    test.each(Object.entries(PAGES))('%s', async (page, addressOf) => {
      const visitor = await Visitor.create(browser, docent.apiUrl, { look, token: docent.operatorToken });
      const opened = await visitor.open(addressOf(furnished));
      await picture(opened, `${page}-${name}`);
      expect(visitor.wrong).toEqual([]);
      expect(await accessibilityProblems(opened)).toEqual([]);
      expect(await overflow(opened)).toBeLessThanOrEqual(0);
      await visitor.close();
    });
  });
});
