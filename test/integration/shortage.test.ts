import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const urlOf = (file: string) => JSON.stringify(pathToFileURL(path.join(import.meta.dirname, '../../src', file)).href);

test('without handles for another process, git and the child pool fail with a shortage, and end nothing', () => {
  const script = `
    import { openSync } from 'node:fs';
    import { runGit } from ${urlOf('../packages/git/src/transport/git-process.ts')};
    import { ChildPool } from ${urlOf('platform/children/child-pool.ts')};
    import { shortageOf } from ${urlOf('../packages/base/src/shortage.ts')};
    const pool = new ChildPool({ entry: new URL('file:///none'), size: 1, environment: {}, recycleAbove: 1e12, killAbove: 1e12,
      timeLimitMs: 10_000, reviveError: (error) => new Error(error.message) });
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const told = [];
    for (const work of [() => runGit(['--version']), () => pool.run('any', {})]) {
      try { await work(); } catch (err) { told.push(shortageOf(err)); }
    }
    console.log(told.join());`;
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script],
    { encoding: 'utf8' },
  );
  expect(stdout.trim(), stderr).toBe('handles,handles');
});
