/**
 * Records histories for the replay test: `npm run record-histories` runs the tests of the job's workflow and
 * saves each history in `next`. Further arguments go to vitest: `-- -t 'rest'` records some of them and
 * leaves the others. When a release is made, `next` gets its name: a history of a release that no longer
 * replays is a job that would be stuck.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const some = process.argv.slice(2);
if (some.length === 0)
  rmSync(path.join(root, 'test', 'fixtures', 'histories', 'next'), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    'test/integration/workflow-agent-job.test.ts',
    ...some,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, DOCENT_TEST_RECORD_HISTORIES: '1' } },
);
process.exitCode = status ?? 1;
