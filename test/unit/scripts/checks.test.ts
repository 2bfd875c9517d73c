import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('a pull request has to pass each check of .ci/run', () => {
  const checks = [...read('.ci/run').matchAll(/^check .*npm run --silent (\S+)$/gm)].map(([, name]) => name);
  const inPullRequests = [...read('.github/workflows/pull-request.yaml').matchAll(/- run: npm run (\S+)$/gm)].map(
    ([, name]) => name,
  );
  expect(checks.length).toBeGreaterThan(5);
  expect(inPullRequests).toEqual(expect.arrayContaining(checks));
});
