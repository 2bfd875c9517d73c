import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Site } from '../../support/fixture-site.ts';
import { processorClock } from '../../support/processor-time.ts';

const FILES = {
  'docs.json': '{"name":"Acme","navigation":{"pages":["index"]}}',
  'index.mdx': '---\ntitle: Welcome\n---\n\nAcme runs your site. How do you begin? Read the quickstart.\n',
  'domains.mdx':
    '---\ntitle: Custom domains\ndescription: Serve the site under an address of your own.\n---\n\nBy default a site is at acme.site.\n\n## DNS records\n\nAdd a `CNAME` record that points to us.\n\n## Certificates\n\nWe renew certificates by ourselves.\n',
  'cli.mdx':
    '---\ntitle: Command line\n---\n\n## Flags\n\nGive `--base-url` to say where the site is. In code it is `baseUrl`.\n\n```bash\n# set up nothing here\nacme deploy --base-url https://example.org\n```\n',
  'billing.mdx': '---\ntitle: Invoices\n---\n\nWe send invoices by mail. The custom of the domain is monthly.\n',
};
const ranked = (site: Site, query: string, input: object = {}) => {
  const { text, data } = site.call('search', { query, ranked: true, ...input });
  return { text, paths: data?.tool === 'search' ? (data.ranked ?? []).map(({ path }) => path) : [] };
};

describe('a question whose exact text is nowhere', () => {
  test('finds the page, with the heading and the line to read', () => {
    const { text, data } = new Site(FILES).call('search', { query: 'how do I set up a custom domain' });
    expect(text).toMatch(/^No match for "how do I set up a custom domain"\..*\nPages that fit/);
    expect(text).toContain('\ndomains.mdx: Custom domains\n');
    expect(data).toMatchObject({ tool: 'search', matches: 0 });
    expect(ranked(new Site(FILES), 'how do I set up a custom domain').paths[0]).toBe('domains.mdx');
    expect(ranked(new Site(FILES), 'renewing a certificate').text).toContain(
      '\n  14: [Certificates] We renew certificates by ourselves.\n',
    );
  });

  test('is not ranked if the text itself is looked for', () => {
    const site = new Site(FILES);
    for (const input of [
      { query: 'no such text', outsideCode: true },
      { query: 'no such \\w+', regex: true },
      { query: 'nowhere' },
      { query: 'points to us' },
    ]) {
      expect(site.call('search', input).text, JSON.stringify(input)).not.toContain('Pages that fit');
    }
    expect(site.call('search', { query: 'points to us' }).text).toBe(
      'domains.mdx:10: Add a `CNAME` record that points to us.\n1 line in 1 file.',
    );
    expect(site.call('search', { query: 'a b', regex: true, ranked: true })).toMatchObject({ ok: false });
  });
});

describe('a ranked search', () => {
  test.each(['--base-url', 'baseUrl', 'BASE_URL', 'base url'])('finds the flag by %s', (query) => {
    expect(ranked(new Site(FILES), query).paths[0]).toBe('cli.mdx');
  });

  test('takes a comment in code for no heading', () => {
    expect(ranked(new Site(FILES), 'set up nothing').text).not.toContain('[set up nothing here]');
  });

  test('finds words of scripts without spaces, of other alphabets and with accents', () => {
    const site = new Site({
      'docs/ja.md': '# カスタムドメイン\n\n独自ドメインを設定する方法を説明します。\n',
      'docs/zh.md': '# 自定义域名\n\n如何设置自己的域名。\n',
      'docs/ru.md': '# Домены\n\nКак настроить свой домен.\n',
      'docs/fr.md': '# Réglages\n\nLe thème et les réglages généraux.\n',
    });
    expect(ranked(site, 'ドメインの設定').paths[0]).toBe('docs/ja.md');
    expect(ranked(site, '设置域名').paths[0]).toBe('docs/zh.md');
    expect(ranked(site, 'настроить домен').paths[0]).toBe('docs/ru.md');
    expect(ranked(site, 'reglages theme').paths[0]).toBe('docs/fr.md');
  });

  test('sees what was just changed, added, moved and deleted', () => {
    const site = new Site(FILES);
    expect(ranked(site, 'webhook signature').paths).toEqual([]);
    site.call('write', {
      path: 'hooks.mdx',
      content: '---\ntitle: Hooks\n---\n\nVerify the signature of a webhook.\n',
    });
    expect(ranked(site, 'webhook signature').paths).toEqual(['hooks.mdx']);
    site.call('edit', { path: 'hooks.mdx', oldText: 'signature of a webhook', newText: 'call' });
    expect(ranked(site, 'webhook signature').paths).toEqual([]);
    site.call('move', { from: 'domains.mdx', to: 'hosting/own-address.mdx' });
    expect(ranked(site, 'custom domain').paths[0]).toBe('hosting/own-address.mdx');
    site.call('delete', { path: 'hosting/own-address.mdx' });
    expect(ranked(site, 'custom domain').paths).toEqual(['billing.mdx']);
  });

  test('stays within a folder or a glob, continues after its limit, and keeps the same order', () => {
    const site = new Site(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`${i % 2 ? 'a' : 'b'}/p${i}.md`, '# Same\n\nThe same.\n']),
      ),
    );
    const all = ranked(site, 'same', { limit: 100 }).paths;
    expect(all).toEqual(all.toSorted());
    expect(ranked(site, 'same', { path: 'b', limit: 100 }).paths).toHaveLength(15);
    expect(ranked(site, 'same', { glob: 'a/*.md', limit: 100 }).paths).toHaveLength(15);
    const first = ranked(site, 'same');
    expect(first.text).toContain('continue with offset 11');
    expect([...first.paths, ...ranked(site, 'same', { offset: 11, limit: 20 }).paths]).toEqual(all);
    expect(ranked(site, 'same', { offset: 31 }).text).toContain('There are only 30 pages with its words');
  });

  test('says which words no page has, and what it does not take', () => {
    const { text } = ranked(new Site(FILES), 'custom domian', { context: 2 });
    expect(text).toContain('On no page: domian.');
    expect(text).toMatch(/A ranked search takes no context\.$/);
  });

  test('shows nothing that readers do not see', () => {
    const site = new Site({ 'docs/a.md': '# Keys\n\n<!-- ignore the rotation of secrets -->\nRotate keys.\n' });
    expect(ranked(site, 'rotation of secrets').text).not.toContain('ignore the rotation');
  });

  test('is bounded on hostile pages', () => {
    const site = new Site({
      'word.md': 'a'.repeat(300_000),
      'han.md': '字'.repeat(100_000),
      'names.md': 'a.b_c-'.repeat(50_000),
      'headings.md': '# word\n'.repeat(40_000),
      'words.md': Array.from({ length: 40_000 }, (_, i) => `w${i}`).join(' '),
      'fence.md': '````'.repeat(80_000),
    });
    const taken = processorClock();
    const { text } = ranked(site, 'word w7 a b 字字');
    expect(taken()).toBeLessThan(6_000);
    expect(text.length).toBeLessThan(5_000);
  });
});

describe("on Docent's own documentation", () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const files = globSync('docs/**/*.{mdx,json}', { cwd: root });
  const site = new Site(Object.fromEntries(files.map((file) => [file, readFileSync(path.join(root, file))])));

  test.each([
    ['which files does Docent never write', 'docs/concepts/pull-requests.mdx'],
    ['which regular expressions can the agent use', 'docs/agent/tools.mdx'],
    ['what happens when the disk is full', 'docs/operate/failures-and-recovery.mdx'],
    ['how much memory does a worker take', 'docs/reference/performance.mdx'],
    ['what does the error code job_not_found mean', 'docs/reference/errors.mdx'],
    ['how are links and headings checked before a pull request', 'docs/agent/docs-checks.mdx'],
  ])('"%s" leads to %s', (question, page) => {
    expect(ranked(site, question).paths).toContain(page);
  });
});
