import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { StartedDocent } from '../support/processes.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = mountSmallDisk('600m');
const home = path.join(disk?.folder ?? '', 'home');
let docent: StartedDocent | undefined;

afterAll(async () => {
  await docent?.stop();
  disk?.remove();
});

const prompt = (name: string) => `Add a page titled "${name}" at guides/${name.toLowerCase()} with the text "There."`;

async function ask(run: RunFile, route: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${readOperatorToken(home)}`, 'content-type': 'application/json' };
  const response = await fetch(run.apiUrl + route, { headers, ...init });
  const body = (await response.json()) as { id?: string; status?: string; code?: string; error?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

const post = (run: RunFile, name: string) =>
  ask(run, '/v2/agent/demo/job', {
    method: 'POST',
    body: JSON.stringify({ prompt: `${prompt(name)} ${'x'.repeat(20_000)}` }),
  });

/** Undefined without an answer. */
const readiness = (run: RunFile) => ask(run, '/readyz').catch(() => undefined);

// A small disk needs the right to mount: run as root to test this.
test.skipIf(!disk)(
  'a full disk: requests are asked to come back, all parts come back with the room, and what was accepted is done',
  { timeout: 600_000 },
  async () => {
    chmodSync(disk!.folder, 0o711);
    docent = new StartedDocent(home, { args: ['--port', '0'], env: { DOCENT_JOBS_PER_HOUR: '100000' } });
    const run = await docent.ready(180_000);
    // At work when the disk is full: it may accept none afterwards.
    const before = await post(run, 'Before');
    expect(before.status, JSON.stringify(before.body)).toBe(201);
    const accepted = [before.body.id];
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    disk!.fillUp();
    for (let no = 0; no < 400 && refused.length < 10; no += 1) {
      // A connection may be refused if the API itself ended: clients retry then, too.
      const answer = await post(run, `Full${no}`).catch(() => undefined);
      if (answer?.status === 201) accepted.push(answer.body.id);
      else if (answer) refused.push(answer);
    }
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(answer, JSON.stringify(answer.body)).toMatchObject({
        status: 503,
        retryAfter: expect.stringMatching(/^\d+$/),
      });
      expect(answer.body.code).toBe('unavailable');
    }
    await docent.until('readiness says so', async () => {
      const answer = await readiness(run);
      return answer?.status === 503 && /^Not ready\. .*[Tt]he d(isk of the d)?atabase/.test(answer.body.error ?? '');
    });

    // Their end is to be recorded, and they are to be started again: neither continues a full disk.
    for (const part of ['postgres', 'worker', 'api']) process.kill(docent.pidOf(part), 'SIGKILL');
    await docent.until(
      'it has tried more often than it would for any other reason',
      () => docent!.hasEnded || (docent!.output.match(/is full .* Restarting in 15 s/g) ?? []).length > 2,
      180_000,
    );
    expect(docent.hasEnded, docent.output).toBe(false);

    disk!.makeRoom();
    await docent.until('it is ready', async () => (await readiness(run))?.status === 200, 120_000);
    const after = await post(run, 'After');
    expect(after.status, JSON.stringify(after.body)).toBe(201);
    for (const id of [...accepted, after.body.id]) {
      let job: Awaited<ReturnType<typeof ask>> | undefined;
      await docent.until(
        'the job ends',
        async () => {
          job = await ask(run, `/v2/agent/demo/job/${id}`);
          return job.body.status !== 'active';
        },
        180_000,
      );
      expect(job?.body, docent.output.slice(-3_000)).toMatchObject({ status: 'completed' });
    }
  },
);
