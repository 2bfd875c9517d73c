import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { markerIn, testWithDocent, testWithProject as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { png } from '../support/images.ts';

const run = promisify(execFile);

async function upload(docent: Installation, name: string, content: Buffer): Promise<string> {
  const url = `${docent.apiUrl}/v2/agent/${docent.projectId}/attachments?filename=${encodeURIComponent(name)}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${docent.operatorToken}` },
    body: new Uint8Array(content),
  });
  const json = (await answer.json()) as { id: string };
  if (answer.status !== 201) throw new Error(JSON.stringify(json));
  return json.id;
}

async function post(docent: Installation, prompt: string, attachments: string[]): Promise<string> {
  const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId: docent.projectId } },
    body: { prompt, attachments },
  });
  if (!data) throw new Error(JSON.stringify(error));
  return data.id;
}

/** A file as a commit has it, byte for byte. */
async function bytesAt(docent: Installation, place: string): Promise<Buffer> {
  const { stdout } = await run('git', ['-C', docent.repository, 'show', place], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

const messagesOf = async (docent: Installation, id: string, query: Record<string, unknown> = {}) => {
  const params = { path: { projectId: docent.projectId, id }, query };
  const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/messages', { params });
  return data!;
};

describe.concurrent('an attached image', () => {
  test('ends up in the pull request byte for byte, and a page can show it in the same job', async ({ docent }) => {
    const content = png(640, 480, 1_500_000);
    const id = await post(docent, 'Add the image shot.png at images/shot.png', [
      await upload(docent, 'shot.png', content),
    ]);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome: 'changed', error: null });
    expect((await bytesAt(docent, `docent/${id}:images/shot.png`)).equals(content)).toBe(true);
    await docent.git('fsck', '--strict');
    await docent.say(id, 'Append a section "Look" to the page guides/start: ![A shot](/images/shot.png)');
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed' });
    expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toContain('![A shot](/images/shot.png)');
    const { messages } = await messagesOf(docent, id);
    expect(messages.map(({ no, role, state, turn, outcome }) => [no, role, state, turn, outcome])).toEqual([
      [1, 'user', 'done', 1, null],
      [2, 'assistant', 'done', 1, 'changed'],
      [3, 'user', 'done', 2, null],
      [4, 'assistant', 'done', 2, 'changed'],
    ]);
    expect(messages[0]).toMatchObject({ attachments: [{ name: 'shot.png', width: 640 }] });
    expect(messages[3]!.text).toBe(job.summary);
    // Bytes are in no transcript.
    const { rows } = await docent.database.pool.query(
      'SELECT max(octet_length(entries::text)) AS most FROM transcript WHERE job_id = $1',
      [id],
    );
    expect(rows[0].most).toBeLessThan(10_000);
  });

  test('never replaces an existing file, and never gets a name of another type', async ({ docent }) => {
    const attachments = [await upload(docent, 'shot.png', png())];
    for (const [path, why] of [
      ['guides/start.mdx', 'must end with .png'],
      ['images/shot.jpg', 'must end with .png'],
      ['.github/shot.png', 'belongs to git'],
    ]) {
      const id = await post(docent, `Add the image shot.png at ${path}`, attachments);
      expect(await docent.settled(id)).toMatchObject({
        outcome: 'refused',
        prLink: null,
        summary: expect.stringContaining(why!),
      });
    }
    const id = await post(docent, 'Add the image other.png at images/shot.png', attachments);
    expect(await docent.settled(id)).toMatchObject({
      outcome: 'refused',
      summary: expect.stringContaining('no attachment other.png'),
    });
  });
});

describe('an attached text', () => {
  test('is placed unchanged, and apparent secrets in it are not published', async ({ docent }) => {
    const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>\n');
    const id = await post(docent, 'Add the attachment logo.svg at images/logo.svg', [
      await upload(docent, 'logo.svg', text),
    ]);
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed' });
    expect((await bytesAt(docent, `docent/${id}:images/logo.svg`)).equals(text)).toBe(true);
    const token = ['ghp', 'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4'].join('_');
    docent.forbiddenTexts.add(token);
    const secret = await upload(docent, 'notes.txt', Buffer.from(`token = "${token}"\n`));
    const leaking = await post(docent, 'Add the attachment notes.txt at notes.txt', [secret]);
    expect(await docent.settled(leaking)).toMatchObject({
      status: 'failed',
      error: { code: 'secret_found' },
      prLink: null,
    });
  });
});

testWithDocent(
  'an attachment is stored once though the API dies in the upload, and published once though the worker is killed',
  // A start of each role again takes its time under load.
  { timeout: 180_000 },
  async ({ docent }) => {
    const [stored, placed] = [markerIn(docent, 'upload'), markerIn(docent, 'tools-recorded')];
    const [api, worker] = await Promise.all([
      docent.startApi({ DOCENT_TEST_FAULT: `attachment-inserted@${stored.file}` }),
      docent.startWorker({ DOCENT_TEST_FAULT: `tools-recorded@${placed.file}` }),
    ]);
    await docent.createProject();
    const content = png(10, 10, 100_000);
    await expect(upload(docent, 'shot.png', content)).rejects.toThrow();
    expect(await api.ended).toBe('SIGKILL');
    await docent.startApi();
    const attachment = await upload(docent, 'shot.png', content);
    await until('one row', async () => {
      const { rows } = await docent.database.pool.query('SELECT count(*)::int AS n FROM attachments');
      return rows[0].n === 1;
    });
    const id = await post(docent, 'Add the image shot.png to images/', [attachment]);
    expect(await worker.ended).toBe('SIGKILL');
    await docent.startWorker();
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome: 'changed' });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    expect((await bytesAt(docent, `docent/${id}:images/shot.png`)).equals(content)).toBe(true);
  },
);
