import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { portsFrom } from '../../scripts/free-port.ts';

/** Below those of tests that run beside this one. */
const FIRST = 11_000;
const COUNT = 100;
const PROGRAM = `
  const { portsFrom } = await import(${JSON.stringify(path.join(import.meta.dirname, '../../scripts/free-port.ts'))});
  const free = portsFrom(${FIRST}, ${COUNT});
  console.log(JSON.stringify(await Promise.all(Array.from({ length: 15 }, free))));
  process.stdin.resume().on('end', () => process.exit());
`;

test('parallel callers get different ports', async () => {
  const free = portsFrom(FIRST, COUNT);
  const ports = await Promise.all(Array.from({ length: 15 }, free));
  expect(new Set(ports).size).toBe(15);
});

test('processes side by side get different ports, and ports of a process that has ended are given again', async () => {
  const all = Array.from({ length: 3 }, () => {
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    const printed = new Promise<number[]>((resolve) => {
      running.child.stdout?.once('data', (text: string) => resolve(JSON.parse(text) as number[]));
    });
    return { running, printed };
  });
  const given = (await Promise.all(all.map(({ printed }) => printed))).flat();
  expect(new Set(given).size).toBe(45);
  for (const { running } of all) running.child.stdin?.end();
  await Promise.all(all.map(({ running }) => running));
  const free = portsFrom(FIRST, COUNT);
  const again = await Promise.all(Array.from({ length: COUNT - 25 }, free));
  expect(again.some((port) => given.includes(port))).toBe(true);
});

test('a claim whose process id now belongs to another process is void', async () => {
  const own = await portsFrom(FIRST + COUNT, 1)();
  const claim = path.join('/tmp', `docent-test-ports-${process.getuid?.() ?? 'all'}`, String(own));
  // As if this process were another one, with another start time.
  writeFileSync(claim, `${process.pid} 1`);
  expect(await portsFrom(FIRST + COUNT, 1)()).toBe(own);
});
