import { rm } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveWorkflowBundle } from '../support/caches.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const repositories = mountSmallDisk('8m');
const caches = mountSmallDisk('60m');
let docent: Installation;
let worker: RoleProcess;

beforeAll(async () => {
  if (!caches) return;
  const cacheDir = path.join(caches.folder, 'cache');
  docent = await Installation.create({ env: { DOCENT_CACHE_DIR: cacheDir } });
  await giveWorkflowBundle(cacheDir);
  [, worker] = await Promise.all([docent.startApi(), docent.startWorker()]);
});
afterAll(async () => {
  await docent?.stop();
  repositories?.remove();
  caches?.remove();
});

const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';
const TOLD = /disk is full/;

test.skipIf(!repositories)(
  'a push to a repository whose disk is full is made once there is room, and the job never fails',
  async () => {
    const onDisk = path.join(repositories!.folder, 'docs.git');
    execFileSync('git', ['clone', '--quiet', '--bare', docent.repository, onDisk]);
    await docent.client.POST('/v1/projects', { body: { id: docent.projectId, repository: onDisk, ref: 'main' } });
    repositories!.fillUp();
    const id = await docent.post(PROMPT);
    // More often than an unreachable repository is retried.
    await until('the push is retried', () => (worker.output().match(/could not take the push/g) ?? []).length > 3);
    expect(worker.output()).toMatch(TOLD);
    expect((await docent.job(id)).status).toBe('active');
    repositories!.makeRoom();
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    const commits = execFileSync('git', ['-C', onDisk, 'rev-list', '--count', `main..docent/${id}`], {
      encoding: 'utf8',
    });
    expect(commits.trim()).toBe('1');
  },
);

test.skipIf(!caches)("a worker's full cache delays a job, and does not fail it", async () => {
  const project = await docent.withOwnProject();
  // Creating the project has fetched the files: a worker without them has to write.
  await worker.kill();
  await rm(path.join(caches!.folder, 'cache'), { recursive: true });
  await giveWorkflowBundle(path.join(caches!.folder, 'cache'));
  worker = await docent.startWorker();
  caches!.fillUp();
  const id = await project.post(PROMPT);
  // An unexpected error would be final after six attempts.
  await until('it is retried', () => (worker.output().match(/The worker could not continue|ENOSPC/g) ?? []).length > 7);
  expect((await project.job(id)).status).toBe('active');
  caches!.makeRoom();
  expect(await project.settled(id)).toMatchObject({ status: 'completed', error: null });
});
