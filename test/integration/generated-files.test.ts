import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each([
  ['of openapi.yaml', 'scripts/generate/contract.ts'],
  ['of the declared project settings', 'scripts/generate/project-settings.ts'],
])('the generated files are those %s', async (_, script) => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stdout).toContain('Up to date');
});
