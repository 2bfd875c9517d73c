import { testSentences } from '../../support/built-in-sentences.ts';

const NAV = 'docs.json';

testSentences([
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
]);
