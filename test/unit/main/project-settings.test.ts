import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/api/contract/operations.ts';
import { validatorOf } from '../../../src/api/contract/validation.ts';
import { presentProject } from '../../../src/api/routes/projects.ts';
import { DECLARED } from '../../../src/config/project-settings.ts';
import fields from '../../../packages/dashboard/src/pages/settings/fields.json' with { type: 'json' };
import { SECTIONS } from '../../../packages/dashboard/src/pages/settings/text.ts';
import { changedSettings } from '../../../src/store/projects/project-settings.ts';
import type { ProjectRow } from '../../../src/store/projects/projects.ts';
import { declaredSettings, projectWith } from '../../support/project-settings.ts';
import { runProgram } from '../../support/run-program.ts';

const INSTALLED = { model: 'builtin', from: 'default' } as const;
const requests = new Map(operations.map((operation) => [operation.id, validatorOf(operation)]));
const takes = (operation: 'createProject' | 'updateProject', settings: object) =>
  requests.get(operation)?.body({ id: 'x', repository: '/x', settings });

describe('the API', () => {
  test.each(declaredSettings)('takes $name within its bounds, and nothing beyond', ({ name, inside, outside }) => {
    for (const operation of ['createProject', 'updateProject'] as const) {
      for (const value of [...inside, null]) takes(operation, { [name]: value });
      for (const value of outside)
        expect(() => takes(operation, { [name]: value }), JSON.stringify(value)).toThrow(`settings.${name}`);
    }
  });

  test.each(declaredSettings)(
    'keeps $name, shows it, and takes it back to the default',
    ({ name, setting, inside }) => {
      const when = { now: 0, begun: false };
      const clear = { analyticsHumanClasses: [], analyticsAiClasses: [] };
      for (const value of inside) {
        const changed = changedSettings({}, { ...clear, [name]: value }, when);
        expect(presentProject(projectWith(changed), INSTALLED).settings).toMatchObject({ [name]: value });
        const back = changedSettings(changed, { [name]: null }, when);
        // The schedule of the salts continues: it ends with the default.
        const shown = name === 'analyticsSaltPolicy' ? setting.fallback : null;
        expect(presentProject(projectWith(back), INSTALLED).settings).toMatchObject({ [name]: shown });
      }
    },
  );

  test('shows every declared setting of a project that sets none, and no other', () => {
    const { settings: shown } = presentProject(
      projectWith({ ofALaterVersion: 1 } as ProjectRow['settings']),
      INSTALLED,
    );
    expect(shown).toEqual(Object.fromEntries(DECLARED.map(([name]) => [name, null])));
  });

  test('refuses a misspelled one, which would limit nothing', () => {
    const change = { draft: true, budgetDayUSD: 5 };
    expect(() => changedSettings({}, change, { now: 0, begun: false })).toThrow('Did you mean `budgetDayUsd`?');
  });
});

describe('the command line', () => {
  test.each(declaredSettings)('has an option for $name in its help', async ({ setting: { flag, help, helpNo } }) => {
    const { output } = await runProgram('project', 'update', '--help');
    const oneLine = output.replaceAll(/\s+/g, ' ');
    expect(oneLine).toContain(`${flag} ${help}`);
    if (helpNo !== undefined) expect(oneLine).toContain(`${flag.replace('--', '--no-')} ${helpNo}`);
  });
});

describe('the documentation', () => {
  test.each(declaredSettings)('has $name in its tables', async ({ name, setting: { flag, about } }) => {
    expect(await readFile('docs/guides/projects.mdx', 'utf8')).toContain(`\n| \`${name}\` | ${about} | `);
    expect(await readFile('docs/reference/cli-projects.mdx', 'utf8')).toContain(`\n| \`${flag}\``);
  });
});

test('the dashboard names every setting and choice in plain words, and shows defaults without code', () => {
  const named = SECTIONS.flatMap((section) => Object.entries(section.fields));
  expect(named.map(([name]) => name).toSorted()).toEqual(DECLARED.map(([name]) => name).toSorted());
  const apiName = /\b(?:[a-z]+[A-Z]\w*|DOCENT_\w+)\b/;
  for (const [name, { title, hint }] of named) expect(`${title} ${hint}`, name).not.toMatch(apiName);
  for (const field of fields) {
    const options = named.find(([name]) => name === field.name)?.[1].options ?? {};
    expect(field.default, field.name).not.toMatch(/DOCENT_|[[\]"`]/);
    if (field.options) expect(Object.keys(options)).toEqual(expect.arrayContaining(field.options));
  }
});
