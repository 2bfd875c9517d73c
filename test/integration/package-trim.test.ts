import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const TRIM = path.join(import.meta.dirname, '../../bin/trim.js');
const BRIDGE = 'node_modules/@temporalio/core-bridge/releases';
const KEPT = [
  `${BRIDGE}/x86_64-unknown-linux-gnu/index.node`,
  'node_modules/koa/index.js',
  'node_modules/koa/LICENSE',
  'node_modules/data/places.json',
];
const NEEDLESS = [
  `${BRIDGE}/aarch64-apple-darwin/index.node`,
  `${BRIDGE}/aarch64-unknown-linux-gnu/index.node`,
  'node_modules/koa/index.js.map',
  'node_modules/koa/index.d.ts',
];
const OUTSIDE = '../other/index.d.ts';

const AS_NODE_20 = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})',
];

let root: string;
beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'docent-trim-')), 'server');
  for (const file of ['bin/docent.js', ...KEPT, ...NEEDLESS, OUTSIDE]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), 'x');
  }
  cpSync(TRIM, path.join(root, 'bin/trim.js'));
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
});
afterEach(() => rmSync(path.dirname(root), { recursive: true }));

const trim = () =>
  execFileSync(process.execPath, [path.join(root, 'bin/trim.js')], { env: { PATH: process.env.PATH } });
const there = (files: string[]) => files.filter((file) => existsSync(path.join(root, file)));

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'an installed package loses what this machine never uses, and nothing else; a second time changes nothing',
  () => {
    for (const _ of ['first', 'second']) {
      trim();
      expect(there([...KEPT, ...NEEDLESS, OUTSIDE])).toEqual([...KEPT, OUTSIDE]);
    }
  },
);

test('a checkout keeps everything', () => {
  mkdirSync(path.join(root, 'src/main'), { recursive: true });
  writeFileSync(path.join(root, 'src/main/cli.ts'), '');
  trim();
  expect(there(NEEDLESS)).toEqual(NEEDLESS);
});

test('an installed package says which Node it needs on an older one', () => {
  const file = 'bin/docent.js';
  cpSync(path.join(import.meta.dirname, '../..', file), path.join(root, file));
  const { status, stderr } = spawnSync(process.execPath, [...AS_NODE_20, path.join(root, file), 'start'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'Docent needs Node 24 or newer, and this is Node 20.0.0. Install Node 24 or newer (https://nodejs.org), and run Docent with it.\n',
  ]);
});
