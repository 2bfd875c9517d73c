import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './processes.ts';
import { png } from './images.ts';
import { makeRepository, SITE } from './repository.ts';

/** With something to do for `Fix broken links`, and the pages that the docs name. */
export const DOCS = {
  ...Object.fromEntries(Object.entries(SITE).map(([name, text]) => [`docs/${name}`, text])),
  'docs/guides/hello.mdx':
    '---\ntitle: Hello\n---\n\nThis page was written by a job. To sign up, see [the start](/guides/strat).\n',
  'docs/guides/old.mdx': '---\ntitle: Old\n---\n\nWhat was.\n',
  'documentation/index.md': '# Documentation\n',
  'handbook/tone.md': 'Short sentences.\n',
  'docs/glossary.md': '# Glossary\n',
  'docs/AGENTS.md': 'Say "sign in".\n',
};

/** What the commands of the docs find: a repository and a clone of it, and logs. */
export async function makeFiles(folder: string): Promise<void> {
  execFileSync('chmod', ['711', folder]);
  mkdirSync(path.join(folder, 'origin/acme'), { recursive: true });
  await makeRepository(path.join(folder, 'origin/acme/docs.git'), DOCS);
  execFileSync('git', ['-C', path.join(folder, 'origin/acme/docs.git'), 'branch', 'release']);
  clone(folder, 'origin/acme/docs.git', 'checkout');
  const checkout = path.join(folder, 'checkout');
  writeFileSync(path.join(checkout, '.git/info/exclude'), '*\n');
  writeFileSync(path.join(checkout, 'docs/guides/hello.mdx'), '---\ntitle: Hello\n---\n\nNothing is broken here.\n');
  writeFileSync(path.join(checkout, 'screenshot.png'), png(640, 480));
  writeFileSync(path.join(checkout, 'anthropic-key.txt'), 'sk-ant-example\n');
  // The source code that the docs are about.
  await makeRepository(path.join(folder, 'origin/acme/server.git'), { 'src/server.ts': 'export const PORT = 4000;\n' });
  for (const sub of ['log', 'checkout/old']) mkdirSync(path.join(folder, sub));
  copyFileSync(path.join(ROOT, 'test/fixtures/logs/combined.log'), path.join(folder, 'log/access.log'));
  execFileSync('sh', ['-c', 'gzip -c log/access.log > checkout/old/access.log.1.gz'], { cwd: folder });
}

export function clone(folder: string, from: string, to: string, ...options: string[]): void {
  execFileSync('git', ['clone', '-q', ...options, path.join(folder, from), path.join(folder, to)]);
}
