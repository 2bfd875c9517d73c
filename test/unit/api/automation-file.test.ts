import { expect, test } from 'vitest';
import { readAutomationFile } from '../../../src/api/automation-file.ts';

const read = (text: string | null, name = 'weekly.yaml') => readAutomationFile(`.docent/automations/${name}`, text);
const GOOD = 'name: Weekly\nprompt: Fix links\n';

test('reads an automation from a file, whose name is its id', () => {
  expect(read(GOOD)).toMatchObject({ id: 'weekly', body: { name: 'Weekly', prompt: 'Fix links', enabled: true } });
  expect(read(GOOD, 'a-b_1.yml')).toMatchObject({ id: 'a-b_1' });
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
  ['a field twice', `${GOOD}name: Other\n`, 3, 'unique'],
  ['broken YAML', `${GOOD}trigger: {\n`, 4, ''],
  ['aliases, which can grow without bounds', 'name: &a Weekly\nprompt: *a\n', 1, 'cannot be read'],
  ['a list', '- 1\n', 1, 'must be a JSON object'],
  ['nothing', '', 1, ''],
  ['no text', null, 1, '64 KB'],
])('refuses %s, with its line', (_what, text, line, message) => {
  const found = read(text);
  expect(found).toMatchObject([{ file: '.docent/automations/weekly.yaml', line }]);
  expect((found as { message: string }[])[0]?.message).toContain(message);
});

test.each(['no id.yaml', 'sub/weekly.yaml', 'README.md', '.yaml'])('refuses the file name %s', (name) => {
  expect(read(GOOD, name)).toMatchObject([{ line: 1 }]);
});
