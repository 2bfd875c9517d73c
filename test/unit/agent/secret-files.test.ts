import { describe, expect, test } from 'vitest';
import { readInstructions } from '@docent/agent/instructions';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { Site } from '../../support/fixture-site.ts';

/** Stands in every file that an agent must not see. */
const SECRET = 'hunter2-needle';
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n-----END RSA PRIVATE KEY-----\n`;

const files = {
  'docs.json': JSON.stringify({ name: 'A', navigation: { pages: ['index'] } }),
  'index.mdx': `---\ntitle: Home\n---\n\nimport S from '/.env';\n\n<S />\n\n![k](deploy.pem) <Snippet file="secrets.json" />\n`,
  '.env': `TOKEN=${SECRET}\n`,
  '.env.example': 'TOKEN=your-token\n',
  'deploy.pem': KEY,
  'certs/server.key': KEY,
  '.npmrc': `//registry.npmjs.org/:_authToken=${SECRET}\n`,
  'secrets.json': JSON.stringify({ token: SECRET }),
  'snippets/id_rsa': KEY,
  'notes.mdx': { symlink: '.env' },
};
const SECRET_FILES = ['.env', 'deploy.pem', 'certs/server.key', '.npmrc', 'secrets.json', 'snippets/id_rsa'];

const attempts = (path: string): [string, Record<string, unknown>][] => [
  ['read', { path }],
  ['read', { path: `/${path}` }],
  ['read', { path: `./${path}` }],
  ['read', { path: `${path}:1` }],
  ['search', { query: 'hunter2' }],
  ['search', { query: 'hunter2', path }],
  ['search', { query: '.', regex: true, glob: `**/${path.split('/').at(-1)}`, context: 5 }],
  ['list', { glob: '**' }],
  ['move', { from: path, to: 'readable.txt' }],
  ['move', { from: path, to: 'readable.mdx' }],
  ['edit', { path, oldText: 'hunter1', newText: 'x' }],
  ['edit', { path, oldText: 'hunter2-', newText: 'x' }],
  ['edit', { glob: '**', oldText: 'hunter2-', newText: 'x', replaceAll: true }],
  ['write', { path, content: 'more', mode: 'append' }],
  ['write', { path, content: 'mine', mode: 'replace' }],
  ['delete', { path }],
  ['check', { all: true }],
];

describe('no tool gives a model what is in a file that holds secrets', () => {
  test.each(SECRET_FILES)('%s: not read, searched, edited, moved or deleted', (path) => {
    const site = new Site(files);
    for (const [name, input] of attempts(path)) {
      const { ok, text } = site.call(name, input);
      expect(text, `${name} ${JSON.stringify(input)}`).not.toContain(SECRET);
      if (['read', 'move', 'write', 'delete'].includes(name) || (name === 'edit' && 'path' in input)) {
        expect(ok, `${name} ${JSON.stringify(input)}: ${text}`).toBe(false);
        expect(text).toMatch(/files that hold secrets are not for Docent to read or change/);
      }
    }
    expect(site.workspace.changes()).toEqual([]);
    expect(site.call('read', { path: 'readable.txt' }).text).toMatch(/^There is no file/);
  });

  test('a folder that has one is not moved, and a link to one is not followed', () => {
    const site = new Site(files);
    expect(site.call('move', { from: 'snippets/', to: 'parts/' }).text).toMatch(/id_rsa.*private SSH key/);
    expect(site.call('read', { path: 'notes.mdx' })).toMatchObject({ ok: false });
    expect(site.workspace.changes()).toEqual([]);
  });

  test('one is named, and a search in it says why it finds nothing', () => {
    const site = new Site(files);
    expect(site.call('list', { glob: '**' }).text).toContain('deploy.pem');
    expect(site.call('search', { query: 'hunter2', path: 'deploy.pem' }).text).toMatch(
      /^No match .* Not searched, because files with such names hold secrets: deploy\.pem\.$/,
    );
    expect(site.call('search', { query: 'hunter2' }).text).not.toContain('Not searched');
  });

  test('examples of such a file stay readable', () => {
    expect(new Site(files).call('read', { path: '.env.example' }).text).toContain('TOKEN=your-token');
  });

  test('a page does not become such a file, which no one would look into again', () => {
    const site = new Site(files);
    expect(site.call('write', { path: 'new.pem', content: 'x', mode: 'create' }).text).toMatch(/key file/);
    expect(site.call('move', { from: '.env.example', to: 'prod.env' })).toMatchObject({ ok: false });
  });

  test('instructions and style guides of a repository are read from no such file', () => {
    const { workspace } = new Site({ ...files, 'AGENTS.md': 'Write plainly.\n\n@.env\n' });
    const docs = new DocsSite(workspace, { docsDir: '', site: null }, new FactsCache());
    const at = { docsDir: '', site: docs.site };
    const named = [{}, { instructionFiles: ['AGENTS.md', '.env'], styleGuides: ['deploy.pem'] }];
    const told = JSON.stringify(named.map((one) => readInstructions(workspace, { ...at, named: one })));
    expect(told).toContain('Write plainly');
    expect(told).not.toContain(SECRET);
    for (const path of SECRET_FILES) expect(workspace.readText(path)).toBeNull();
  });
});
