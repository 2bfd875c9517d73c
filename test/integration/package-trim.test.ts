import { execFileSync } from 'node:child_process';
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
const NODE = 'node_modules/node/bin/node';
const OUTSIDE = '../other/index.d.ts';

let root: string;
beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'docent-trim-')), 'server');
  for (const file of ['bin/docent.js', ...KEPT, ...NEEDLESS, NODE, OUTSIDE]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), 'x');
  }
  cpSync(TRIM, path.join(root, 'bin/trim.js'));
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
});
afterEach(() => rmSync(path.dirname(root), { recursive: true }));

/** @param ofNpm the Node that npm runs on: that of the machine */
const trim = (ofNpm: string) =>
  execFileSync(process.execPath, [path.join(root, 'bin/trim.js')], {
    env: { PATH: process.env.PATH, npm_config_user_agent: `npm/11.0.0 node/v${ofNpm} linux x64` },
  });
const there = (files: string[]) => files.filter((file) => existsSync(path.join(root, file)));

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'an installed package loses what this machine never uses, and nothing else; a second time changes nothing',
  () => {
    for (const _ of ['first', 'second']) {
      trim('24.1.0');
      expect(there([...KEPT, ...NEEDLESS, NODE, OUTSIDE])).toEqual([...KEPT, OUTSIDE]);
    }
  },
);

test('a machine whose Node is too old keeps the one that Docent brought', () => {
  trim('20.20.2');
  expect(there([NODE])).toEqual([NODE]);
});

test('a checkout keeps everything', () => {
  mkdirSync(path.join(root, 'src/main'), { recursive: true });
  writeFileSync(path.join(root, 'src/main/cli.ts'), '');
  trim('24.1.0');
  expect(there([...NEEDLESS, NODE])).toEqual([...NEEDLESS, NODE]);
});
