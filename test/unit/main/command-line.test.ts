import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Command } from 'commander';
import { ConfigError } from '@docent/base/config-error';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT, ServerRefusal, ServerUnreachable, printFailure } from '@docent/base/terminal/failures';
import { coloredDiff, safe, table } from '@docent/base/terminal/terminal-text';
import { days, repository, several, wholeNumber } from '@docent/cli/parsing';
import { findServer, targetFlags } from '@docent/cli/server';
import { runProgram } from '../../support/run-program.ts';
import { defaultHome, readOperatorToken, readRunFile } from '../../../src/start/home.ts';

const local = { defaultFolder: defaultHome, run: readRunFile, operatorToken: readOperatorToken };

describe('reports an invalid command line, with exit code 2', () => {
  test.each([
    [['key', 'create', '--project', 'docs'], "required option '--name <name>' not specified"],
    [['key', 'create', '--name', 'ci'], 'Specify which projects the key can access: --project ID, or --all-projects.'],
    [
      ['key', 'create', '--name', 'ci', '--project', 'a', '--all-projects'],
      'Specify which projects the key can access',
    ],
    [['key', 'create', '--name', 'ci', '--all-projects', '--expires', 'soon'], 'from 1d to 3650d, or never'],
    [['project', 'create', 'docs'], "required option '--repository <path>' not specified"],
    [['job', 'run'], "missing required argument 'prompt'"],
    [['key', 'show', ''], "The argument 'keyId' is empty. Is a variable not set?"],
    [['project', 'delete', '', '--yes'], "The argument 'id' is empty."],
    [['webhook', 'delivery', 'x', ''], "The argument 'delivery' is empty."],
    [['job', 'list', '--status', 'done'], 'Allowed choices are active, completed, failed, archived'],
    [['start', '--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['strat'], "unknown command 'strat'"],
    [['job', 'show', 'x', '--url', 'ftp://example.com'], 'must begin with http:// or https://'],
  ])('docent %j', async (args, sentence) => {
    const { output, code } = await runProgram(...args);
    expect(code).toBe(EXIT.usage);
    expect(output).toContain(sentence);
  });
});

test('help is not a failure, and job run documents its exit codes', async () => {
  const { output, code } = await runProgram('job', 'run', '--help');
  expect(code).toBe(EXIT.done);
  expect(output).toMatch(/Exit codes:[^]*4 {2}the server cannot be reached/);
});

test('help names commands by as many words as they have', async () => {
  for (const [asked, shown] of [
    [
      ['help', 'job', 'run'],
      ['job', 'run', '--help'],
    ],
    [
      ['job', 'help', 'run'],
      ['job', 'run', '--help'],
    ],
    [
      ['help', 'job'],
      ['job', '--help'],
    ],
    [
      ['help', 'status'],
      ['status', '--help'],
    ],
    [['help'], ['--help']],
  ] as const) {
    const help = await runProgram(...asked);
    expect(help).toEqual(await runProgram(...shown));
    expect(help.code).toBe(EXIT.done);
  }
  expect((await runProgram('help')).output).toContain('help [command...]');
  for (const wrong of [
    ['help', 'jbo'],
    ['help', 'job', 'rnu'],
    ['help', 'job', 'run', 'x'],
  ]) {
    expect(await runProgram(...wrong)).toMatchObject({
      code: EXIT.usage,
      output: expect.stringContaining(`unknown command '${wrong.at(-1)}'`),
    });
  }
});

describe('the server is found', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'docent-cli-'));
    const temporal = { temporalAddress: '127.0.0.1:7233', temporalUiUrl: null };
    const run = { home: realpathSync(home), apiUrl: 'http://127.0.0.1:4001', projectId: 'demo', pid: 1, ...temporal };
    writeFileSync(path.join(home, 'run.json'), JSON.stringify(run));
    writeFileSync(path.join(home, 'operator-token'), 'token\n');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const KEY = { DOCENT_API_KEY: 'docent_x' };

  test('by --url before all else, then --home, then DOCENT_URL', () => {
    expect(findServer({ url: 'http://a', home, local }, KEY, true).url).toBe('http://a');
    expect(findServer({ url: 'http://a', home, local }, KEY, false).url).toBe('http://127.0.0.1:4001');
    expect(findServer({ url: 'http://a', local }, KEY, false).url).toBe('http://a');
    expect(findServer({ local }, { DOCENT_HOME: home }, false)).toMatchObject({
      url: 'http://127.0.0.1:4001',
      defaultProject: 'demo',
    });
  });

  test('and reports missing parts', () => {
    expect(() => findServer({ url: 'http://a', local }, {}, true)).toThrow(
      'Set DOCENT_API_KEY or DOCENT_OPERATOR_TOKEN',
    );
    expect(() => findServer({ home: path.join(home, 'none'), local }, {}, false)).toThrow(ServerUnreachable);
  });
});

test('suggested commands name the project and the server, unless they are the default', () => {
  const server = {
    ...findServer({ url: 'http://127.0.0.1:1', local }, { DOCENT_API_KEY: 'k' }, true),
    defaultProject: 'demo',
  };
  expect(targetFlags(server, 'acme-docs')).toBe(' --project acme-docs --url http://127.0.0.1:1');
  expect(targetFlags({ ...server, flags: '' }, 'demo')).toBe('');
});

test('a failure becomes a sentence with its code, and its exit code', () => {
  const told: string[] = [];
  const tell = (err: unknown, json = false) => printFailure(err, json, (text) => told.push(text));
  expect(tell(new ServerRefusal('There is no job x.', 'job_not_found', 'r-1'))).toBe(EXIT.failed);
  expect(tell(new ServerUnreachable('No answer.'))).toBe(EXIT.unreachable);
  expect(tell(new CliFailure('Wrong.', EXIT.usage))).toBe(EXIT.usage);
  expect(tell(new ConfigError(['DOCENT_PORT is wrong.']))).toBe(EXIT.usage);
  expect(tell(new ServerRefusal('No.', 'unauthorized', 'r-2'), true)).toBe(EXIT.failed);
  expect(told[0]).toBe('There is no job x. (job_not_found, request r-1)\n');
  const errors = [
    { param: 'a', message: 'A is missing.', code: 'required' },
    { param: 'b', message: 'B is too long.', code: 'maxLength' },
  ];
  const details = { param: 'a', errors, docs: 'http://127.0.0.1:4000/docs/reference/errors#bad_request' };
  expect(tell(new ServerRefusal('A is missing.', 'bad_request', 'r-3', details))).toBe(EXIT.failed);
  expect(told[5]).toBe('A is missing.\nB is too long. (bad_request, request r-3)\n');
  expect(tell(new ServerRefusal('A is missing.', 'bad_request', 'r-3', details), true)).toBe(EXIT.failed);
  expect(JSON.parse(told[6] ?? '')).toMatchObject(details);
  expect(JSON.parse(told[4] ?? '')).toEqual({ error: 'No.', code: 'unauthorized', requestId: 'r-2' });
});

test('links to the explanation of an error, even after a prefix', async () => {
  const server = 'https://tools.example.com/docent';
  const refused = async (docs: string) => {
    const answer = Promise.resolve({ error: { code: 'x', docs }, response: new Response('', { status: 400 }) });
    const failure = await answerOf(server, answer).catch((err: unknown) => err);
    return (failure as ServerRefusal).details?.docs;
  };
  expect(await refused('/docent/docs/reference/errors#x')).toBe(`${server}/docs/reference/errors#x`);
  expect(await refused('http://')).toBe(null);
});

test('words become values', () => {
  expect(days('90d')).toBe(90);
  // Commander's values, in which null is an empty string.
  const parsed = new Command().option('--expires <days>', '', days);
  parsed.parse(['--expires', 'never'], { from: 'user' });
  expect(parsed.opts()).toEqual({ expires: 'never' });
  for (const wrong of ['0d', '90', '3651d', '-1d', '1.5d', '']) expect(() => days(wrong)).toThrow();
  expect(several('b,c', ['a'])).toEqual(['a', 'b', 'c']);
  expect(wholeNumber(1, 10)('7')).toBe(7);
  for (const wrong of ['0', '11', '1e1', ' 7', '-1']) expect(() => wholeNumber(1, 10)(wrong)).toThrow();
  expect(repository('docs')).toBe(path.resolve('docs'));
  expect(repository('https://example.com/docs.git')).toBe('https://example.com/docs.git');
});

test('text from elsewhere cannot steer the terminal', () => {
  const hostile = 'a\u001b[2Jb\u0007\u009b31m\r';
  expect(safe(hostile)).toBe('a\\x1b[2Jb\\x07\\x9b31m\\x0d');
  expect(safe('tab\tand\nline')).toBe('tab\tand\nline');
  expect(table(['TITLE'], [[hostile]])).not.toContain('\u001b[2J');
  expect(coloredDiff(`+${hostile}`)).not.toContain('\u001b[2J');
});
