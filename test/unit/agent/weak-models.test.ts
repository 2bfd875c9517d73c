import { describe, expect, test } from 'vitest';
import { runToolCalls, TOOL_DEFINITIONS } from '@docent/agent/tools/tool-set';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import { mintlify, Site } from '../../support/fixture-site.ts';
import { processorClock } from '../../support/processor-time.ts';

/** What small models are known to do, and what it must not cost: a step, a page, or the user's patience. */

function runAll(site: Site, calls: Omit<ToolCall, 'id'>[]) {
  const context = { base: site.base, policy: site.policy, cache: site.cache };
  return runToolCalls(
    site.workspace,
    calls.map((call, i) => ({ id: String(i), ...call })),
    context,
  );
}

describe('an input that is wrong in form alone is understood', () => {
  const page = { 'guides/start.md': 'one\ntwo\nthree\n' };

  test.each([
    ['names of other agents’ tools', 'edit', { file_path: 'guides/start.md', old_string: 'two', new_string: '2' }],
    ['camel case of others', 'edit', { filePath: 'guides/start.md', oldString: 'two', newString: '2' }],
    ['yet others', 'edit', { file: 'guides/start.md', old_str: 'two', new_str: '2', replace_all: 'True' }],
    ['snake case', 'edit', { path: 'guides/start.md', old_text: 'two', new_text: 2 }],
    ['a wrapper', 'edit', { arguments: { path: 'guides/start.md', oldText: 'two', newText: '2' } }],
    ['JSON in a wrapper', 'edit', { input: '{"path":"guides/start.md","oldText":"two","newText":"2"}' }],
    ['JSON in a fence', 'edit', '```json\n{"path":"guides/start.md","oldText":"two","newText":"2"}\n```'],
    ['an empty object in front', 'edit', '{}{"path":"guides/start.md","oldText":"two","newText":"2"}'],
    ['a list of one', 'edit', [{ path: 'guides/start.md', oldText: 'two', newText: '2' }]],
    [
      'options that are not wanted',
      'edit',
      { path: 'guides/start.md', glob: '', oldText: 'two', newText: '2', wholeWords: null },
    ],
    ['a remark', 'edit', { path: 'guides/start.md', oldText: 'two', newText: '2', explanation: 'Digits read better.' }],
    ['backslashes', 'edit', { path: '.\\guides\\start.md', oldText: 'two', newText: '2' }],
    ['a slash in front', 'edit', { path: '/guides/start.md', oldText: 'two', newText: '2' }],
    ['the line behind the path', 'edit', { path: 'guides/start.md:2', oldText: 'two', newText: '2' }],
    ['a prefixed name', 'functions.Edit', { path: 'guides/start.md', oldText: 'two', newText: '2' }],
    ['line numbers in the text', 'edit', { path: 'guides/start.md', oldText: '    2\ttwo', newText: '    2\t2' }],
    ['line numbers in the old text alone', 'edit', { path: 'guides/start.md', oldText: '    2\ttwo', newText: '2' }],
  ])('%s', (_, name, input) => {
    const site = new Site(page);
    expect(site.call(name, input)).toMatchObject({ ok: true });
    expect(site.text('guides/start.md')).toBe('one\n2\nthree\n');
  });

  test.each([
    ['read', { filename: 'guides/start.md', start_line: '2', end_line: 3 }, '    2\ttwo\n    3\tthree\n'],
    ['search', { pattern: 't.o', is_regex: 'true' }, 'guides/start.md:2: two'],
    ['search', { query: 'TWO', case_sensitive: false, directory: 'guides', include: '*.md' }, 'guides/start.md:2: two'],
    ['list', { directory: './', pattern: '*.md', recursive: true }, '1 file match *.md:\nguides/start.md'],
    ['move', { old_path: 'guides/start.md', new_path: 'guides/begin.md' }, 'Moved guides/start.md to guides/begin.md'],
    ['write', { file_path: 'guides/new.md', file_text: ['# New', '', 'Text.'] }, 'Created guides/new.md'],
  ])('%s %j', (name, input, said) => {
    const result = new Site(page).call(name, input);
    expect(result.text).toContain(said);
    expect(result.ok).toBe(true);
  });
});

describe('an input that could mean several things is refused with a right one', () => {
  const site = mintlify();

  test.each([
    ['edit', { path: 'index.mdx', old_string: 'a', oldText: 'b', newText: 'c' }, 'Unrecognized key: "old_string"'],
    ['edit', { path: 'index.mdx', newText: 'c' }, 'oldText is missing. Its fields are path, glob, oldText'],
    ['edit', { path: 'index.mdx', oldText: 'a', newText: 'c', line: 5 }, 'Unrecognized key: "line"'],
    ['edit', { path: 'index.mdx', oldTxt: 'a', newText: 'c' }, 'Did you mean oldText?'],
    ['read', '{"path": "index.mdx"', 'It is not valid JSON.'],
    ['read', [1, 2], 'It has to be a JSON object.'],
    ['read', { path: 'index.mdx', limit: 0 }, 'limit: '],
    ['write', { path: 'x.mdx', content: { a: 1 } }, 'content: '],
  ])('%s %j', (name, input, reason) => {
    const { text, ok } = site.call(name, input);
    expect(ok).toBe(false);
    expect(text).toContain(reason);
    expect(text).toMatch(/For example: \{".*\}\. Nothing was changed\.$/);
    expect(site.changed()).toEqual([]);
  });

  test('never names a field that models do not know', () => {
    const told = JSON.stringify(TOOL_DEFINITIONS);
    expect(told).not.toMatch(/linkTargets|outsideMarkup|outsideLinks|hidden/);
    expect(site.call('edit', {}).text).not.toContain('linkTargets');
  });

  test.each([
    ['read_file', 'Did you mean read?'],
    ['str_replace', 'Did you mean edit?'],
    ['grep', 'Did you mean search?'],
    ['Serach', 'Did you mean search?'],
    ['list_directory', 'Did you mean list?'],
    ['web_fetch', 'There are list, search, read, edit, write, move, delete, check. Nothing'],
  ])('there is no %s', (name, hint) => {
    expect(site.call(name, { path: 'index.mdx' })).toMatchObject({
      ok: false,
      text: expect.stringContaining(hint),
    });
  });
});

describe('an edit whose text is not in the file', () => {
  const text =
    'Don\u2019t use \u201Cfoo\u201D \u2014 ever.\n\n```js\nconst a = 1;\n\treturn a;\n```\n\nCaf\u0065\u0301 &amp; bar\n';

  test.each([
    ["Don't use \u201Cfoo\u201D \u2014 ever.", 'the kind of quotation marks'],
    ['Don\'t use "foo" - ever.', 'the kind of quotation marks, the kind of dashes or dots'],
    ['const a = 1;\n  return a;', 'blanks or line breaks'],
    ['const a = 1;\\n\\treturn a;', 'escaping'],
    ['Caf\u00E9 & bar', 'HTML entities'],
    ['CONST a = 1;', 'upper and lower case'],
  ])('learns what differs: %j', (oldText, difference) => {
    const site = new Site({ 'a.md': text });
    const result = site.call('edit', { path: 'a.md', oldText, newText: 'x' });
    expect(result.ok).toBe(false);
    expect(result.text).toContain(`It differs in ${difference}`);
    expect(result.text).toMatch(
      /\n {4}\d\t.*\nCopy the text exactly from there, without the line numbers\.\nNothing was changed\.$/,
    );
    expect(site.changed()).toEqual([]);
  });

  test('is shown as many lines as it asked for, around the one most like it', () => {
    const lines = Array.from(
      { length: 30 },
      (_, i) => `Line number ${i} tells of ${['apples', 'pears', 'plums'][i % 3]} and ${i * 7}.`,
    );
    const site = new Site({ 'a.md': lines.join('\n') });
    const { text } = site.call('edit', {
      path: 'a.md',
      oldText: 'Line number 9 tells of apples!\nLine number 10 tells about pears and 70 others.\nLine number 11.',
      newText: 'x',
    });
    expect(text).toContain('The nearest passage is:\n   10\tLine number 9 tells of apples and 63.\n   11\t');
    expect(text).toContain('\n   12\tLine number 11 tells of plums and 77.\nCopy');
  });

  test('learns that it was made before', () => {
    const site = new Site({ 'a.md': 'one\ntwo\n' });
    const input = { path: 'a.md', oldText: 'two', newText: 'three' };
    site.call('edit', input);
    expect(site.call('edit', input).text).toContain('The new text is already there, in line 2.');
  });

  test('is looked for in a moment, in a large file', () => {
    const site = new Site({ 'a.md': '- a--b \\n "x" &amp; y\n'.repeat(12_000) });
    const taken = processorClock();
    expect(site.call('edit', { path: 'a.md', oldText: 'z'.repeat(1_000), newText: '' }).ok).toBe(false);
    expect(site.call('edit', { path: 'a.md', oldText: 'a--b \\n'.repeat(300), newText: '' }).ok).toBe(false);
    expect(taken()).toBeLessThan(4_000);
  });
});

describe('a text that is not unique', () => {
  test('is shown with its surroundings, so that the next try can be longer', () => {
    const site = new Site({ 'a.md': '# A\n\nsame\n\n# B\n\nsame\n' });
    expect(site.call('edit', { path: 'a.md', oldText: 'same', newText: 'x' }).text).toBe(
      'The text occurs 2 times in a.md (lines 3, 7). Include more of the surrounding text, or replaceAll: true.\n    2\t\n    3\tsame\n    4\t\n   --\n    6\t\n    7\tsame\nNothing was changed.',
    );
  });
});

const edit = (oldText: string, newText: string) => ({ name: 'edit', input: { path: 'a.md', oldText, newText } });

describe('several calls in one answer', () => {
  test('are carried out in order, and one that fails keeps no other from it', () => {
    const site = new Site({ 'a.md': 'one\n' });
    const results = runAll(site, [
      edit('one', 'two'),
      edit('one', 'three'),
      { name: 'nope', input: {} },
      edit('two', 'four'),
    ]);
    expect(results.map(({ callId, ok }) => [callId, ok])).toEqual([
      ['0', true],
      ['1', false],
      ['2', false],
      ['3', true],
    ]);
    expect(site.text('a.md')).toBe('four\n');
  });

  test('bounds each result and their sum, and still makes and reports a change when the room is used up', () => {
    const site = new Site({ 'big.md': `${'x'.repeat(1_000)}\n`.repeat(900), 'a.md': 'one\n' });
    const look = { name: 'read', input: { path: 'big.md' } };
    const results = runAll(site, [
      ...Array.from({ length: 20 }, () => look),
      { name: 'edit', input: { path: 'a.md', oldText: 'one', newText: 'two' } },
    ]);
    for (const { text } of results) expect(text.length).toBeLessThanOrEqual(50_000);
    expect(results.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(230_000);
    expect(results[19]).toMatchObject({ ok: false, text: expect.stringContaining('in your next answer') });
    expect(results[20]!.text).toMatch(/\nChanged: "a\.md"$/);
    expect(site.text('a.md')).toBe('two\n');
  });
});

describe('a file that exists', () => {
  test('is not written over by the way, and a page that shrinks is noticed', () => {
    const site = new Site({ 'a.md': '1\n2\n3\n' });
    const refused = site.call('write', { path: 'a.md', content: 'new\n' });
    expect(refused).toMatchObject({ ok: false });
    expect(refused.text).toContain('a.md already exists, with 3 lines. Change a part of it with edit');
    expect(site.changed()).toEqual([]);
    expect(site.call('write', { path: 'a.md', content: 'new\n', mode: 'replace' }).text).toContain(
      'Replaced a.md: 3 lines before, 1 now.',
    );
    site.call('write', { path: 'mine.md', content: 'draft\n' });
    expect(site.call('write', { path: 'mine.md', content: 'better\n' }).ok).toBe(true);
  });

  test.each([
    ['a BOM and CRLF', '\uFEFF# A\r\n\r\nold\r\n', '\uFEFF# A\r\n\r\nnew\r\n'],
    ['no line break at its end', '# A\n\nold', '# A\n\nnew'],
    ['tabs', '# A\n\n\told\t\n', '# A\n\n\tnew\t\n'],
    ['decomposed letters', 'Cafe\u0301 old\n', 'Cafe\u0301 new\n'],
  ])('keeps %s through an edit and when it is written anew', (_, before, after) => {
    const site = new Site({ 'a.md': before });
    site.call('edit', { path: 'a.md', oldText: 'old', newText: 'new' });
    expect(site.text('a.md')).toBe(after);
    const anew = after.replace('\uFEFF', '').replaceAll('\r\n', '\n').replace('new', 'newer');
    site.call('write', { path: 'a.md', content: anew, mode: 'replace' });
    expect(site.text('a.md')).toBe(after.replace('new', 'newer'));
  });
});

describe('search', () => {
  const site = new Site({
    'a.md': '\none\n  two\nthree\ntwo\nfive\nsix\ntwo',
    'guides/b.md': 'two\n',
  });

  test('shows lines around matches, each once, with their indentation', () => {
    expect(site.call('search', { query: 'two', path: 'a.md', context: 1 }).text).toBe(
      [
        'a.md:2- one',
        'a.md:3:   two',
        'a.md:4- three',
        'a.md:5: two',
        'a.md:6- five',
        'a.md:7- six',
        'a.md:8: two',
        '3 lines in 1 file.',
      ].join('\n'),
    );
    expect(site.call('search', { query: '^$', regex: true, context: 2, path: 'a.md' }).text).toBe(
      'a.md:1:\na.md:2- one\na.md:3-   two\n1 line in 1 file.',
    );
  });

  test('resumes where it stopped', () => {
    const first = site.call('search', { query: 'two', limit: 2 }).text;
    expect(first).toBe(
      'a.md:3: two\na.md:5: two\n4 lines in 2 files. The first 2 are shown. Continue with offset 3, narrow the query or give a glob.',
    );
    expect(site.call('search', { query: 'two', limit: 2, offset: 3 }).text).toBe(
      'a.md:8: two\nguides/b.md:1: two\n4 lines in 2 files. 3 to 4 are shown.',
    );
    expect(site.call('search', { query: 'two', offset: 9 }).text).toBe(
      'There are only 4 matching lines: nothing from 9 on.',
    );
  });

  test('takes a folder and a glob together', () => {
    expect(site.call('search', { query: 'two', path: 'guides', glob: '*.md' }).text).toContain('1 line in 1 file.');
  });

  test('says what may have gone wrong when it finds nothing', () => {
    expect(site.call('search', { query: 't.*o' }).text).toContain('for a regular expression give regex: true');
    expect(site.call('search', { query: 'TWO' }).text).toContain('pass ignoreCase: true');
  });
});
