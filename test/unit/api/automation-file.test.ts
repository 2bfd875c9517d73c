import { expect, test } from 'vitest';
import { readAutomationFile } from '../../../src/api/automation-file.ts';
import type { FoundFile } from '../../../src/workflows/contract.ts';

const read = (text: string | null, name = 'weekly.yaml', kind: FoundFile['kind'] = 'file') =>
  readAutomationFile({ path: `.docent/automations/${name}`, kind, text });
const GOOD = 'name: Weekly\nprompt: Fix links\n';

test('reads an automation from a file, whose name is its id', () => {
  expect(read(GOOD)).toMatchObject({ id: 'weekly', body: { name: 'Weekly', prompt: 'Fix links', enabled: true } });
  expect(read(GOOD, 'a-b_1.yml')).toMatchObject({ id: 'a-b_1' });
  for (const written of [`\uFEFF${GOOD}`, GOOD.replaceAll('\n', '\r\n'), `---\n${GOOD}...\n`]) {
    expect(read(written)).toMatchObject({ body: { name: 'Weekly', prompt: 'Fix links' } });
  }
});

test.each<[string, string | null, number, string]>([
  ['an unknown field', `${GOOD}\nnoSuch: 1\n`, 4, '`noSuch` is no field'],
  ['an unknown part of a budget', `${GOOD}budget:\n  euros: 1\n`, 4, '`budget.euros` is no field'],
  [
    'an unknown part of a trigger',
    `${GOOD}trigger:\n  type: webhook\n  secret: x\n`,
    5,
    '`trigger.secret` is no field',
  ],
  ['a trigger that lacks a field', `${GOOD}trigger:\n  type: schedule\n`, 3, '`trigger.cron` is missing'],
  ['a trigger of no kind', `${GOOD}trigger:\n  type: moon\n`, 4, '`trigger.type`'],
  ['a secret', `${GOOD}webhook:\n  url: https://example.com\n  secret: whsec_x\n`, 5, 'files contain no secrets'],
  ['an id', `id: x\n${GOOD}`, 1, 'the name of the file is the id'],
  ['a wrong value', `${GOOD}maxRunsPerDay: 0\n`, 3, '`maxRunsPerDay` must be between 1 and'],
  ['a missing field', 'name: Weekly\n', 1, '`prompt` is missing'],
  ['a field twice', `${GOOD}name: Other\n`, 3, 'This field is there twice.'],
  ['a wrong event', `${GOOD}trigger:\n  type: code\n  events: [merge]\n`, 5, 'must be one of opened'],
  ['no events', `${GOOD}trigger:\n  type: code\n  events: []\n`, 5, 'must have at least 1 entry'],
  ['broken YAML', `${GOOD}trigger: {\n`, 4, ''],
  ['aliases, which can grow without bounds', 'name: &a Weekly\nprompt: *a\n', 2, 'Put *a in quotes.'],
  ['merged fields', 'base: &b { name: Weekly }\n<<: *b\n', 2, 'Put *b in quotes.'],
  ['another version of YAML', `%YAML 1.1\n---\n${GOOD}`, 1, 'Remove the directive %YAML 1.1.'],
  ['a value of a type of its own', `${GOOD}metadata: !!omap [team: docs]\n`, 3, 'Tags such as `!name`'],
  ['two documents', `${GOOD}---\n${GOOD}`, 3, 'several documents'],
  ['a character that the database refuses', `${GOOD}metadata: { team: "a\\0b" }\n`, 3, 'U+0000'],
  ['half a character', 'name: Weekly\nprompt: "\\uD83D"\n', 2, 'unpaired surrogate'],
  ['a number without a value', `${GOOD}budget: { usd: .nan }\n`, 3, 'must be a number'],
  ['a field with a long name', `${GOOD}${'k'.repeat(1_000)}: 1\n`, 3, `${'k'.repeat(79)}…\` is no field`],
  ['a list', '- 1\n', 1, 'must have fields'],
  ['nothing', '', 1, ''],
  ['no text, or UTF-16', null, 1, 'UTF-8 of at most 64 KB'],
])('refuses %s, with its line', (_what, text, line, message) => {
  const found = read(text);
  expect(found).toMatchObject([{ file: '.docent/automations/weekly.yaml', line }]);
  expect((found as { message: string }[])[0]?.message).toContain(message);
});

test.each(['no id.yaml', 'sub/weekly.yaml', 'README.md', '.yaml'])('refuses the file name %s', (name) => {
  expect(read(GOOD, name)).toMatchObject([{ line: 1 }]);
});

test.each<[string, string]>([
  ['lists in lists', '['.repeat(60_000)],
  ['objects in objects', '{a: '.repeat(15_000)],
  ['entries of entries', '- '.repeat(30_000)],
  ['commas', `name: [${','.repeat(60_000)}]`],
  ['fields', Array.from({ length: 9_000 }, (_, i) => `k${i}: 1\n`).join('')],
  ['quotes', '"'.repeat(60_000)],
  ['comments', '#\n'.repeat(30_000)],
  ['directives', `${'%A b\n'.repeat(12_000)}---\n${GOOD}`],
])('refuses 60 KB of %s at once, with one sentence', (_what, text) => {
  const began = performance.now();
  expect(read(text)).toMatchObject([{ message: expect.stringMatching(/ more fields, lists and comments |directive/) }]);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('names ten problems of a file at most', () => {
  expect(read(Array.from({ length: 100 }, (_, i) => `k${i}: 1\n`).join(''))).toHaveLength(10);
});

test.each<[string, FoundFile['kind'], string]>([
  ['.docent/automations/weekly.yaml', 'symlink', 'symbolic links'],
  ['.docent/automations/vendored', 'submodule', 'submodules'],
  ['.docent/automations', 'symlink', 'symbolic links'],
  ['.docent', 'submodule', 'submodules'],
  ['.docent/automations', 'file', 'must be a folder'],
])('follows no links: %s is a %s', (path, kind, message) => {
  expect(readAutomationFile({ path, kind, text: null })).toMatchObject([
    { file: path, message: expect.stringContaining(message) },
  ]);
});
