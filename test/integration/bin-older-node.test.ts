import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { commandEnv } from '../support/command.ts';
import { ROOT } from '../support/processes.ts';
import { HAS_TERMINALS, onTerminal } from '../support/terminal.ts';

/** As under Node 20, where bin/docent.js starts the Node 24 that npm installed. */
const AS_NODE_20 = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})';
const DOCENT = [process.execPath, '--import', `data:text/javascript,${AS_NODE_20}`, path.join(ROOT, 'bin/docent.js')];

test('an installed package names the required version on an older Node', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'docent-installed-'));
  await cp(path.join(ROOT, 'bin/docent.js'), path.join(root, 'bin/docent.mjs'));
  const { status, stderr } = spawnSync(
    DOCENT[0]!,
    [...DOCENT.slice(1, 3), path.join(root, 'bin/docent.mjs'), 'start'],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([
    1,
    'Docent needs Node 24 or newer, and this is Node 20.0.0. Install Node 24 or newer (https://nodejs.org), and run Docent with it.\n',
  ]);
  await rm(root, { recursive: true });
});

describe.skipIf(!HAS_TERMINALS)('under an older Node', () => {
  let api: TestApi;
  let folder: string;
  beforeAll(async () => {
    api = await startTestApi();
    folder = await mkdtemp(path.join(tmpdir(), 'docent-older-node-'));
  });
  afterAll(async () => {
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('Ctrl-C leaves a job with its sentence and exit code 130', async () => {
    const project = await api.addProject();
    const job = await createJob(api, project);
    const env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
    const docent = onTerminal([...DOCENT, 'job', 'watch', job, '--project', project], env);
    await docent.sees(/./);
    await expect.poll(() => api.logged()).toContain('listJobEvents');
    docent.type('\x03');
    const { code, shown } = await docent.ends();
    expect(shown).toContain(`docent job watch ${job}`);
    expect(code, shown).toBe(130);
  });
});
