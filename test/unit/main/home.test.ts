import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHome, readOperatorToken, readRunFile, SECRET_FILES, type Home } from '../../../src/start/home.ts';

let folder: string;
let homes: Home[];

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'docent-home-')), 'deep', 'home');
  homes = [];
});

afterEach(() => {
  for (const home of homes) home.release();
  rmSync(path.join(folder, '..', '..'), { recursive: true, force: true });
});

function open(token?: string): Home {
  const home = openHome(folder, token);
  homes.push(home);
  return home;
}

const RUN = {
  apiUrl: 'http://127.0.0.1:4000',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: 'http://127.0.0.1:8233',
  projectId: 'demo',
  pid: 4711,
};

test('a home has one owner; the refusal names it, and says what to do', () => {
  const home = open();
  home.writeRunFile(RUN);
  expect(() => openHome(folder)).toThrow(
    `${folder} is in use by another \`docent start\` (process 4711, http://127.0.0.1:4000). Stop it, or choose another`,
  );
  home.release();
  expect(() => open()).not.toThrow();
});

test('the operator token is made once, kept, and readable by its owner alone', () => {
  open().release();
  const token = readOperatorToken(folder);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(statSync(path.join(folder, 'operator-token')).mode & 0o777).toBe(0o600);
  open();
  expect(readOperatorToken(folder)).toBe(token);
});

test('a token from the settings replaces the one in the home, so that the command line keeps working', () => {
  open().release();
  open('a-token-of-the-operators-own-0123456789');
  expect(readOperatorToken(folder)).toBe('a-token-of-the-operators-own-0123456789');
});

test('the written file is complete, and nothing else remains', () => {
  const home = open();
  home.updateState({ apiPort: 1 });
  home.updateState({ temporalPort: 2 });
  home.writeRunFile(RUN);
  expect(home.readState()).toEqual({ apiPort: 1, temporalPort: 2 });
  expect(readRunFile(folder)).toEqual({ ...RUN, home: realpathSync(folder) });
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  home.removeRunFile();
  expect(readRunFile(folder)).toBeNull();
});

test('keeps secrets in files for their owner, and the sign-in link no longer than it runs', () => {
  const home = open();
  expect(home.secretFile('first-key')).toBeNull();
  const files = [home.writeSecret('first-key', 'key'), home.writeSecret('sign-in-link', 'link')];
  expect(files.map((file) => [readFileSync(file, 'utf8'), statSync(file).mode & 0o777])).toEqual([
    ['key\n', 0o600],
    ['link\n', 0o600],
  ]);
  home.release();
  const next = open(); // The one before was killed.
  expect(SECRET_FILES.map((name) => next.secretFile(name))).toEqual([path.join(folder, 'first-key'), null]);
  next.writeSecret('sign-in-link', 'another');
  next.removeRunFile();
  expect(next.secretFile('sign-in-link')).toBeNull();
});

test('in a copy of a home, what the original recorded about itself is not taken for the copy', () => {
  open().writeRunFile(RUN);
  const copy = path.join(folder, '..', 'copy');
  cpSync(folder, copy, { recursive: true });
  expect(readRunFile(copy)).toBeNull();
  expect(readRunFile(folder)).toMatchObject(RUN);
});

test.each([
  ['null', null],
  ['a list', []],
  ['no address', { ...RUN, apiUrl: undefined }],
  ['an address that is none', { ...RUN, apiUrl: 'undefined' }],
  ['a process that is none', { ...RUN, pid: 0 }],
])('a run file with %s names no server', (_what, run) => {
  open();
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify(run));
  expect(readRunFile(folder)).toBeNull();
});

test('keeps fields of other versions in the state file', () => {
  const home = open();
  writeFileSync(path.join(folder, 'state.json'), JSON.stringify({ apiPort: 1, later: ['x'] }));
  home.updateState({ apiPort: 2 });
  expect(home.readState()).toEqual({ apiPort: 2, later: ['x'] });
});

test('ignores a truncated state file', () => {
  const home = open();
  writeFileSync(path.join(folder, 'state.json'), '{"apiPort": 40');
  expect(home.readState()).toEqual({});
  home.updateState({ apiPort: 5 });
  expect(JSON.parse(readFileSync(path.join(folder, 'state.json'), 'utf8'))).toEqual({ apiPort: 5 });
});

test('a folder that cannot be made gets a sentence', () => {
  writeFileSync(path.join(folder, '..', '..', 'file'), '');
  expect(() => openHome(path.join(folder, '..', '..', 'file', 'home'))).toThrow(
    /cannot be used as the home of Docent: ENOTDIR/,
  );
});

test('a home keeps one key for the credentials of code hosts, which only its owner can read', () => {
  const first = open();
  const key = readFileSync(first.secretKeyFile, 'utf8');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(statSync(first.secretKeyFile).mode & 0o777).toBe(0o600);
  first.release();
  expect(readFileSync(open().secretKeyFile, 'utf8')).toBe(key);
});
