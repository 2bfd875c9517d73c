import { rm } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Installation, until } from '../support/installation.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const repositories = mountSmallDisk('8m');
const caches = mountSmallDisk('60m');
const installations: Installation[] = [];

afterAll(async () => {
  await Promise.all(installations.map((docent) => docent.stop()));
  repositories?.remove();
  caches?.remove();
});

const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';
const TOLD = /disk is full/;

async function installation(env: Record<string, string> = {}): Promise<Installation> {
  const docent = await Installation.create({ env });
  installations.push(docent);
  return docent;
}

test.skipIf(!repositories)(
  'a push to a repository whose disk is full is made once there is room, and the job never fails',
  async () => {
    const docent = await installation();
    const onDisk = path.join(repositories!.folder, 'docs.git');
    execFileSync('git', ['clone', '--quiet', '--bare', docent.repository, onDisk]);
    await docent.startApi();
    const worker = await docent.startWorker();
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
  const docent = await installation({ DOCENT_CACHE_DIR: path.join(caches!.folder, 'cache') });
  await docent.startApi();
  const first = await docent.startWorker();
  await docent.createProject();
  // Creating the project has fetched the files: a worker without them has to write.
  await first.kill();
  await rm(path.join(caches!.folder, 'cache'), { recursive: true });
  const worker = await docent.startWorker();
  caches!.fillUp();
  const id = await docent.post(PROMPT);
  // An unexpected error would be final after six attempts.
  await until('it is retried', () => (worker.output().match(/The worker could not continue|ENOSPC/g) ?? []).length > 7);
  expect((await docent.job(id)).status).toBe('active');
  caches!.makeRoom();
  expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
});
