import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AnswersCache } from '@docent/docs-check/cli/external/answers-cache';
import { runCheckInThreads, type CheckOptions } from '@docent/docs-check/cli/run-check';
import { sarif } from '@docent/docs-check/cli/formats/sarif';
import { updateBaseline } from '@docent/docs-check/cli/update-baseline';
import { CheckFolder } from '../support/check-folder.ts';
import { redirect, WebServer } from '../support/web-server.ts';

let web: WebServer;
let folder: CheckFolder;
beforeEach(async () => {
  folder = new CheckFolder();
  web = await WebServer.start({ '/there': 200, '/old': redirect(301, '/there'), '/wall': 403 });
});
afterEach(async () => {
  folder.remove();
  await web.stop();
});

const check = (options: Partial<CheckOptions> = {}) =>
  runCheckInThreads({
    folder: folder.path,
    external: { always: true, privateHosts: [], fetch: web.fetch, pauses: { pauseMs: 0, retryMs: [1] } },
    onProgress: () => undefined,
    ...options,
  });

const found = async (options: Partial<CheckOptions> = {}) =>
  (await check(options)).problems.map(({ path: file, line, code, target }) => [`${file}:${line}`, code, target]);

/** Settings, in JSON. */
const settings = (said: unknown) => folder.write({ '.docent.json': JSON.stringify(said) });

describe('links', () => {
  test('of pages are requested once each, and reported at every position; code is not a link', async () => {
    folder.write({
      'a.md': [
        `[x](${web.at('/gone#a')}) ![i](${web.at('/gone#b')}) <${web.at('/there')}>`,
        `<a href="${web.at('/gone')}">x</a> \`${web.at('/code')}\``,
        `[r][r] [old](${web.at('/old#part')})`,
        '',
        `[r]: ${web.at('/wall')}`,
        `[unused]: ${web.at('/unused')}`,
        '```',
        web.at('/block'),
        '```',
        `<link rel="preconnect" href="${web.at('/hint')}">`,
      ].join('\n'),
    });
    const { problems, external } = await check();
    expect(
      problems.map(({ line, code, target, severity }) => [line, code, severity, target?.replace(/.*(?=\/)/, '')]),
    ).toEqual([
      [1, 'dead-link', 'warning', '/gone#a'],
      [1, 'dead-link', 'warning', '/gone#b'],
      [2, 'dead-link', 'warning', '/gone'],
      [3, 'moved-link', 'notice', '/old#part'],
      [5, 'not-checked', 'notice', undefined],
    ]);
    expect(problems[0]!.message).toBe(`The link "${web.at('/gone#a')}" is dead: the server returned 404.`);
    expect(problems[3]!.suggestion).toBe(web.at('/there#part'));
    expect(problems[4]!.message).toContain(
      `1 external link to docs.acme.dev:${web.port} could not be checked: it returned 403 (1).`,
    );
    expect(external).toEqual({ asked: 4, cached: 0, unknown: 1 });
    expect([...new Set(web.lines)].toSorted()).toEqual([
      'GET /gone',
      'GET /wall',
      'HEAD /gone',
      'HEAD /old',
      'HEAD /there',
      'HEAD /wall',
    ]);
  });

  test('that are examples, or have a password in them, are not asked for, and no password is reported', async () => {
    folder.write({
      'a.md': [
        'http://localhost:3000/a http://api.localhost/ https://example.com/x https://sub.example.org/ https://acme.test/',
        '[x](https://user:word@docs.acme.dev/x) [y](http://10.1.2.3/y) [z](http://db:5432/) [t](https://your-{name}.dev/)',
      ].join('\n'),
    });
    const outcome = await check();
    expect(outcome.problems).toMatchObject([
      { code: 'not-checked', message: expect.stringContaining('1 external link with') },
    ]);
    expect(JSON.stringify(outcome.problems)).not.toContain('word@');
    expect(web.asked).toEqual([]);
  });

  test('are only requested by an option or the settings', async () => {
    folder.write({ 'a.md': `[x](${web.at('/gone')})\n` });
    const external = { privateHosts: [], fetch: web.fetch };
    expect((await check({ external })).external).toBeNull();
    settings({ external: { exclude: [] } });
    expect((await check({ external })).external).toBeNull();
    expect(web.asked).toEqual([]);
    settings({ external: true });
    expect((await check({ external })).problems).toMatchObject([{ code: 'dead-link' }]);
    settings({ external: { check: true, acceptStatus: [404] } });
    expect((await check({ external })).problems).toEqual([]);
  });

  test('are left out by host and by path', async () => {
    const paths = ['/gone', '/edit/x/y', '/other'];
    folder.write({
      'a.md': paths.map((one) => `[x](${web.at(one)})`).join('\n'),
      'b.md': `[x](${web.at('/gone', 'b.acme.dev')})`,
    });
    settings({
      external: {
        exclude: ['b.*.dev', `docs.acme.dev:${web.port}/edit/**`, `https://docs.acme.dev:${web.port}/other`],
      },
    });
    expect(await found()).toEqual([
      ['a.md:1', 'dead-link', web.at('/gone')],
      ['a.md:3', 'dead-link', web.at('/other')],
    ]);
    settings({ external: { exlude: [], timeoutSeconds: 'x', exclude: ['['] } });
    await expect(check()).rejects.toThrow(
      /Unknown setting "exlude". Did you mean "exclude"\?[^]*timeoutSeconds|timeoutSeconds[^]*exlude/,
    );
    settings({ external: 'yes' });
    await expect(check()).rejects.toThrow('"external" must be true, false, or an object { … }');
    settings({ external: { exclude: ['a/[b'] } });
    await expect(check()).rejects.toThrow('unclosed [');
  });
});

/** A page with an intentionally dead link. */
const meant = (to: string) => `<!-- docent-ignore-next-line dead-link: it comes back -->\n[x](${web.at(to)})\n`;

describe('intentional problems', () => {
  test('by a comment or the baseline do not count, even in runs without requests', async () => {
    folder.write({
      'a.md': `<!-- docent-ignore-next-line dead-link: it comes back -->\n[x](${web.at('/gone')})\n\n[y](${web.at('/gone')})\n`,
    });
    updateBaseline(await check({ baseline: false }));
    const known = readFileSync(path.join(folder.path, '.docent-baseline.json'), 'utf8');
    expect(known).toContain('dead-link');
    expect((await check()).left).toEqual({ ignored: 1, known: 1, off: 0 });
    expect(await found()).toEqual([]);
    const { external: _, ...offline } = { external: undefined };
    const unasked = await runCheckInThreads({ folder: folder.path, onProgress: () => undefined, ...offline });
    expect(unasked.problems).toEqual([]);
    updateBaseline(await runCheckInThreads({ folder: folder.path, onProgress: () => undefined, baseline: false }));
    expect(readFileSync(path.join(folder.path, '.docent-baseline.json'), 'utf8')).toBe(known);
  });

  test('are unneeded when the server answers again, and may be needed when it does not', async () => {
    folder.write({ 'a.md': meant('/there'), 'b.md': meant('/wall') });
    expect((await found()).map(([place, code]) => [place, code])).toEqual([
      ['a.md:1', 'unused-ignore'],
      ['b.md:2', 'not-checked'],
    ]);
  });
});

test('--changed-since only requests new links', async () => {
  folder.write({ 'a.md': `[x](${web.at('/gone')})\n`, 'b.md': `[x](${web.at('/gone')})\n` });
  folder.git('init', '-q', '-b', 'main');
  folder.git('add', '.');
  folder.git('commit', '-q', '-m', 'A');
  folder.git('mv', 'a.md', 'c.md');
  folder.write({ 'b.md': `[x](${web.at('/gone')}) [y](${web.at('/other')})\n` });
  expect(await found({ changedSince: 'main' })).toEqual([['b.md:1', 'dead-link', web.at('/other')]]);
  expect(web.lines).toEqual(['HEAD /other', 'GET /other']);
});

const unresolvedHost = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));

test('without a network there is one notice, not one for each server', async () => {
  folder.write({ 'a.md': '[a](https://a.acme.dev/) [b](https://b.acme.dev/) [c](https://b.acme.dev/c)\n' });
  const { problems } = await check({
    external: { always: true, privateHosts: [], fetch: unresolvedHost, pauses: { pauseMs: 0, retryMs: [1] } },
  });
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'not-checked: 3 external links to 2 servers could not be checked: no server responded. Check your network connection.',
  ]);
});

test('only links of named files are asked for', async () => {
  folder.write({ 'a.md': `[x](${web.at('/gone')})\n`, 'b.md': `[x](${web.at('/there')})\n` });
  await check({ chosen: { files: [path.join(folder.path, 'b.md')], globs: [] } });
  expect(web.lines).toEqual(['HEAD /there']);
});

test('SARIF names the rule of a dead link', async () => {
  folder.write({ 'a.md': `[x](${web.at('/gone')})\n` });
  const outcome = await check();
  const text = sarif({
    outcome,
    shown: outcome.problems,
    summary: '',
    fails: () => false,
    all: false,
    stats: null,
    suppressed: [],
  });
  expect(JSON.parse(text).runs[0].results).toMatchObject([{ ruleId: 'dead-link', level: 'warning' }]);
});

test('many places of one address are one report, and many links of a site one request', async () => {
  folder.write(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}.md`, `[x](${web.at('/gone')}#${i})\n`])));
  const { problems } = await check();
  expect(new Set(problems.map(({ cause }) => cause))).toEqual(new Set([web.at('/gone')]));
  expect(web.lines).toEqual(['HEAD /gone', 'GET /gone']);
});

describe('the cache', () => {
  test('keeps answers, so that the next run requests the rest', async () => {
    folder.write({ 'a.md': `[x](${web.at('/gone')}) [y](${web.at('/there')})\n` });
    const cacheFile = path.join(folder.path, '.cache/facts');
    const first = await check({ cacheFile });
    const { length } = web.asked;
    const second = await check({ cacheFile });
    expect(second.external).toEqual({ asked: 0, cached: 2, unknown: 0 });
    expect(second.problems).toEqual(first.problems);
    expect(web.asked).toHaveLength(length);
    folder.write({ '.docent.json': '{"external": {"acceptStatus": [404]}}' });
    expect((await check({ cacheFile })).external).toEqual({ asked: 2, cached: 0, unknown: 0 });
  });

  test('of two parallel processes has the answers of both, without truncated or old ones', () => {
    const temporary = mkdtempSync(path.join(tmpdir(), 'docent-answers-'));
    const file = path.join(temporary, 'facts-links');
    try {
      const [one, two] = [new AnswersCache(file, []), new AnswersCache(file, [])];
      one.save(new Map([['https://a.dev/', { kind: 'fine' }]]));
      two.save(new Map([['https://b.dev/', { kind: 'dead', why: 'x', by: 'status' }]]));
      const after = new AnswersCache(file, []);
      expect([after.get('https://a.dev/')?.kind, after.get('https://b.dev/')?.kind]).toEqual(['fine', 'dead']);
      expect(new AnswersCache(file, [403]).get('https://a.dev/')).toBeUndefined();
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.slice(0, -10));
      const cut = new AnswersCache(file, []);
      expect([cut.get('https://a.dev/'), cut.get('https://b.dev/')].filter(Boolean)).toHaveLength(1);
      writeFileSync(file, 'not ours\n\0');
      expect(new AnswersCache(file, []).get('https://a.dev/')).toBeUndefined();
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  });
});

test('the command requests links, prints their number, and with --strict fails for dead links', async () => {
  const links = [web.at('/there', '127.0.0.1'), web.at('/gone', '127.0.0.1'), web.at('/old', '127.0.0.1')];
  folder.write({ 'a.md': links.map((link) => `[x](${link})\n`).join('') });
  const env = { DOCENT_PRIVATE_HOSTS: '127.0.0.1' };
  const plain = await folder.check(['--external'], { env });
  expect(plain).toMatchObject({ code: 0, out: expect.stringContaining('External links: 3 checked.') });
  expect(plain.out).toContain('dead-link');
  expect(await folder.check(['--external', '--strict'], { env })).toMatchObject({ code: 1 });
  expect((await folder.check(['--external'])).out).not.toContain('dead-link');
  expect(await folder.check(['--external', '--watch'])).toMatchObject({ code: 2 });
  expect(await folder.check(['--external'], { env: { DOCENT_PRIVATE_HOSTS: '/' } })).toMatchObject({ code: 2 });
  const text = () => readFileSync(path.join(folder.path, 'a.md'), 'utf8');
  settings({ external: true });
  await folder.check(['--fix', '--yes'], { env });
  expect(text()).toContain(links[2]);
  await folder.check(['--external', '--fix', '--yes'], { env });
  expect(text()).toBe([links[0], links[1], links[0]].map((link) => `[x](${link})\n`).join(''));
});
