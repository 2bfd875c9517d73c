import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRequest } from '@docent/recipes/read-request';
import { RECIPES } from '@docent/recipes/recipes';
import { testSentences, type Row } from '../../support/built-in-sentences.ts';

const NAV = 'docs.json';

const ROWS: Row[] = [
  // Replacing
  [
    'mintlify',
    'Replace "Installation" with "Set-up"',
    {
      changed: ['installation.mdx'],
      title: 'Replaced “Installation” with “Set-up” in 1 file',
      has: { 'installation.mdx': 'title: Set-up\n' },
      steps: 2,
    },
  ],
  [
    'mintlify',
    'replace “webhooks” with “callbacks” everywhere',
    {
      changed: ['guides/deploy/docker.mdx', 'index.mdx', 'quickstart.mdx'],
      title: 'Replaced “webhooks” with “callbacks” in 3 files',
      has: {
        'quickstart.mdx': '[Receive callbacks](guides/webhooks)',
        'guides/deploy/docker.mdx': '[callbacks](../webhooks#retries)',
      },
    },
  ],
  [
    'mintlify',
    "Please replace 'Failed' with 'Lost' in guides/webhooks.mdx.",
    {
      changed: ['guides/webhooks.mdx'],
      title: 'Replaced “Failed” with “Lost” in 1 file',
      has: { 'guides/webhooks.mdx': 'Lost deliveries are retried' },
    },
  ],
  [
    'mintlify',
    'Replace "Acme" with "Globex" in guides/**',
    {
      changed: ['guides/webhooks.mdx'],
      title: 'Replaced “Acme” with “Globex” in 1 file',
      has: {
        'guides/webhooks.mdx': 'Globex calls your endpoint for each event. GlobexHooks is the part of Globex that',
        'guides/authentication.mdx': '`Acme-Signature`',
      },
      says: 'Left 1 occurrence in code alone',
    },
  ],
  [
    'mintlify',
    'Replace `Acme` with `Globex` in guides/authentication.mdx, in code too',
    {
      changed: ['guides/authentication.mdx'],
      title: 'Replaced “Acme” with “Globex” in 1 file',
      has: { 'guides/authentication.mdx': '`Globex-Signature`' },
    },
  ],
  [
    'mintlify',
    'Replace "acme" with "globex" in installation and also in code',
    {
      changed: ['installation.mdx'],
      title: 'Replaced “acme” with “globex” in 1 file',
      has: { 'installation.mdx': 'npm install --global @globex/cli' },
    },
  ],
  [
    'mintlify',
    'Replace "acme" with "globex"',
    { changed: [], title: 'Found no “acme” to replace', says: /Left \d+ occurrences in code alone/ },
  ],
  [
    'mintlify',
    'Replace "https://status.acme.example" with "https://status.globex.example"',
    {
      changed: [NAV],
      title: 'Replaced “https://status.ac…” with “https://status.gl…” in 1 file',
      has: { [NAV]: '"href": "https://status.globex.example"' },
    },
  ],
  [
    'mintlify',
    'Replace "support@acme.example" with "help@globex.example"',
    {
      changed: ['index.mdx'],
      title: 'Replaced “support@acme.example” with “help@globex.example” in 1 file',
      has: { 'index.mdx': 'Write to help@globex.example.' },
    },
  ],
  [
    'mintlify',
    'Replace "key" with "token"',
    {
      changed: [
        'api-reference/introduction.mdx',
        'guides/authentication.mdx',
        'quickstart.mdx',
        'snippets/rate-limits.mdx',
      ],
      title: 'Replaced “key” in 3 files, brought 3 links up to date in 3 files',
      has: {
        'snippets/rate-limits.mdx': '[More on tokens](/guides/authentication#api-tokens)',
        'guides/authentication.mdx': '[token parameter](#param-authorization)',
      },
      lacks: { 'guides/authentication.mdx': '<token>' },
    },
  ],
  [
    'mintlify',
    'Replace "event" with "message" and "delivery" with "shipment"',
    {
      changed: ['concepts/projects.mdx', 'guides/webhooks.mdx', 'index.mdx', 'quickstart.mdx'],
      title: 'Replaced “event” in 3 files, replaced “delivery” in 2 files',
      has: { 'guides/webhooks.mdx': 'see [shipment states](../concepts/projects#delivery-states)' },
    },
  ],
  [
    'mintlify',
    'Replace "Get started" with "Begin here" in docs.json',
    {
      changed: [NAV],
      title: 'Replaced “Get started” with “Begin here” in 1 file',
      has: { [NAV]: '"group": "Begin here",' },
    },
  ],
  [
    'mintlify',
    'Replace "Retries" with "Trying again"',
    {
      changed: ['guides/authentication.mdx', 'guides/deploy/docker.mdx', 'guides/webhooks.mdx'],
      title: 'Replaced “Retries” in 1 file, brought 2 links up to date in 2 files',
      has: {
        'guides/authentication.mdx': '/guides/webhooks#trying-again',
        'guides/deploy/docker.mdx': '../webhooks#trying-again',
      },
    },
  ],
  [
    'mintlify',
    'Change "Pending" to "Waiting"',
    { changed: ['concepts/projects.mdx'], title: 'Replaced “Pending” with “Waiting” in 1 file' },
  ],
  [
    'mintlify',
    'Replace "Nowhere to be found" with "x"',
    { changed: [], title: 'Found no “Nowhere to be found” to replace' },
  ],
  [
    'mintlify',
    'Replace "art" with "craft"',
    {
      changed: ['x.mdx'],
      title: 'Replaced “art” with “craft” in 1 file',
      has: { 'x.mdx': "The craft of starting: craft's part, crafts and ArtDeco." },
      says: 'inside longer words alone',
    },
    { 'x.mdx': "The art of starting: art's part, arts and ArtDeco.\n" },
  ],
  [
    'mintlify',
    'Replace "Acme Cloud" with "Globex"',
    {
      changed: ['x.mdx'],
      title: 'Replaced “Acme Cloud” with “Globex” in 1 file',
      has: { 'x.mdx': 'Globex here' },
      says: 'Left 3 occurrences alone, with a line break or a no-break space between the words.',
    },
    { 'x.mdx': 'Acme Cloud here, Acme\nCloud and Acme\u00A0Cloud.\n', 'y.mdx': 'Also Acme\nCloud.\n\nAcme\n\nCloud\n' },
  ],
  [
    'mintlify',
    'Remove the text "a well-known fact" from x.mdx',
    { changed: ['x.mdx'], title: 'Removed the text “a well-known fact” from x.mdx' },
    { 'x.mdx': 'This is a well-known fact here.\n' },
  ],
  [
    'plain',
    'Replace "Tinyqueue" with "Microqueue" in docs/changelog.md',
    {
      changed: ['docs/changelog.md'],
      title: 'Replaced “Tinyqueue” with “Microqueue” in 1 file',
      has: { 'docs/changelog.md': '- Microqueue starts faster.\r\n- See' },
    },
  ],
  [
    'plain',
    'Replace "file" with "folder"',
    {
      changed: ['docs/guide/configuration.md', 'docs/guide/getting-started.md'],
      title: 'Replaced “file” with “folder” in 2 files',
    },
  ],
  [
    'mint-json',
    'replace "Initech" with "Intertrode" throughout the docs',
    {
      changed: ['introduction.mdx', 'mint.json'],
      title: 'Replaced “Initech” with “Intertrode” in 2 files',
      has: { 'mint.json': '\t"name": "Intertrode Reports",' },
    },
  ],
  [
    'mintlify',
    'Replace "Acme" with "Say \\"hi\\"" in docs.json',
    {
      changed: [NAV],
      title: 'Replaced “Acme” with “Say "hi"” in 1 file',
      has: { [NAV]: '"name": "Say \\"hi\\" Docs"' },
    },
  ],

  // Links
  ['mintlify', 'Fix broken links', { changed: [], title: 'Found no broken links', steps: 2 }],
  [
    'mintlify',
    'Fix all broken links and anchors',
    {
      changed: ['concepts/projects.mdx'],
      title: 'Fixed 5 broken links in 1 file',
      has: {
        'concepts/projects.mdx':
          /\/quickstart\)[^]*\/guides\/deploy\/docker\)[^]*\/guides\/webhooks#retries\)[^]*\/installation\)[^]*\/images\/delivery\.png\)[^]*\/nope\)/,
      },
      says: 'Found no clear target for 1 broken link: `/nope` in concepts/projects.mdx',
    },
    {
      'concepts/projects.mdx':
        '---\ntitle: Projects\n---\n\n## Environments\n\n<a id="delivery-states" />\n\n[a](/getting-started) [b](/docker) [c](/guides/webhooks#Retrys) [d](/Installation) ![e](/images/delivery.svg) [f](/nope)\n',
    },
  ],
  [
    'plain',
    'fix the dead links',
    {
      changed: ['docs/guide/x.md'],
      title: 'Fixed 4 broken links in 1 file',
      has: {
        'docs/guide/x.md':
          '[a](getting-started.md) [b](configuration.md#options) [c](../changelog.md) ![d](../assets/screen.png)\n\n`[a](gettingstarted.md)`\n',
      },
    },
    {
      'docs/guide/x.md':
        '# X\n\n[a](geting-started.md) [b](configuration.md#option) [c](changelog.md) ![d](screen.png)\n\n`[a](gettingstarted.md)`\n',
    },
  ],
  [
    'mintlify',
    'Repair broken links in guides/',
    { changed: ['guides/x.mdx'], title: 'Fixed 1 broken link in 1 file' },
    { 'guides/x.mdx': '[a](/quick-start)\n', 'x.mdx': '[a](/quick-start)\n' },
  ],

  // Several, and courtesies
  [
    'mintlify',
    'Hi! Could you please rename page installation to install; then replace "Homebrew" with "brew", and delete page guides/deploy/kubernetes. Thank you!',
    {
      changed: [
        NAV,
        'guides/deploy/docker.mdx',
        'guides/deploy/kubernetes.mdx',
        'index.mdx',
        'install.mdx',
        'installation.mdx',
        'quickstart.mdx',
      ],
      title: 'Moved installation.mdx to install.mdx and 2 more changes',
      steps: 2,
    },
  ],
  [
    'mintlify',
    '1. Add a page titled "A" at p\n2. Append a section "B" to p: b\n3. Rename page p to c',
    {
      changed: ['c.mdx', NAV],
      title: 'Added the page “A”, added a section “B” to p.mdx, moved p.mdx to c.mdx',
      has: { 'c.mdx': '---\ntitle: "A"\n---\n\n## B\n\nb\n', [NAV]: '"installation", "c"]' },
      lacks: { [NAV]: '"/p"' },
      steps: 3,
    },
  ],

  // Not understood: nothing is done by half
  [
    'mintlify',
    'Make the docs better',
    {
      changed: [],
      title: 'Changed nothing',
      says: /For other prompts, \[set up a model\]\(\/docs\/agent\/models#choose-a-model\)\.$/,
      steps: 1,
    },
  ],
  [
    'mintlify',
    'Replace "Acme" with "Globex" except in the changelog',
    { changed: [], title: 'Could not replace “Acme”', says: 'There is no file or folder changelog.' },
  ],
  [
    'mintlify',
    'Replace "Acme" with "Globex". Do not touch the index page.',
    {
      changed: [NAV, 'guides/webhooks.mdx', 'installation.mdx', 'quickstart.mdx', 'snippets/rate-limits.mdx'],
      title: 'Replaced “Acme” with “Globex” in 5 files',
    },
  ],
  ['mintlify', 'Replace the image with text', { changed: [], title: 'Changed nothing' }],
  ['mintlify', 'Thanks a lot!', { changed: [], title: 'Changed nothing' }],
];

const DOCS_PAGE = readFileSync(new URL('../../../docs/agent/builtin-editor.mdx', import.meta.url), 'utf8');

describe('the documentation of the built-in editor', () => {
  const blocks = [...DOCS_PAGE.matchAll(/```text\n([^]*?)\n```/g)].map(([, block]) => block!);
  const results = /^(?:Replaced|Fixed|Added|Created|Changed|Moved|Deleted|Renamed) /;

  test.each(blocks.filter((block) => !results.test(block)))('gives examples that it understands: %s', (block) => {
    expect(readRequest(block)).toMatchObject({ notUnderstood: [] });
    expect(readRequest(block).instructions.length).toBeGreaterThan(0);
  });
});

describe('the table of recipes', () => {
  const rows = [...DOCS_PAGE.matchAll(/^\| ([^|`]+) \| `([^`]+)` \|$/gm)].map(([, title, prompt]) => [title, prompt]);

  test('has every recipe, in order, with a prompt that is understood', () => {
    expect(rows.filter(([title]) => RECIPES.some((one) => one.title === title)).map(([title]) => title)).toEqual(
      RECIPES.map(({ title }) => title),
    );
    for (const recipe of RECIPES) {
      const [, prompt = ''] = rows.find(([title]) => title === recipe.title)!;
      expect([prompt, readRequest(prompt).notUnderstood]).toEqual([prompt, []]);
    }
  });
});

testSentences(ROWS);

describe('a number after a word', () => {
  test.each([
    ['Change port 8080 to 9090', 'port 8080', 'port 9090'],
    ['Replace version 1.2 with version 1.3', 'version 1.2', 'version 1.3'],
    ['replace Node 20 with 22 in quickstart', 'Node 20', 'Node 22'],
    ['find and replace 8080 with 9090', '8080', '9090'],
  ])('is replaced without the word: %s', (message, from, to) => {
    expect(readRequest(message).instructions).toMatchObject([{ kind: 'replace', from, to }]);
  });

  test.each(['Change timeout 30 to 60 seconds'])('is left alone if the new text has other words: %s', (message) => {
    expect(readRequest(message)).toMatchObject({ instructions: [], notUnderstood: [expect.any(String)] });
  });
});
