import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const source = pathToFileURL(path.join(import.meta.dirname, '../../src/platform/log.ts')).href;

test.skipIf(!existsSync('/dev/full'))('a process keeps running when its log file is on a full disk', async () => {
  const script = `
    import { createLogger } from ${JSON.stringify(source)};
    const log = createLogger({ level: 'info', name: 'api' });
    for (let no = 0; no < 50; no += 1) log.info({ no }, 'a line');
    setTimeout(() => process.stderr.write('at work', () => process.exit(0)), 500);`;
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect(said).toBe('at work');
  expect(code).toBe(0);
});
