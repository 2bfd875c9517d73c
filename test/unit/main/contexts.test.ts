import { chmodSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findServer } from '@docent/cli/server';
import { contextName, contextsFile, nameOfUrl, readContexts, writeContexts } from '@docent/cli/contexts';
import { defaultHome, readOperatorToken, readRunFile } from '../../../src/start/home.ts';

const local = { defaultFolder: defaultHome, run: readRunFile, operatorToken: readOperatorToken };

let folder: string;
let home: string;
let env: NodeJS.ProcessEnv;
const context = (url: string) => ({ url, key: 'docent_secret', keyIs: 'the key ci', project: 'handbook' });
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-contexts-'));
  home = mkdtempSync(path.join(tmpdir(), 'docent-home-'));
  env = { XDG_CONFIG_HOME: folder };
  const temporal = { temporalAddress: '127.0.0.1:7233', temporalUiUrl: null };
  const run = { home: realpathSync(home), apiUrl: 'http://127.0.0.1:4001', projectId: 'demo', pid: 1, ...temporal };
  writeFileSync(path.join(home, 'run.json'), JSON.stringify(run));
  writeFileSync(path.join(home, 'operator-token'), 'token\n');
  writeContexts(env, { current: 'work', contexts: { work: context('https://work'), other: context('https://other') } });
});
afterEach(() => {
  for (const each of [folder, home]) rmSync(each, { recursive: true, force: true });
});

const found = (options: object, more: NodeJS.ProcessEnv = {}, isUrl = false) => {
  const { url, keyFrom, context, defaultProject } = findServer({ ...options, local }, { ...env, ...more }, isUrl);
  return [url, keyFrom, context, defaultProject];
};
const KEY = { DOCENT_API_KEY: 'docent_x' };
const token = () => path.join(home, 'operator-token');

describe('which server and key a command takes', () => {
  test('flags, then the environment, then the context, then this machine', () => {
    expect(found({ url: 'https://a', context: 'other' }, KEY, true)).toEqual([
      'https://a',
      'DOCENT_API_KEY',
      null,
      undefined,
    ]);
    expect(found({ home }, KEY)).toEqual(['http://127.0.0.1:4001', token(), 'local', 'demo']);
    expect(found({ context: 'other' }, KEY)).toEqual(['https://other', 'the context other', 'other', 'handbook']);
    // What is said on the command line wins over an address in the environment.
    expect(found({ url: 'https://a', context: 'other' }, KEY)[0]).toBe('https://other');
    expect(found({ url: 'https://a' }, KEY)[0]).toBe('https://a');
    expect(found({}, { DOCENT_CONTEXT: 'other', DOCENT_HOME: home })[0]).toBe('https://other');
    expect(found({}, { DOCENT_HOME: home })[0]).toBe('http://127.0.0.1:4001');
    expect(found({})).toEqual(['https://work', 'the context work', 'work', 'handbook']);
    expect(found({}, KEY)[1]).toBe('DOCENT_API_KEY');
    expect(found({ context: 'local' }, { DOCENT_HOME: home })[0]).toBe('http://127.0.0.1:4001');
  });

  test('a key goes to no other server than the one that it was entered for', () => {
    expect(found({ url: 'https://other/' }, {}, true)[1]).toBe('the context other');
    for (const url of ['http://other', 'https://other.example.com', 'https://other:8443'])
      expect(() => found({ url }, {}, true)).toThrow(`docent login ${url}`);
  });
});

test('keys are for the eyes of their owner, even if the file was open to others', () => {
  const file = contextsFile(env);
  chmodSync(file, 0o644);
  writeContexts(env, readContexts(env));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a damaged file is not taken for an empty one, and nothing of it is reported', () => {
  writeFileSync(contextsFile(env), '{"contexts": {"work": {"key": "docent_secret"');
  expect(() => readContexts(env)).toThrow(/is damaged/);
  try {
    readContexts(env);
  } catch (err) {
    expect(String(err)).not.toContain('docent_secret');
  }
});

test('contexts have names that can be typed', () => {
  expect(nameOfUrl('https://docs.example.com/docent')).toBe('docs.example.com');
  expect(nameOfUrl('http://127.0.0.1:4000')).toBe('127.0.0.1-4000');
  expect(contextName(nameOfUrl('http://[::1]:4000'))).toBe('1-4000');
  for (const wrong of ['local', '', '-x', 'a b', '../x', '__proto__']) expect(() => contextName(wrong)).toThrow();
  expect(() => findServer({ context: 'constructor', local }, env, false)).toThrow('does not exist. Available contexts');
});
