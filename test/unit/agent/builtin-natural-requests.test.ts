import { describe, expect, test } from 'vitest';
import { mintlify } from '../../support/fixture-site.ts';

/**
 * What people write who have not read what the editor understands: what it comes to, its title, and the files
 * that change.
 */
const NATURAL: [message: string, outcome: string, title: string, changed: string][] = [
  [
    'In guides/webhooks.mdx replace "Failed" with "Lost"',
    'changed',
    'Replaced “Failed” with “Lost” in 1 file',
    'guides/webhooks.mdx',
  ],
  [
    'In guides/webhooks, please replace “Failed” with “Lost”.',
    'changed',
    'Replaced “Failed” with “Lost” in 1 file',
    'guides/webhooks.mdx',
  ],
  [
    "On the page quickstart, replace 'Acme' with 'Globex'",
    'changed',
    'Replaced “Acme” with “Globex” in 1 file',
    'quickstart.mdx',
  ],
  [
    'in /guides/webhooks change "Failed" to "Lost"',
    'changed',
    'Replaced “Failed” with “Lost” in 1 file',
    'guides/webhooks.mdx',
  ],
  [
    'Could you replace "Failed" by "Lost" on the Webhooks page?',
    'changed',
    'Replaced “Failed” with “Lost” in 1 file',
    'guides/webhooks.mdx',
  ],
  [
    'replace webhooks with callbacks everywhere',
    'changed',
    'Replaced “webhooks” with “callbacks” in 3 files',
    'guides/deploy/docker.mdx index.mdx quickstart.mdx',
  ],
  ['Swap "Acme" for "Globex" in index.mdx, thanks!', 'changed', 'Replaced “Acme” with “Globex” in 1 file', 'index.mdx'],
  [
    'In the file index.mdx: replace "Acme" with "Globex"',
    'changed',
    'Replaced “Acme” with “Globex” in 1 file',
    'index.mdx',
  ],
  [
    'Inside guides/, replace "Acme" with "Globex"',
    'changed',
    'Replaced “Acme” with “Globex” in 1 file',
    'guides/webhooks.mdx',
  ],
  ['Replace "Acme" with nothing in installation', 'changed', 'Replaced “Acme” with “” in 1 file', 'installation.mdx'],
  ['Change "Acme" to an empty string in index', 'changed', 'Replaced “Acme” with “” in 1 file', 'index.mdx'],
  [
    'Kindly rename quickstart.mdx into start.mdx',
    'changed',
    'Moved quickstart.mdx to start.mdx',
    'docs.json index.mdx quickstart.mdx start.mdx',
  ],
  ['Remove the word "Acme" from index', 'changed', 'Removed the text “Acme” from index.mdx', 'index.mdx'],
  [
    'Remove "Acme" everywhere',
    'changed',
    'Removed the text “Acme” from 4 pages',
    'guides/webhooks.mdx index.mdx quickstart.mdx snippets/rate-limits.mdx',
  ],
  [
    'Change the title of quickstart to "First steps"',
    'changed',
    'Changed the title of quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    'Change the title of quickstart to First steps',
    'changed',
    'Changed the title of quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    'Please change the title of the page quickstart from "Quickstart" to "First steps".',
    'changed',
    'Changed the title of quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    "Set the title of /quickstart to 'First steps'",
    'changed',
    'Changed the title of /quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    'set quickstart.mdx\'s title to "First steps"',
    'changed',
    'Changed the title of quickstart.mdx to “First steps”',
    'quickstart.mdx',
  ],
  [
    'On quickstart, change the title to "First steps"',
    'changed',
    'Changed the title of quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    'Change the Quickstart page title to "First steps"',
    'changed',
    'Changed the title of Quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    'Rename the Quickstart page to "First steps"',
    'changed',
    'Changed the title of Quickstart to “First steps”',
    'quickstart.mdx',
  ],
  [
    'Change the description of quickstart to "Send your first event."',
    'changed',
    'Changed the description of quickstart.mdx',
    'quickstart.mdx',
  ],
  [
    'Set the description of guides/webhooks.mdx to “How events reach you.”',
    'changed',
    'Changed the description of guides/webhooks.mdx',
    'guides/webhooks.mdx',
  ],
  [
    'Update the meta description on the Webhooks page to "How events reach you."',
    'changed',
    'Changed the description of guides/webhooks.mdx',
    'guides/webhooks.mdx',
  ],
  [
    'Add a description "How events reach you." to guides/webhooks',
    'changed',
    'Changed the description of guides/webhooks.mdx',
    'guides/webhooks.mdx',
  ],
  [
    "give guides/webhooks the description 'How events reach you.'",
    'changed',
    'Changed the description of guides/webhooks.mdx',
    'guides/webhooks.mdx',
  ],
  [
    'In quickstart set the description to "Send your first event."',
    'changed',
    'Changed the description of quickstart.mdx',
    'quickstart.mdx',
  ],
  ['Change the description for index: "Docs of Acme"', 'changed', 'Changed the description of index.mdx', 'index.mdx'],
  [
    'Rename the heading "Retries" to "Trying again" in guides/webhooks',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'rename heading Retries to Trying again in guides/webhooks.mdx',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Change the heading “Retries” on the Webhooks page to “Trying again”',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'In guides/webhooks, rename the section "Retries" to "Trying again"',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Change the "Retries" heading in /guides/webhooks to "Trying again".',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Rename the heading "Retries" to "Trying again"',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    "Could you please change the header 'Retries' into 'Trying again' in guides/webhooks?",
    'changed',
    'Renamed the heading “Retries” to “Trying again” in guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Remove the section "Retries" from guides/webhooks',
    'changed',
    'Removed the section “Retries” from guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Delete the Retries section from the Webhooks page',
    'changed',
    'Removed the section “Retries” from guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    "In guides/webhooks delete the section 'Retries'.",
    'changed',
    'Removed the section “Retries” from guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'remove the "Retries" section',
    'changed',
    'Removed the section “Retries” from guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Drop the whole section called Retries in guides/webhooks.mdx',
    'changed',
    'Removed the section “Retries” from guides/webhooks.mdx',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Remove the sentence "Every project has a test and a live environment." from concepts/projects',
    'changed',
    'Removed the text “Every project has a tes…” from concepts/projects.mdx',
    'concepts/projects.mdx',
  ],
  [
    "Delete the sentence 'Write to support@acme.example.' on the page index",
    'changed',
    'Removed the text “Write to support@acme.e…” from index.mdx',
    'index.mdx',
  ],
  [
    'Remove "Write to support@acme.example." from index.mdx',
    'changed',
    'Removed the text “Write to support@acme.e…” from index.mdx',
    'index.mdx',
  ],
  [
    'Take out the sentence “Write to support@acme.example.”',
    'changed',
    'Removed the text “Write to support@acme.e…” from index.mdx',
    'index.mdx',
  ],
  [
    'Rename the group "Guides" to "How-to guides"',
    'changed',
    'Renamed the group “Guides” to “How-to guides”',
    'docs.json',
  ],
  [
    'Rename the navigation group Guides to How-to guides',
    'changed',
    'Renamed the group “Guides” to “How-to guides”',
    'docs.json',
  ],
  ['rename the Guides group to How-to', 'changed', 'Renamed the group “Guides” to “How-to”', 'docs.json'],
  [
    'Change the sidebar section "Concepts" to "Key concepts"',
    'changed',
    'Renamed the group “Concepts” to “Key concepts”',
    'docs.json',
  ],
  [
    'In the navigation, rename "Concepts" to "Key concepts"',
    'changed',
    'Renamed the group “Concepts” to “Key concepts”',
    'docs.json',
  ],
  [
    'Move installation before quickstart',
    'changed',
    'Moved installation before quickstart in the navigation',
    'docs.json',
  ],
  [
    'Move the page installation above quickstart in the navigation',
    'changed',
    'Moved installation before quickstart in the navigation',
    'docs.json',
  ],
  [
    'Put quickstart after installation in the sidebar.',
    'changed',
    'Moved quickstart after installation in the navigation',
    'docs.json',
  ],
  [
    'Move the group "Concepts" to the top',
    'changed',
    'Moved the group “Concepts” to the top in the navigation',
    'docs.json',
  ],
  [
    'Move the Concepts group before the Guides group',
    'changed',
    'Moved the group “Concepts” before the group “Guides” in the navigation',
    'docs.json',
  ],
  [
    'Put installation first in "Get started"',
    'changed',
    'Moved installation to the top of the group “Get started”',
    'docs.json',
  ],
  [
    'Put installation first in the Get started group',
    'changed',
    'Moved installation to the top of the group “Get started”',
    'docs.json',
  ],
  [
    'Move quickstart to the end of the group "Get started"',
    'changed',
    'Moved quickstart to the end of the group “Get started” in the navigation',
    'docs.json',
  ],
  [
    'Move the page guides/webhooks to the group "Concepts"',
    'changed',
    'Moved webhooks to the end of the group “Concepts” in the navigation',
    'docs.json',
  ],
  [
    'Add a redirect from /old-start to /quickstart',
    'changed',
    'Added a redirect from /old-start to /quickstart',
    'docs.json',
  ],
  ['add redirect /old-start -> quickstart', 'changed', 'Added a redirect from /old-start to /quickstart', 'docs.json'],
  ['Redirect /old-start to /quickstart', 'changed', 'Added a redirect from /old-start to /quickstart', 'docs.json'],
  [
    'Please create a redirect from `/docs/start` to `/quickstart`.',
    'changed',
    'Added a redirect from /docs/start to /quickstart',
    'docs.json',
  ],
  [
    'Set up a 301 redirect from /old to https://acme.example/new',
    'changed',
    'Added a redirect from /old to https://acme.example/new',
    'docs.json',
  ],
  [
    'Rename page concepts/projects to concepts/workspaces',
    'changed',
    'Moved concepts/projects.mdx to concepts/workspaces.mdx',
    'concepts/projects.mdx concepts/workspaces.mdx docs.json guides/webhooks.mdx index.mdx',
  ],
  ['Move guides/webhooks to concepts', 'refused', 'Could not move guides/webhooks', ''],
  ['Fix all broken links please', 'unchanged', 'Found no broken links', ''],
  ['Fix the broken links on the Webhooks page', 'unchanged', 'Found no broken links', ''],
  [
    'Add a page titled "FAQ" at guides/faq in the group "Guides"',
    'changed',
    'Added the page “FAQ”',
    'docs.json guides/faq.mdx',
  ],
  ['Create a page called FAQ in guides', 'changed', 'Added the page “FAQ”', 'docs.json guides/faq.mdx'],
  [
    'Add a section "Limits" to guides/webhooks with the text "Ten a second."',
    'changed',
    'Added a section “Limits” to guides/webhooks.mdx',
    'guides/webhooks.mdx',
  ],
  [
    'In guides/webhooks, add a section "Limits" with the text "Ten a second."',
    'changed',
    'Added a section “Limits” to guides/webhooks.mdx',
    'guides/webhooks.mdx',
  ],
  [
    'Delete the page concepts/projects',
    'changed',
    'Deleted concepts/projects.mdx',
    'concepts/projects.mdx docs.json guides/webhooks.mdx index.mdx',
  ],
  [
    'Please delete concepts/projects.mdx and redirect it to /quickstart',
    'changed',
    'Deleted concepts/projects.mdx',
    'concepts/projects.mdx docs.json guides/webhooks.mdx index.mdx',
  ],
  [
    'Rename the heading "Retries" to "Trying again" in guides/webhooks and change its title to "Hooks"',
    'changed',
    'Renamed the heading “Retries” to “Trying again” in gu… and 1 more change',
    'guides/authentication.mdx guides/deploy/docker.mdx guides/webhooks.mdx',
  ],
  [
    'Change the title of quickstart to "First steps" and set its description to "Send an event."',
    'changed',
    'Changed the title of quickstart to “First steps” and 1 more change',
    'quickstart.mdx',
  ],
  ['What can you do?', 'answered', 'What the built-in editor carries out', ''],
  ['help', 'answered', 'What the built-in editor carries out', ''],
];

describe('a request in the words of someone new', () => {
  test.each(NATURAL)('%s: %s', async (message, outcome, title, changed) => {
    const site = mintlify();
    const said = await site.say(message);
    expect(said.text.split('\n')[0]).toBe(title);
    expect(title.length).toBeLessThanOrEqual(72);
    expect(site.changed().join(' ')).toBe(changed);
    expect(said.outcome ?? 'changed').toBe(outcome);
    expect(site.introduced().filter((line) => !line.includes('missing-redirect'))).toEqual([]);
  });
});

describe('a request that is beyond it', () => {
  test.each([
    ['Replace "Nowhere to be found" with "x"', 'unchanged'],
    ['Replace outdated screenshots with new ones', 'refused'],
    ['Replace fancy screenshots with plain ones', 'refused'],
    ['Delete page nowhere', 'refused'],
    ['Fix broken links', 'unchanged'],
    ['Thanks a lot!', 'refused'],
    ['Go on', 'unchanged'],
  ])('says what it came to: %s', async (message, outcome) => {
    expect((await mintlify().say(message)).outcome).toBe(outcome);
  });

  test('names the page that it could not search for a text', async () => {
    const site = mintlify({ 'old.mdx': Buffer.from('\ufeff# Initech', 'utf16le') });
    const { text } = await site.say('Replace "Initech" with "Globex" in old');
    expect(text).toContain('old.mdx is text in UTF-16');
  });

  test('leaves all of a message undone of which one sentence is beyond it', async () => {
    const site = mintlify();
    const { text, outcome } = await site.say(
      'Change the title of quickstart to "First steps". Translate it into German.',
    );
    expect([site.changed(), outcome]).toEqual([[], 'refused']);
    expect(text).toContain('Nothing in that message was carried out.');
  });
});
