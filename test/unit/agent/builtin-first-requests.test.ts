import { describe, expect, test } from 'vitest';
import { mintlify } from '../../support/fixture-site.ts';

/**
 * Fifty first requests of people who read no docs, and the files that change. Empty: a refusal, or nothing to
 * do.
 */
const FIRST: [message: string, changed: string][] = [
  [
    "plz replace every occurance of 'Acme' by 'Globex'",
    'docs.json guides/webhooks.mdx index.mdx installation.mdx quickstart.mdx snippets/rate-limits.mdx',
  ],
  ['Change Acme Docs to Globex Docs everywhere', 'docs.json'],
  ['fix typo: deliveries -> shipments', 'guides/webhooks.mdx'],
  ['There\'s a typo on the webhooks page, "Failed" should be "Lost"', 'guides/webhooks.mdx'],
  ['fix the typo Faild in webhooks', ''],
  ['rename guides/hooks to guides/callbacks', ''],
  ['move the webhooks page into Concepts', ''],
  ['delete the page about projects', 'concepts/projects.mdx docs.json guides/webhooks.mdx index.mdx'],
  ['Add a Glossary page', 'docs.json glossary.mdx'],
  ['create a new page named Limits under guides with a section on quotas', 'docs.json guides/limits.mdx'],
  ['The installation page should mention Node 24', ''],
  ['fix all dead links and images please', 'concepts/links.mdx'],
  ['Fix broken links, then add a redirect from /hooks to guides/webhooks', 'concepts/links.mdx docs.json'],
  ['bump the year in the footer', ''],
  ['Please shorten the webhooks page', ''],
  ['Remplace "Acme" par "Globex"', ''],
  ['put "Beta." at the top of guides/webhooks', 'guides/webhooks.mdx'],
  [
    'on the Webhooks page rename the heading "Retries" to "Trying again"',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  ['remove the sentence "Write to support@acme.example." from all pages', 'index.mdx'],
  ['Put installation ahead of quickstart in the nav', 'docs.json'],
  ['change the title of the webhooks guide to Receive events', 'guides/webhooks.mdx'],
  ['Replace https://status.acme.example with https://status.globex.example', 'docs.json'],
  [
    'replace “Acme” with “Globex” but not in code',
    'docs.json guides/webhooks.mdx index.mdx installation.mdx quickstart.mdx snippets/rate-limits.mdx',
  ],
  ['Replace "Zorg" with "Quux"', ''],
  ['revert', ''],
  ['which pages do you know?', ''],
  ['Why does the build fail?', ''],
  ['write a description for each page', ''],
  ['delete all pages in guides', ''],
  ["rename section 'Guides' to 'How-to guides' in the sidebar", 'docs.json'],
  ['Add a section "Limits" to webhooks: Ten a second, no more.', 'guides/webhooks.mdx'],
  [
    'Replace "Acme" with "Globex" in quickstart and index, and fix the dead links',
    'concepts/links.mdx index.mdx quickstart.mdx',
  ],
  ['never delete guides/webhooks', ''],
  ['Delete guides/webhooks unless somebody reads it', ''],
  [
    'Replace "Acme" with "Globex" except in quickstart',
    'docs.json guides/webhooks.mdx index.mdx installation.mdx snippets/rate-limits.mdx',
  ],
  ['Replace "Acme" with "Globex" in quickstart, only the first occurrence', 'quickstart.mdx'],
  ['Please do not replace "Acme" with "Globex" on the quickstart page', ''],
  ['create page guides/sso "Single sign-on" and put it after webhooks', 'docs.json guides/sso.mdx'],
  ['take installation out of the navigation but keep the page', 'docs.json'],
  ['If quickstart mentions Acme, replace "Acme" with "Globex" there', ''],
  [
    'Replace "Acme" with "Globex" and leave quickstart alone',
    'docs.json guides/webhooks.mdx index.mdx installation.mdx snippets/rate-limits.mdx',
  ],
  ['Rename page quickstart => getting-started', 'docs.json getting-started.mdx index.mdx quickstart.mdx'],
  ['Move guides/webhooks to concepts and delete quickstart, no wait, keep it', ''],
  ['Do not ever replace "Acme" with "Globex"', ''],
  ['Delete the page guides/webhooks? Not sure.', ''],
  ['Replace "Acme" with "" in index', 'index.mdx'],
  ['Write all titles in lower case', ''],
  ['Append "Copyright 2027" to index.mdx.', 'index.mdx'],
  ['Add a redirect from /hooks to guides/webhoks', ''],
  [
    'Could you rename "Acme" to "Globex"?',
    'docs.json guides/webhooks.mdx index.mdx installation.mdx quickstart.mdx snippets/rate-limits.mdx',
  ],
];

/** Questions, negations, reports and second thoughts: nothing may change. */
const NOT_ASKED = [
  'Delete the page guides/webhooks?',
  'Delete guides/webhooks ?!',
  'Delete guides/webhooks, ok?',
  'Should we delete guides/webhooks?',
  'Would you delete guides/webhooks?',
  'Replace "Acme" with "Globex"?',
  'Replace "Acme" with "Globex" and delete guides/webhooks?',
  'Replace "Acme" with "Globex". Should I delete guides/webhooks?',
  'What if we delete guides/webhooks',
  "Don't delete guides/webhooks",
  'Don’t delete guides/webhooks',
  'do not replace Acme with Globex',
  'You must not delete guides/webhooks',
  'Never fix broken links',
  'Not delete guides/webhooks',
  'No need to delete guides/webhooks. Fix broken links.',
  'do not delete guides/webhooks; fix broken links',
  'Under no circumstances delete guides/webhooks',
  'Delete guides/webhooks but not now',
  'Delete guides/webhooks. No, wait.',
  'Delete guides/webhooks. Just kidding.',
  'Delete guides/webhooks - do not do this',
  'Delete guides/webhooks (not really)',
  'Delete guides/webhooks or quickstart',
  'Delete guides/webhooks instead of quickstart',
  'Delete guides/webhooks if nobody reads it',
  'Delete guides/webhooks tomorrow',
  'Maybe delete guides/webhooks',
  'I would not delete guides/webhooks',
  'We deleted the page guides/webhooks.',
  'We will delete the page guides/webhooks. Fix broken links.',
  'Bob said: Delete the page guides/webhooks',
  'Bob wrote "Delete the page guides/webhooks"',
  'Before you delete guides/webhooks, fix broken links',
  'Replace "Acme" with "Globex" in code',
  'Replace "Acme" with "Globex" except sometimes',
  'Replace "Acme" with either "Globex" or "Initech"',
  'replace sign in with log in quickstart',
  'replace the webhooks with callbacks',
  'change title to Webhooks',
  'Change the title of quickstart to ""',
  'Change the title of quickstart to something shorter',
  'Move guides/webhooks to https://example.com/x',
  'Remove "quickstart"',
  'delete everything',
  'delete all pages',
  'Fix broken links except in guides',
];

const siteWithBrokenLink = () => mintlify({ 'concepts/links.mdx': '[a](/quick-start)\n' });

describe('a first request', () => {
  test.each(FIRST)('changes what it asks for, or nothing: %s', async (message, changed) => {
    const own = siteWithBrokenLink();
    await own.say(message);
    expect(own.changed().join(' ')).toBe(changed);
  });

  test('is carried out half the time', () => {
    expect(FIRST.filter(([, changed]) => changed !== '').length / FIRST.length).toBeGreaterThanOrEqual(0.5);
    expect(FIRST).toHaveLength(50);
  });

  test.each(NOT_ASKED)('changes nothing if nothing is asked for: %s', async (message) => {
    const own = siteWithBrokenLink();
    const { outcome, text } = await own.say(message);
    expect([own.changed(), outcome]).toEqual([[], 'refused']);
    // Title, reason and links.
    expect(text.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(3);
  });
});
