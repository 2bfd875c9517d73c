import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRequest } from '@docent/recipes/read-request';
import { RECIPES } from '@docent/recipes/recipes';
import { mintJson, mintlify, plain, type Files, type Site } from '../../support/fixture-site.ts';

interface Expected {
  /** Paths that differ afterwards, all of them. */
  changed: string[];
  title: string;
  has?: Record<string, string | RegExp>;
  lacks?: Record<string, string | RegExp>;
  /** What the closing words say. */
  says?: string | RegExp;
  steps?: number;
}

type Row = [site: 'mintlify' | 'mint-json' | 'plain', message: string, expected: Expected, extra?: Files];

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

  // New pages
  [
    'mintlify',
    'Add a page titled "Errors" at guides/errors',
    {
      changed: [NAV, 'guides/errors.mdx'],
      title: 'Added the page “Errors”',
      has: {
        'guides/errors.mdx': /^---\ntitle: "Errors"\n---\n$/,
        [NAV]: '"guides/authentication",\n              "guides/errors",\n              {',
      },
      steps: 3,
    },
  ],
  [
    'mintlify',
    'Create a new page called "Teams" at `concepts/teams.mdx` with the text "A team owns projects."',
    {
      changed: ['concepts/teams.mdx', NAV],
      title: 'Added the page “Teams”',
      has: {
        'concepts/teams.mdx': '---\ntitle: "Teams"\n---\n\nA team owns projects.\n',
        [NAV]: '"concepts/projects",\n              "concepts/teams"',
      },
    },
  ],
  [
    'mintlify',
    'Add a page titled "FAQ" at /faq: Is it free? Yes, it is.\n\nAnd open? That too.',
    {
      changed: [NAV, 'faq.mdx'],
      title: 'Added the page “FAQ”',
      has: {
        'faq.mdx': 'Is it free? Yes, it is.\n\nAnd open? That too.\n',
        [NAV]: '["index", "quickstart", "installation", "faq"]',
      },
    },
  ],
  [
    'mintlify',
    'Add a page titled "Changelog" at changelog in group "Concepts"',
    {
      changed: ['changelog.mdx', NAV],
      title: 'Added the page “Changelog”',
      has: { [NAV]: '"concepts/projects",\n              "changelog"' },
    },
  ],
  [
    'mintlify',
    'Add a page titled "Changelog" at changelog in group "News"',
    {
      changed: [],
      title: 'Could not add the page “Changelog”',
      says: 'The navigation has no group "News". It has "Get started", "Guides", "Deploying Acme", "Concepts", "Endpoints".',
    },
  ],
  [
    'mintlify',
    'Add a page titled "Again" at quickstart',
    { changed: [], title: 'Could not add the page “Again”', says: 'quickstart.mdx already exists' },
  ],
  [
    'mintlify',
    'Write a page titled "Podman" in the guides/deploy folder',
    {
      changed: [NAV, 'guides/deploy/podman.mdx'],
      title: 'Added the page “Podman”',
      has: { [NAV]: '"guides/deploy/kubernetes",\n                  "guides/deploy/podman"' },
    },
  ],
  [
    'mintlify',
    'Add a page "Glossary" with this text:\n```mdx\n# Glossary\n\n<Note>All terms.</Note>\n```',
    {
      changed: [NAV, 'glossary.mdx'],
      title: 'Added the page “Glossary”',
      has: { 'glossary.mdx': '---\ntitle: "Glossary"\n---\n\n<Note>All terms.</Note>\n' },
    },
  ],
  [
    'plain',
    'Add a page titled "Recipes" at guide/recipes: Some recipes.',
    {
      changed: ['docs/guide/recipes.md'],
      title: 'Added the page “Recipes”',
      has: { 'docs/guide/recipes.md': '# Recipes\n\nSome recipes.\n' },
    },
  ],
  [
    'mint-json',
    'Add a page titled "Lists" at essentials/lists with text "One; two."',
    {
      changed: ['essentials/lists.mdx', 'mint.json'],
      title: 'Added the page “Lists”',
      has: { 'mint.json': '"pages": ["essentials/formatting", "essentials/tables", "essentials/lists"]' },
    },
  ],

  // Sections
  [
    'mintlify',
    'Append a section "FAQ" to guides/webhooks: Nothing yet.',
    {
      changed: ['guides/webhooks.mdx'],
      title: 'Added a section “FAQ” to guides/webhooks.mdx',
      has: { 'guides/webhooks.mdx': '[in a container][docker].\n\n## FAQ\n\nNothing yet.\n' },
      steps: 2,
    },
  ],
  [
    'plain',
    'add a section "v1.3.0" with text "- Faster again." to docs/changelog.md',
    {
      changed: ['docs/changelog.md'],
      title: 'Added a section “v1.3.0” to docs/changelog.md',
      has: { 'docs/changelog.md': '(guide/configuration.md).\r\n\r\n## v1.3.0\r\n\r\n- Faster again.\r\n' },
    },
  ],
  [
    'mintlify',
    'Append the text "Good luck!" to the page installation.',
    {
      changed: ['installation.mdx'],
      title: 'Added text to installation.mdx',
      has: { 'installation.mdx': '\n\nGood luck!\n' },
    },
  ],
  [
    'mintlify',
    'Append a section "Limits" to quickstart with text "At most {count} < 5"',
    {
      changed: ['quickstart.mdx'],
      title: 'Added a section “Limits” to quickstart.mdx',
      has: { 'quickstart.mdx': 'At most \\{count\\} < 5\n' },
    },
  ],
  [
    'mintlify',
    'Append a section "X" to guides/nowhere: text',
    { changed: [], title: 'Could not add a section “X” to guides/nowhere', says: 'There is no file guides/nowhere.' },
  ],

  // Moving
  [
    'mintlify',
    'Rename page `guides/authentication` to `guides/signing-in`',
    {
      changed: [
        'api-reference/introduction.mdx',
        NAV,
        'guides/authentication.mdx',
        'guides/signing-in.mdx',
        'guides/webhooks.mdx',
        'quickstart.mdx',
        'snippets/rate-limits.mdx',
      ],
      title: 'Moved guides/authentication.mdx to guides/signing-in.mdx',
      has: {
        'guides/webhooks.mdx': '[Read about signatures](signing-in#signatures)',
        'quickstart.mdx': '](./guides/signing-in#api-keys)',
        [NAV]: '{ "source": "/guides/authentication", "destination": "/guides/signing-in" }',
      },
      steps: 2,
    },
  ],
  [
    'mintlify',
    'Move guides/deploy/docker to docker and update all links.',
    {
      changed: [
        'docker.mdx',
        NAV,
        'guides/deploy/docker.mdx',
        'guides/deploy/kubernetes.mdx',
        'guides/webhooks.mdx',
        'installation.mdx',
        'quickstart.mdx',
      ],
      title: 'Moved guides/deploy/docker.mdx to docker.mdx',
      has: {
        'docker.mdx': '[Kubernetes](./guides/deploy/kubernetes) or back to [webhooks](./guides/webhooks#retries)',
        'guides/deploy/kubernetes.mdx': '[Docker image](../../docker#image)',
        'guides/webhooks.mdx': '[docker]: ../docker "Docker"',
        [NAV]: '"docker",\n                  "guides/deploy/kubernetes"',
      },
    },
  ],
  [
    'mintlify',
    'move the image images/delivery.png to images/graphs/delivery.png',
    {
      changed: ['guides/webhooks.mdx', 'images/delivery.png', 'images/graphs/delivery.png'],
      title: 'Moved images/delivery.png to images/graphs/delivery.png',
      has: { 'guides/webhooks.mdx': '![Delivery graph](../images/graphs/delivery.png)' },
    },
  ],
  [
    'mintlify',
    'Rename page quickstart to "Start here"',
    {
      changed: ['quickstart.mdx'],
      title: 'Changed the title of quickstart to “Start here”',
      has: { 'quickstart.mdx': '---\ntitle: "Start here"\n' },
    },
  ],
  [
    'plain',
    'Move docs/guide/getting-started.md to docs/start.md',
    {
      changed: ['docs/README.md', 'docs/guide/getting-started.md', 'docs/start.md'],
      title: 'Moved docs/guide/getting-started.md to docs/start.md',
      has: {
        'docs/README.md': '[Getting started](start.md)',
        'docs/start.md':
          /\(\.\/guide\/configuration\.md\)[^]*\[back\]\(\.\/README\.md\)[^]*\[options\]: guide\/configuration\.md#options/,
      },
    },
  ],
  [
    'mint-json',
    'Rename the page introduction to overview',
    {
      changed: ['essentials/tables.mdx', 'introduction.mdx', 'mint.json', 'overview.mdx'],
      title: 'Moved introduction.mdx to overview.mdx',
      has: { 'mint.json': '"pages": ["overview", "guides/first-report"]' },
    },
  ],
  [
    'mintlify',
    'Move guides/webhooks to quickstart',
    { changed: [], title: 'Could not move guides/webhooks', says: 'quickstart.mdx already exists' },
  ],
  [
    'mintlify',
    'Move guides/webhoks to guides/hooks',
    { changed: [], title: 'Could not move guides/webhoks', says: 'Did you mean guides/webhooks.mdx?' },
  ],
  ['mintlify', 'Move guides/webhooks to ../../etc/passwd', { changed: [], title: 'Could not move guides/webhooks' }],
  [
    'mintlify',
    'Rename page snippets/rate-limits.mdx to snippets/limits.mdx',
    {
      changed: ['quickstart.mdx', 'snippets/limits.mdx', 'snippets/rate-limits.mdx'],
      title: 'Moved snippets/rate-limits.mdx to snippets/limits.mdx',
      has: { 'quickstart.mdx': "import RateLimits from '/snippets/limits.mdx';" },
    },
  ],

  // Titles
  [
    'mintlify',
    'Change the title of page installation to "Install: the basics"',
    {
      changed: ['installation.mdx'],
      title: 'Changed the title of installation to “Install: the basics”',
      has: { 'installation.mdx': '---\ntitle: "Install: the basics"\ndescription' },
    },
  ],
  [
    'mint-json',
    'Change the title of introduction to "What\'s new"',
    {
      changed: ['introduction.mdx'],
      title: "Changed the title of introduction to “What's new”",
      has: { 'introduction.mdx': "title: 'What''s new'\n" },
    },
  ],
  [
    'plain',
    'Set the title of guide/configuration to "Settings"',
    {
      changed: ['docs/guide/configuration.md'],
      title: 'Changed the title of guide/configuration to “Settings”',
      has: { 'docs/guide/configuration.md': /^# Settings\n\n## Options/ },
    },
  ],

  // Deleting
  [
    'mintlify',
    'Delete page concepts/projects',
    {
      changed: ['concepts/projects.mdx', NAV, 'guides/webhooks.mdx', 'index.mdx'],
      title: 'Deleted concepts/projects.mdx',
      has: { 'index.mdx': 'or read about\nprojects.\n', 'guides/webhooks.mdx': 'see delivery states.' },
      lacks: { [NAV]: '"Concepts"' },
    },
  ],
  [
    'mintlify',
    'Delete the page guides/webhooks and redirect it to /guides/authentication',
    {
      changed: [
        NAV,
        'guides/authentication.mdx',
        'guides/deploy/docker.mdx',
        'guides/webhooks.mdx',
        'index.mdx',
        'quickstart.mdx',
      ],
      title: 'Deleted guides/webhooks.mdx',
      has: {
        'index.mdx': 'href="/guides/authentication"',
        [NAV]: '{ "source": "/guides/webhooks", "destination": "/guides/authentication" }',
      },
    },
  ],
  [
    'mintlify',
    'Remove the pages guides/deploy/docker and guides/deploy/kubernetes',
    {
      changed: [
        NAV,
        'guides/deploy/docker.mdx',
        'guides/deploy/kubernetes.mdx',
        'guides/webhooks.mdx',
        'installation.mdx',
        'quickstart.mdx',
      ],
      title: 'Deleted guides/deploy/docker.mdx, deleted guides/deploy/kubernetes.mdx',
      lacks: { [NAV]: 'Deploying Acme' },
    },
  ],
  [
    'mintlify',
    'Delete page docs.json',
    { changed: [], title: 'Could not delete docs.json', says: 'configuration and must stay' },
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
const OPEN: Record<Row[0], (extra?: Files) => Site> = { mintlify, 'mint-json': mintJson, plain };

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

describe('the built-in editor carries out', () => {
  test.each(ROWS)('on %s: %s', async (name, message, expected, extra) => {
    const site = OPEN[name](extra);
    const { text, steps } = await site.say(message);
    expect(text.split('\n')[0]).toBe(expected.title);
    expect(text.split('\n')[0]!.length).toBeLessThanOrEqual(72);
    expect(site.changed()).toEqual(expected.changed);
    for (const [path, part] of Object.entries(expected.has ?? {})) {
      if (typeof part === 'string') expect(site.text(path)).toContain(part);
      else expect(site.text(path)).toMatch(part);
    }
    for (const [path, part] of Object.entries(expected.lacks ?? {})) expect(site.text(path)).not.toContain(part);
    if (expected.says) expect(text).toMatch(expected.says);
    if (expected.steps) expect(steps).toBe(expected.steps);
    // Deleting a page without naming another leaves no redirect: that is for people to decide.
    expect(site.introduced().filter((line) => !line.includes('missing-redirect'))).toEqual([]);
  });
});

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
