import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { operations } from '../../src/api/contract/operations.ts';
import { validatorOf } from '../../src/api/contract/validation.ts';
import { presentProject } from '../../src/api/routes/projects.ts';
import { PROJECT_SETTINGS } from '../../src/config/project-settings.ts';
import { EXIT } from '@docent/base/terminal/failures';
import { changedSettings, type SettingsChange } from '../../src/store/projects/project-settings.ts';
import { declaredSettings, projectWith } from '../support/project-settings.ts';
import { runProgram } from '../support/run-program.ts';
import { defaultText } from '../../src/cli/commands/project-settings.ts';

const INSTALLED = { model: 'builtin', from: 'default' } as const;
const updateProject = validatorOf(operations.find(({ id }) => id === 'updateProject')!);

describe('the command line', () => {
  let server: Server;
  let url: string;
  let row = projectWith({});
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
      sent = updateProject.body(body);
      row = projectWith(changedSettings(row.settings, body.settings, { now: 0, begun: false }));
    }
    const none = { ref: 'main', commit: 'a'.repeat(40), includedCharacters: 0, files: [] };
    return JSON.stringify(request.url?.endsWith('/instructions') ? none : presentProject(row, INSTALLED));
  }

  const update = (...args: string[]) => runProgram('project', 'update', 'x', '--url', url, ...args);

  test.each(declaredSettings)('sets $name, shows it, and takes it back', async ({ name, setting, inside }) => {
    const { flag, helpNo, reset = 'default', shownAs, words } = setting;
    const [option = ''] = flag.split(' ');
    for (const value of inside) {
      row = projectWith({ analyticsHumanClasses: [], analyticsAiClasses: [] });
      const text = Array.isArray(value) ? value.join(',') : String(value);
      const switched = value === true ? option : option.replace('--', '--no-');
      const { output, code } = await update(...(helpNo === undefined ? [option, text] : [switched]));
      expect(code, output).toBe(EXIT.done);
      expect(sent).toEqual({ settings: { [name]: value } });
      const said = words?.(value) ?? (typeof value === 'boolean' ? (value ? 'yes' : 'no') : text.replace(/,/g, ', '));
      const isDefault = name === 'analyticsSaltPolicy' && value === setting.fallback;
      expect(lineOf((await runProgram('project', 'show', 'x', '--url', url)).output, shownAs)).toBe(
        isDefault ? defaultText(setting) : said,
      );
    }
    if (helpNo !== undefined) return;
    const { output, code } = await update(option, reset);
    expect(code, output).toBe(EXIT.done);
    expect(sent).toEqual({ settings: { [name]: null } });
    expect(lineOf(output, shownAs)).toBe(defaultText(setting));
  });

  test('refuses what the API would refuse, and lists allowed values', async () => {
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

  test('accepts lists in one option or several, and an empty list of classes', async () => {
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
    row = projectWith({ budgetJobTokens: 100_000, budgetDayUsd: 5 });
    const { output } = await runProgram('project', 'show', 'x', '--url', url);
    expect(lineOf(output, 'budgets')).toBe('job: 100,000 tokens, day: $5');
  });

  test('shows from when on each policy holds for which visitors keep an id', async () => {
    row = projectWith({
      analyticsSalts: [
        { policy: 'fixed', fromDay: null },
        { policy: 'daily', fromDay: 20_000 },
      ],
    });
    const { output } = await runProgram('project', 'show', 'x', '--url', url);
    const { shownAs } = PROJECT_SETTINGS.analyticsSaltPolicy;
    expect(lineOf(output, shownAs)).toBe('fixed, daily from 2024-10-04');
  });
});

/** The text of a line of `docent project show`. */
function lineOf(output: string, name: string): string | undefined {
  return new RegExp(`^${name} +(.*)$`, 'm').exec(output)?.[1];
}
