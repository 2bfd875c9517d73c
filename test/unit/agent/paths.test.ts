import { describe, expect, test } from 'vitest';
import { readRequest } from '@docent/recipes/read-request';
import { docsFolderProblem } from '@docent/agent/docs-folder';
import { Workspace } from '@docent/git/workspace';
import { folderIn } from '@docent/cli/parsing';
import { Site, type Files } from '../../support/fixture-site.ts';

const page = (title: string, text = '') => `---\ntitle: "${title}"\n---\n\n${text}\n`;

/** A Mintlify site at the top: `guides/` is a folder and, by its index, a page. */
const TOP: Files = {
  'docs.json': JSON.stringify({
    navigation: {
      pages: ['index', { group: 'Guides', pages: ['guides/index', 'guides/client', 'guides/deploy/docker'] }],
    },
  }),
  'index.mdx': page('Home', '[guides](/guides) [client](/guides/client) ![x](/guides/x.png)'),
  'guides/index.mdx': page('Guides', '[client](./client) [docker](/guides/deploy/docker)'),
  'guides/client.mdx': page('Client setup', '[home](../index) ![x](./x.png)'),
  'guides/deploy/docker.mdx': page('Docker'),
  'guides/x.png': 'x\0',
};

/** A MkDocs site in `docs/`, the folder that may be changed, beside code. */
const BESIDE_CODE: Files = {
  'mkdocs.yml': 'site_name: X\n',
  'docs/index.md': '# Home\n',
  'docs/guides/start.md': '# Start\n',
  'docs/api/errors.md': '# Errors\n',
  'src/main.ts': 'x',
  'api/server.ts': 'x',
  'README.md': '# X\n',
};

const top = (extra: Files = {}) => new Site({ ...TOP, ...extra });
const beside = (extra: Files = {}) => new Site({ ...BESIDE_CODE, ...extra }, { docsDir: 'docs' });

const mkdocs = (nav: string) =>
  new Site(
    {
      'mkdocs.yml': `site_name: X\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old.md: index.md\n${nav}`,
      'docs/index.md': '# Home\n',
      'docs/start.md': '# Start\n',
      'astro.config.mjs': '',
      'website/sidebars.js': '',
      'package.json': '{}',
    },
    { docsDir: 'docs' },
  );

describe('the configuration of a site above the docs folder', () => {
  test('follows moves and takes in new pages', () => {
    const site = mkdocs('nav:\n  - index.md\n  - start.md\n');
    expect(site.call('move', { from: 'docs/start.md', to: 'docs/begin.md' }).ok).toBe(true);
    expect(site.call('write', { path: 'docs/new.md', content: '# New\n', navigation: true }).ok).toBe(true);
    expect(site.text('mkdocs.yml')).toContain('  - begin.md\n  - new.md\n');
    expect(site.text('mkdocs.yml')).toContain('start.md: begin.md');
    expect(site.introduced()).toEqual([]);
    Workspace.check(site.base, site.workspace.changes(), site.policy);
  });

  test('of Mintlify and Docusaurus follows the same way', () => {
    const navigation = JSON.stringify({ navigation: { pages: ['guides/a'] } });
    const mint = new Site({ 'docs.json': navigation, 'guides/a.mdx': page('A') }, { docsDir: 'guides' });
    expect(mint.call('move', { from: 'guides/a', to: 'guides/b' }).ok).toBe(true);
    expect(mint.text('docs.json')).toContain('guides/b');
    const docusaurus = new Site(
      {
        'website/docusaurus.config.js': 'module.exports = { presets: [["classic", { docs: { sidebarPath: "./sidebars.json" } }]] };\n',
        'website/sidebars.json': '{"docs": ["a"]}',
        'website/docs/a.md': '# A\n',
      },
      { docsDir: 'website/docs' },
    ); // oxfmt-ignore
    expect(docusaurus.call('move', { from: 'website/docs/a.md', to: 'website/docs/b.md' }).ok).toBe(true);
    expect(docusaurus.text('website/sidebars.json')).toContain('"b"');
  });

  test('is not deleted or moved, nor made, nor any other file changed', () => {
    const site = mkdocs('');
    for (const path of ['mkdocs.yml', 'website/sidebars.js']) {
      expect(() => site.workspace.remove(path)).toThrow(/outside docs/);
    }
    expect(() => site.workspace.move('mkdocs.yml', 'docs/mkdocs.yml')).toThrow(/outside docs/);
    for (const path of ['website/sidebars.js', 'docs.json', 'package.json', 'README.md']) {
      expect(() => site.workspace.write(path, 'x')).toThrow();
    }
  });
});

describe('a docs folder', () => {
  const files: Files = {
    'documentation/a.md': '# A\n',
    'website/docs/a.md': '# A\n',
    'empty/x.txt': '',
    docs: { symlink: 'website/docs' },
    sub: { submodule: 'a'.repeat(40) },
    'README.md': '# R\n',
  };
  const site = new Site(files);
  const problem = (docsDir: string) => {
    const docs = new Site(files, { docsDir }).docs();
    return docsFolderProblem({ base: site.base, files: site.workspace, site: docs.site }, docsDir);
  };

  test.each([
    ['', null],
    ['documentation', null],
    ['documentaton', 'The repository has no folder documentaton. Did you mean documentation?'],
    ['Documentation', 'The repository has no folder Documentation. Did you mean documentation?'],
    ['handbook', 'The repository has no folder handbook. The first page that a job adds makes it.'],
    ['empty', 'The docs folder empty has no pages of the site yet.'],
    ['docs', 'The docs folder docs cannot be used: docs is a symbolic link to website/docs. Name website/docs instead.'],
    ['docs/guides', 'The docs folder docs/guides cannot be used: docs is a symbolic link to website/docs. Name website/docs instead.'],
    ['sub', 'The docs folder sub cannot be used: sub is a submodule, whose files are in another repository. Create a project for that repository.'],
    ['README.md', 'The docs folder README.md cannot be used: README.md is a file, not a folder.'],
  ])('%j: %s', (docsDir, message) => {
    expect(problem(docsDir)?.message ?? null).toBe(message);
    expect(problem(docsDir)?.isFinal ?? false).toBe(message?.includes('cannot be used') ?? false);
  }); // oxfmt-ignore

  test.each([['.', ''], ['./', ''], ['./docs/', 'docs'], ['docs', 'docs'], ['', '']])('may be given as %j', (given, folder) => {
    expect(folderIn(given)).toBe(folder);
  }); // oxfmt-ignore
});

describe('names and texts in either form of Unicode', () => {
  const [nfc, nfd] = ['caf\u00e9', 'cafe\u0301'];
  const site = () =>
    new Site({
      'docs.json': JSON.stringify({ navigation: { pages: ['index', `${nfd}/menu`, `${nfc}/menu2`] } }),
      'index.mdx': page('Home', `[a](/${nfc}/menu) [b](/${nfd}/menu) ![c](/${nfc}/c.png)`),
      [`${nfd}/menu.mdx`]: page('Menu', `The ${nfd} is open. \u1112\u1161\u11AB`),
      [`${nfd}/menu2.mdx`]: page(nfd),
      [`${nfd}/c.png`]: 'x\0',
    });

  test.each([
    ['read', { path: `${nfc}/menu.mdx` }],
    ['read', { path: `/${nfc}/menu` }],
    ['read', { path: nfc }],
    ['list', { path: nfc }],
    ['search', { query: `The ${nfc} is`, path: nfc }],
    ['search', { query: `the ${nfc} is`, ignoreCase: true, glob: `${nfc}/**` }],
  ])('a model that composes finds them: %s %j', (tool, input) => {
    const { ok, text } = site().call(tool, input);
    expect(ok).toBe(true);
    expect(text).toContain(nfd);
    expect(text).not.toContain('No match');
  });

  test('an edit keeps the form of the file', () => {
    const changed = site();
    const edit = (oldText: string, newText: string) =>
      changed.call('edit', { path: `${nfc}/menu`, oldText, newText }).ok && changed.text(`${nfd}/menu.mdx`);
    expect(edit(`The ${nfc} is open.`, `The ${nfc} is closed.`)).toContain(`The ${nfd} is closed.`);
    expect(edit('\uD55C', 'Han')).toContain('closed. Han');
    expect(changed.call('edit', { glob: `${nfc}/*`, oldText: nfc, newText: 'bar', replaceAll: true }).text).toContain('2 occurrences in 2 files'); // oxfmt-ignore
  });

  test('new pages and moves stay in the folder, and links and navigation follow', () => {
    const changed = site();
    expect(changed.call('write', { path: `${nfc}/new.mdx`, content: page('New') }).ok).toBe(true);
    expect(changed.call('move', { from: `${nfc}/menu`, to: `${nfc}/dishes` }).ok).toBe(true);
    expect(changed.changed()).toContain(`${nfd}/new.mdx`);
    expect(changed.text('index.mdx')).toContain(`[a](/${nfd}/dishes) [b](/${nfd}/dishes)`);
    expect(changed.text('docs.json')).toContain(`${nfd}/dishes`);
  });

  test('checks warn of links and entries in another form, since builds compare bytes', () => {
    const found = site()
      .problems()
      .filter(({ severity }) => severity !== 'notice');
    expect(found.map(({ path, code, severity }) => `${path} ${code} ${severity}`)).toEqual([
      'docs.json navigation-missing-page warning',
      'index.mdx missing-page warning',
      'index.mdx missing-image warning',
    ]);
    const { text } = site().call('check', { glob: 'index.mdx', all: true });
    expect(text).toContain('Best match: "/cafe%CC%81/menu"');
  });

  test('the docs folder may be named in either', () => {
    for (const docsDir of [nfc, nfd]) {
      const inFolder = new Site({ [`${nfd}/a.md`]: '# A\n', 'b.md': '# B\n' }, { docsDir });
      expect(inFolder.docs().site.pages).toEqual([`${nfd}/a.md`]);
      expect(inFolder.call('write', { path: 'new.md', content: '# New\n' }).ok).toBe(true);
      expect(inFolder.changed()).toEqual([`${nfd}/new.md`]);
    }
  });
});

describe('moving a folder', () => {
  const MOVED = ['how-to/client.mdx', 'how-to/deploy/docker.mdx', 'how-to/index.mdx', 'how-to/x.png'];

  test.each(['Move the folder guides to how-to', 'Rename the guides folder to `how-to`', 'Move guides/ to how-to/'])(
    'moves all of it with its links, navigation and redirects: %s',
    async (sentence) => {
      const site = top();
      const { text } = await site.say(sentence);
      const all = site.workspace.paths().filter((path) => /^(guides|how-to)\//.test(path));
      expect(all).toEqual(MOVED);
      expect(text.split('\n')[0]).toBe('Moved guides/ with its 4 files to how-to/');
      expect(site.text('index.mdx')).toContain('[guides](/how-to) [client](/how-to/client) ![x](/how-to/x.png)');
      const config = JSON.parse(site.text('docs.json')!);
      expect(config.navigation.pages[1].pages).toEqual(['how-to/index', 'how-to/client', 'how-to/deploy/docker']);
      expect(config.redirects).toHaveLength(3);
      expect(site.problems().filter(({ severity }) => severity === 'error')).toEqual([]);
    },
  );

  test.each([
    ['Move the folder guides/deploy under reference', 'guides/deploy/docker.mdx', 'reference/deploy/docker.mdx'],
    ['Move guides/deploy under reference', 'guides/deploy/docker.mdx', 'reference/deploy/docker.mdx'],
    ['Move guides/client under reference', 'guides/client.mdx', 'reference/client.mdx'],
    ['Move page guides/client into the folder reference', 'guides/client.mdx', 'reference/client.mdx'],
    ['Move page guides/client to the reference folder', 'guides/client.mdx', 'reference/client.mdx'],
    ['Move the page "Client setup" under reference', 'guides/client.mdx', 'reference/client.mdx'],
  ])('under another one keeps its name: %s', async (sentence, from, to) => {
    const site = top();
    await site.say(sentence);
    expect([site.text(from), site.text(to) !== null]).toEqual([null, true]);
    expect(site.problems().filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('summarizes the remaining work for a person in one line, however long the paths are', async () => {
    const long = 'guides/of-a-length-that-leaves-no-room-for-the-other-one';
    const site = new Site(
      {
        'website/docusaurus.config.js': `module.exports = { presets: [['classic', { docs: { path: '../docs', sidebarPath: './sidebars.js' } }]] };`,
        'website/sidebars.js': `module.exports = { docs: ['${long}/a', '${long}/b'] };`,
        [`docs/${long}/a.md`]: '# A\n',
        [`docs/${long}/b.md`]: '# B\n',
      },
      { docsDir: 'docs' },
    );
    const { text } = await site.say(`Move the folder ${long} to guides/short`);
    expect(text.split('\n')[0]).toBe('Moved of-a-length-that-leaves-no-room-for-the-other-one to short');
    expect(text).toContain(`To do: website/sidebars.js:1 lists "${long}/a", which is now "guides/short/a"`);
  });

  test('does it once if it is asked for again', async () => {
    const site = top();
    expect(site.call('move', { from: 'guides/', to: 'how-to' }).ok).toBe(true);
    const before = site.diff();
    expect(site.call('move', { from: 'guides/', to: 'how-to' }).text).toContain(
      'Already moved: guides/ with its 4 files',
    );
    expect(site.diff()).toBe(before);
  });

  test('is all or nothing: too many files, a name that is taken, a place out of the site', () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`big/p${i}.mdx`, page(`P${i}`)]));
    const site = top({ ...many, 'how-to/index.mdx': page('H') });
    const refused = (from: string, to: string) => {
      const { text, ok } = site.call('move', { from, to });
      expect(ok).toBe(false);
      return text;
    };
    expect(refused('big/', 'large')).toContain(
      'big/ has 51 files, each of which changes at its old and at its new path',
    );
    expect(refused('guides/', 'how-to')).toContain(
      'how-to/ is already a folder. Write how-to/guides to move guides/ in there',
    );
    expect(refused('guides/', 'guides/deploy/more')).toContain('cannot be moved to guides/deploy/more/');
    expect(site.changed()).toEqual([]);
    const docs = beside();
    expect(docs.call('move', { from: 'docs/', to: 'manual' }).text).toContain(
      'docs/ is where the site is, and must stay',
    );
    expect(docs.call('move', { from: 'docs/guides/', to: 'src' }).text).toContain('outside docs/');
    expect(docs.changed()).toEqual([]);
  });
});

describe('a path that could mean two things', () => {
  test('is refused with both readings', async () => {
    for (const [tool, input] of [
      ['move', { from: 'guides', to: 'how-to' }],
      ['delete', { path: 'guides' }],
    ] as const) {
      const site = top();
      const { text } = site.call(tool, input);
      expect(text).toContain('guides could mean the page guides/index.mdx or the folder guides/ with its 4 files.');
      expect(text).toContain('Write guides/index.mdx for the page, or guides/ for the folder.');
      expect(site.changed()).toEqual([]);
    }
    const { text } = await top().say('Move guides to how-to');
    expect(text).toContain('Could not move guides');
    expect(text).toContain('guides/ for the folder');
  });

  test('is not asked for if a sentence says which', async () => {
    const site = top();
    await site.say('Move the page guides to overview');
    expect(site.text('overview.mdx')).toContain('title: "Guides"');
    expect(site.text('guides/client.mdx')).not.toBeNull();
    const other = top();
    expect((await other.say('Delete the folder guides')).text).toContain(
      'guides/ is a folder, and one file is deleted at a time',
    );
    await other.say('Delete the page guides');
    expect(other.changed()).toContain('guides/index.mdx');
    expect(other.text('guides/client.mdx')).not.toBeNull();
  });

  test('is refused as a target too', () => {
    const site = top();
    expect(site.call('move', { from: 'index.mdx', to: 'guides' }).text).toContain(
      'guides/ is a folder. Write guides/ to move it in there, to guides/index.mdx, or guides.mdx for a file beside',
    );
    expect(site.call('write', { path: 'guides', content: 'x', mode: 'create' }).text).toContain(
      'guides/index.mdx already exists',
    );
    expect(site.changed()).toEqual([]);
  });

  test('is refused if the repository and the site have such a page each', () => {
    const site = beside({ 'guides/start.md': '# Elsewhere\n' });
    expect(site.call('edit', { path: 'guides/start', oldText: 'Start', newText: 'Go' }).text).toContain(
      'guides/start could mean guides/start.md or docs/guides/start.md. Give the whole path.',
    );
  });

  test('is not guessed from “below”, which can also mean the order of the navigation', async () => {
    const site = top();
    const { text } = await site.say('Move guides/client below index');
    expect(text).toContain('Write “into the folder index”, or “after index in the navigation”.');
    expect(site.changed()).toEqual([]);
    await site.say('Move guides/client below reference/');
    expect(site.changed()).toContain('reference/client.mdx');
  });

  test('names no group of the navigation', async () => {
    const site = top();
    const { text } = await site.say('Move guides/client under "API reference"');
    expect(text).toContain('“API reference” looks like the name of a group');
    expect(site.changed()).toEqual([]);
    expect(readRequest('Move guides/client under reference').instructions).toEqual([
      { kind: 'move', from: 'guides/client', to: 'reference', what: null, into: true },
    ]);
  });
});

/** Where a new file lands, or why it does not. */
function writtenAt(site: Site, path: string): string {
  const { text, ok } = site.call('write', { path, content: 'x\n', mode: 'create' });
  return ok ? site.changed().join() : text;
}

describe('the path of a new file', () => {
  test.each([
    ['guides/new', 'docs/guides/new.md'],
    ['/guides/new', 'docs/guides/new.md'],
    ['docs/guides/new.md', 'docs/guides/new.md'],
    ['guides/new.md', 'docs/guides/new.md'],
    ['guides/data.json', 'docs/guides/data.json'],
    ['notes/new.md', 'docs/notes/new.md'],
    ['new', 'docs/new.md'],
    ['api/limits', 'docs/api/limits.md'],
    ['docs/v1.2', 'docs/v1.2.md'],
  ])('%s is %s', (path, expected) => {
    expect(writtenAt(beside(), path)).toBe(expected);
  });

  test.each([
    'src/x.ts',
    'src/notes',
    'src/notes.md',
    '/src/x.ts',
    'lib/x.ts',
    'main.py',
    'images/a.svg',
    'api/client.ts',
  ])('%s is outside of the docs, and is said to be so', (path) => {
    const site = beside();
    const answer = writtenAt(site, path);
    expect(answer).toContain('is outside docs/, the only folder that may be changed');
    expect(answer).toContain(`write docs/${path.replace(/^\//, '')}`);
    expect(site.changed()).toEqual([]);
  });

  test('is no other one than that of a file which is there, in the site or out of it', () => {
    expect(writtenAt(beside(), 'README.md')).toContain('README.md already exists');
    expect(beside().call('write', { path: 'README.md', content: 'x', mode: 'replace' }).text).toContain(
      'outside docs/',
    );
  });

  test.each([
    'CODEOWNERS',
    'codeowners',
    './CODEOWNERS',
    '/CODEOWNERS',
    '`CODEOWNERS`',
    'docs/CODEOWNERS',
    'docs\\CODEOWNERS',
    'guides/CodeOwners',
    'CODE\u200bOWNERS',
    '.github/workflows/x',
    'docs/.github/x',
    '.GitHub/CODEOWNERS',
    'Makefile',
    'docs/Jenkinsfile',
    '.gitlab-ci',
    'LICENSE',
    'docs/CNAME',
    '_redirects',
  ])('%s becomes no page', async (path) => {
    for (const site of [top(), beside()]) {
      expect(writtenAt(site, path)).toContain('Nothing was changed.');
      expect(site.call('move', { from: 'index', to: path }).ok).toBe(false);
      expect(site.changed()).toEqual([]);
    }
    const site = beside();
    await site.say(`Add a page titled "X" at "${path}"`);
    expect(site.changed()).toEqual([]);
  });

  test('may be that of a page about such a file', () => {
    expect(writtenAt(top(), 'guides/codeowners')).toContain('If you mean a page, write guides/codeowners.mdx.');
    expect(writtenAt(top(), 'guides/codeowners.mdx')).toBe('guides/codeowners.mdx');
  });
});

describe('a page that moves', () => {
  test('stays in the site', () => {
    const site = new Site(BESIDE_CODE);
    expect(site.call('move', { from: 'docs/guides/start.md', to: 'src/start.md' }).text).toContain('outside the site');
    expect(site.call('move', { from: 'docs/guides/start.md', to: 'start' }).ok).toBe(true);
    expect(site.changed()).toContain('docs/start.md');
  });
});
