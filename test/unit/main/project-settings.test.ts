import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../src/api/contract/operations.ts';
import { requestCompiler } from '../../../src/api/contract/validation.ts';
import { presentProject } from '../../../src/api/presenters/project.ts';
import { DECLARED, PROJECT_SETTINGS } from '../../../src/config/project-settings.ts';
import { EXIT } from '../../../src/main/failures.ts';
import { changedSettings, type SettingsChange } from '../../../src/store/project-settings.ts';
import type { ProjectRow } from '../../../src/store/projects.ts';
import { runProgram } from '../../support/run-program.ts';

const INSTALLED = { model: 'builtin', from: 'default' } as const;
const compile = requestCompiler();
const requests = new Map(operations.map((operation) => [operation.id, compile(operation)]));
const takes = (operation: 'createProject' | 'updateProject', settings: object) =>
  requests.get(operation)?.body({ id: 'x', repository: '/x', settings });

/** Values at the edges of what a declaration takes, and just beyond. */
function edgesOf(schema: z.core.JSONSchema.BaseSchema): { inside: unknown[]; outside: unknown[] } {
  const { minimum = 0, maximum = 0, maxLength = 0, maxItems = 0, pattern = '' } = schema;
  const outside: unknown[] = [{}];
  if (schema.enum) return { inside: schema.enum, outside: [...outside, 'nonsense', 7] };
  switch (schema.type) {
    case 'integer':
      return { inside: [minimum, maximum], outside: [...outside, minimum - 1, maximum + 1, minimum + 0.5, '7'] };
    case 'number':
      return { inside: [0.25, 5], outside: [...outside, schema.exclusiveMinimum, -1, maximum + 1, '7'] };
    case 'boolean':
      return { inside: [true, false], outside: [...outside, 'on', 1] };
    case 'string': {
      const fitting = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
      const inside = fc
        .sample(fitting, { numRuns: 5, seed: 1 })
        .filter((text) => !/^\s|\s$|^(?:default|-.*)$/.test(text));
      return { inside, outside: [...outside, '', '\u0000', 'a'.repeat(maxLength + 1), 7] };
    }
    case 'array': {
      const { inside: entries, outside: wrong } = edgesOf(schema.items as z.core.JSONSchema.BaseSchema);
      const twice = schema.uniqueItems ? [[entries[0], entries[0]]] : [];
      const many = Array.from({ length: maxItems + 1 }, (_, index) => `a${index}`);
      return {
        inside: entries.map((entry) => [entry]),
        outside: [...outside, ...wrong.map((entry) => [entry]), ...twice, many, entries[0]],
      };
    }
    default:
      throw new Error(`Say what the edges of ${schema.type} are.`);
  }
}

const settings = DECLARED.map(([name, setting]) => ({ name, setting, ...edgesOf(z.toJSONSchema(setting.read)) }));

describe('the API', () => {
  test.each(settings)('takes $name within its bounds, and nothing beyond', ({ name, inside, outside }) => {
    for (const operation of ['createProject', 'updateProject'] as const) {
      for (const value of [...inside, null]) takes(operation, { [name]: value });
      for (const value of outside)
        expect(() => takes(operation, { [name]: value }), JSON.stringify(value)).toThrow(`settings.${name}`);
    }
  });

  test.each(settings)('keeps $name, shows it, and takes it back to the default', ({ name, setting, inside }) => {
    const when = { now: 0, begun: false };
    const clear = { analyticsHumanClasses: [], analyticsAiClasses: [] };
    for (const value of inside) {
      const changed = changedSettings({}, { ...clear, [name]: value }, when);
      expect(presentProject(rowOf(changed), INSTALLED).settings).toMatchObject({ [name]: value });
      const back = changedSettings(changed, { [name]: null }, when);
      // The schedule of the salts goes on: it ends with the default.
      const shown = name === 'analyticsSaltPolicy' ? setting.fallback : null;
      expect(presentProject(rowOf(back), INSTALLED).settings).toMatchObject({ [name]: shown });
    }
  });

  test('shows every setting of a project without any, and none that is not declared', () => {
    const { settings: shown } = presentProject(rowOf({ ofALaterVersion: 1 } as ProjectRow['settings']), INSTALLED);
    expect(shown).toEqual(Object.fromEntries(DECLARED.map(([name]) => [name, null])));
    const given = { unknown: 1, draft: true };
    expect(changedSettings({}, given, { now: 0, begun: false })).toEqual({ draft: true });
  });
});

describe('the command line', () => {
  let server: Server;
  let url: string;
  let row = rowOf({});
  let sent: unknown;
  beforeAll(async () => {
    vi.stubEnv('DOCENT_OPERATOR_TOKEN', 'a-token');
    server = createServer((request, response) => {
      void answer(request).then((text) => response.setHeader('Content-Type', 'application/json').end(text));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });

  async function answer(request: IncomingMessage): Promise<string> {
    if (request.method === 'PATCH') {
      const body = (await json(request)) as { settings: SettingsChange };
      sent = requests.get('updateProject')?.body(body);
      row = rowOf(changedSettings(row.settings, body.settings, { now: 0, begun: false }));
    }
    const none = { ref: 'main', commit: 'a'.repeat(40), toldCharacters: 0, files: [] };
    return JSON.stringify(request.url?.endsWith('/instructions') ? none : presentProject(row, INSTALLED));
  }

  const update = (...args: string[]) => runProgram('project', 'update', 'x', '--url', url, ...args);

  test.each(settings)('sets $name, shows it, and takes it back', async ({ name, setting, inside }) => {
    const { flag, helpNo, reset = 'default', shownAs, words } = setting;
    const [option = ''] = flag.split(' ');
    for (const value of inside) {
      row = rowOf({ analyticsHumanClasses: [], analyticsAiClasses: [] });
      const text = Array.isArray(value) ? value.join(',') : String(value);
      const switched = value === true ? option : option.replace('--', '--no-');
      const { output, code } = await update(...(helpNo === undefined ? [option, text] : [switched]));
      expect(code, output).toBe(EXIT.done);
      expect(sent).toEqual({ settings: { [name]: value } });
      const said = words?.(value) ?? (typeof value === 'boolean' ? (value ? 'yes' : 'no') : text.replace(/,/g, ', '));
      const isDefault = name === 'analyticsSaltPolicy' && value === setting.fallback;
      expect(lineOf((await runProgram('project', 'show', 'x', '--url', url)).output, shownAs)).toBe(
        isDefault ? '–' : said,
      );
    }
    if (helpNo !== undefined) return;
    const { output, code } = await update(option, reset);
    expect(code, output).toBe(EXIT.done);
    expect(sent).toEqual({ settings: { [name]: null } });
    expect(lineOf(output, shownAs)).toBe('–');
  });

  test('refuses what the API would refuse, and says what it takes', async () => {
    const wrong = [
      [['--archive-after-days', '0'], 'It must be a whole number from 1 to 3650, or default.'],
      [['--budget-day-usd', '0'], 'It must be more than 0, or default.'],
      [['--budget-job-tokens', '1.5'], 'It must be a whole number from 1 to'],
      [['--origin', 'https://a/'], 'It must be a site such as docs.example.com'],
      [['--ai-classes', 'robot'], 'It must be classes of human, assistant, search, training, other'],
      [['--salt-policy', 'weekly'], 'It must be one of fixed, monthly, daily, or default.'],
    ] as const;
    for (const [args, sentence] of wrong) {
      const { output, code } = await update(...args);
      expect([code, output]).toEqual([EXIT.usage, expect.stringContaining(sentence)]);
    }
    expect(await update()).toMatchObject({ code: EXIT.usage });
  });

  test('takes lists in one go or one by one, and no class at all', async () => {
    await update('--label', 'a,b', '--label', 'c', '--human-classes', 'none', '--ai-classes', 'search, assistant');
    expect(sent).toEqual({
      settings: {
        labels: ['a', 'b', 'c'],
        analyticsHumanClasses: [],
        analyticsAiClasses: ['search', 'assistant'],
      },
    });
  });

  test('shows the budgets on one line', async () => {
    row = rowOf({ budgetJobTokens: 100_000, budgetDayUsd: 5 });
    const { output } = await runProgram('project', 'show', 'x', '--url', url);
    expect(lineOf(output, 'budgets')).toBe('job: 100,000 tokens, day: $5');
  });

  test('shows from when on each policy holds for which visitors keep an id', async () => {
    row = rowOf({
      analyticsSalts: [
        { policy: 'fixed', fromDay: null },
        { policy: 'daily', fromDay: 20_000 },
      ],
    });
    const { output } = await runProgram('project', 'show', 'x', '--url', url);
    const { shownAs } = PROJECT_SETTINGS.analyticsSaltPolicy;
    expect(lineOf(output, shownAs)).toBe('fixed, daily from 2024-10-04');
  });

  test.each(settings)('has an option for $name in its help', async ({ setting: { flag, help, helpNo } }) => {
    const { output } = await runProgram('project', 'update', '--help');
    const oneLine = output.replaceAll(/\s+/g, ' ');
    expect(oneLine).toContain(`${flag} ${help}`);
    if (helpNo !== undefined) expect(oneLine).toContain(`${flag.replace('--', '--no-')} ${helpNo}`);
  });
});

describe('the documentation', () => {
  test('and the contract are those that the declarations make', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/project-settings.ts', '--check']);
    expect(stdout).toContain('Up to date');
  });

  test.each(settings)('has $name in its tables', async ({ name, setting: { flag, about } }) => {
    expect(await readFile('docs/guides/projects.mdx', 'utf8')).toContain(`\n| \`${name}\` | ${about} | `);
    expect(await readFile('docs/reference/cli.mdx', 'utf8')).toContain(`\n| \`${flag}\``);
  });
});

/** What a line of `docent project show` says. */
function lineOf(output: string, name: string): string | undefined {
  return new RegExp(`^${name} +(.*)$`, 'm').exec(output)?.[1];
}

function rowOf(stored: ProjectRow['settings']): ProjectRow {
  return {
    id: 'x',
    host: 'local',
    repository: '/srv/x',
    repositoryId: null,
    ref: 'main',
    docsDir: '',
    model: 'builtin',
    namesModel: false,
    settings: stored,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };
}
