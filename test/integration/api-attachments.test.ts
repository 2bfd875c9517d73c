import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeUnused } from '../../src/store/jobs/attachments.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { png } from '../support/images.ts';

let api: TestApi;
let project: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 1_000, messagesPerHour: 1_000, attachmentsPerHour: 1_000 } });
  project = await api.addProject();
  key = await api.addKey({ projectIds: [project] });
});
afterAll(() => api.close());

const at = (rest = '', of = project) => `/v2/agent/${of}/attachments${rest}`;

interface Upload {
  name?: string;
  token?: string;
  headers?: Record<string, string>;
  of?: string;
}

async function upload(
  content: string | Buffer,
  { name = 'a.png', token = key, headers = {}, of = project }: Upload = {},
) {
  const response = await fetch(`${api.url}${at(`?filename=${encodeURIComponent(name)}`, of)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(Buffer.from(content)),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  const json: any = await response.json();
  return { status: response.status, headers: response.headers, json };
}

async function uploaded(content: string | Buffer = png(), options: Upload = {}): Promise<string> {
  const { status, json } = await upload(content, options);
  expect(status).toBe(201);
  return json.id;
}

describe('an upload', () => {
  test('is stored, recognized by its content, and returned byte for byte as a download', async () => {
    const content = png(640, 480, 600_000);
    const { status, headers, json } = await upload(content, {
      name: '日本.jpeg',
      headers: { 'content-type': 'text/html' },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{20}$/),
      name: '日本.jpeg',
      mediaType: 'image/png',
      bytes: content.length,
      width: 640,
      height: 480,
      sha256: createHash('sha256').update(content).digest('hex'),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(new Date(json.expiresAt).getTime() - new Date(json.createdAt).getTime()).toBe(86_400_000);
    expect(headers.get('location')).toBe(at(`/${json.id}`));
    expect((await api.call(at(`/${json.id}`), { token: key })).json).toEqual(json);
    const got = await fetch(`${api.url}${at(`/${json.id}/content`)}`, { headers: { authorization: `Bearer ${key}` } });
    expect(Buffer.from(await got.arrayBuffer()).equals(content)).toBe(true);
    expect(got.headers.get('content-type')).toBe('application/octet-stream');
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect(got.headers.get('content-length')).toBe(String(content.length));
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''%E6%97%A5%E6%9C%AC\.jpeg/);
    expect(got.headers.get('content-security-policy')).toContain('sandbox');
  });

  test.each([
    ['notes.md', '# Notes\n', 'text/markdown'],
    ['data.csv', 'a,b\n', 'text/csv'],
    ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['main.rs', 'fn main() {}', 'text/plain'],
    ['package.json', '{}', 'application/json'],
  ])('of a text is known by its name: %s', async (name, content, mediaType) => {
    expect((await upload(content, { name })).json).toMatchObject({ mediaType, width: null, height: null });
  });

  test.each([
    ['a PDF', '%PDF-1.7\n\xff\xfe\0', 415, 'unsupported_media_type'],
    ['bytes that are no UTF-8', Buffer.from([0x68, 0x80, 0x81]), 415, 'unsupported_media_type'],
    ['a text with NUL', 'a\0b', 415, 'unsupported_media_type'],
    ['nothing', '', 400, 'bad_request'],
    ['an image that would fill a memory', png(100_000, 100_000), 400, 'bad_request'],
    ['an image of no width', png(0, 5), 400, 'bad_request'],
    ['a text above 1 MB', 'x'.repeat(1_000_001), 413, 'body_too_large'],
    ['a file above 10 MB', png(3, 2, 10_000_000), 413, 'body_too_large'],
  ])('refuses %s', async (_what, content, status, code) => {
    const answer = await upload(content, { name: 'a.txt' });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('accepts a file of exactly the limit', async () => {
    const frame = png(3, 2, 1).length - 1;
    expect((await upload(png(3, 2, 10_000_000 - frame))).json.bytes).toBe(10_000_000);
    expect((await upload('x'.repeat(1_000_000), { name: 'a.txt' })).json.bytes).toBe(1_000_000);
  });

  test.each(['../a.png', 'a/b.png', 'con.png', 'a\u202Egnp.exe', '.env', 'id_rsa', 'a\n.png', ' '])(
    'refuses the name %j',
    async (name) => {
      const answer = await upload(png(), { name });
      expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
      expect(answer.json.error).toContain('filename');
    },
  );

  test('explains how to send a file to clients that send a form, and refuses compressed ones', async () => {
    const form = await upload('--x', { headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    expect([form.status, form.json.error]).toEqual([415, expect.stringContaining('--data-binary')]);
    expect((await upload('x', { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
  });

  test('leaves nothing behind when the connection breaks', async () => {
    const before = (await api.call(at(), { token: key })).json.attachments.length;
    await new Promise<void>((resolve) => {
      const sent = httpRequest(`${api.url}${at('?filename=half.png')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-length': 5_000 },
      });
      sent.on('error', () => resolve());
      sent.write(png());
      setTimeout(() => sent.destroy(), 100);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await api.call(at(), { token: key })).json.attachments).toHaveLength(before);
    expect((await upload(png())).status).toBe(201);
  });

  test('that is repeated with its key is stored once, and another file or name with that key is refused', async () => {
    const headers = { 'idempotency-key': 'once-1' };
    const first = await upload(png(), { headers });
    const again = await upload(png(), { headers });
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await upload(png(4, 4), { headers })).json.code).toBe('idempotency_key_reused');
    expect((await upload(png(), { headers, name: 'b.png' })).json.code).toBe('idempotency_key_reused');
  });

  test('accepts a key that may write to this project', async () => {
    const reader = await api.addKey({ projectIds: [project], scopes: ['read'] });
    expect((await upload(png(), { token: reader })).status).toBe(403);
    const other = await api.addKey({ projectIds: [await api.addProject()] });
    expect((await upload(png(), { token: other })).status).toBe(404);
    expect((await upload(png(), { token: api.operatorToken, of: 'nowhere' })).json.code).toBe('project_not_found');
  });

  test('keeps to the project’s hour and room', async () => {
    const small = await startTestApi({ config: { attachmentsPerHour: 2, attachmentMegabytes: 1 } });
    try {
      const [tight, busy] = [await small.addProject(), await small.addProject()];
      const send = async (to: string, content: string) => {
        const path = `/v2/agent/${to}/attachments?filename=a.txt`;
        return (await small.call(path, { body: content })).json.code ?? 'stored';
      };
      expect([await send(tight, 'x'.repeat(600_000)), await send(tight, 'x'.repeat(600_000))]).toEqual([
        'stored',
        'attachments_full',
      ]);
      expect([await send(busy, 'a'), await send(busy, 'b'), await send(busy, 'c')]).toEqual([
        'stored',
        'stored',
        'rate_limited',
      ]);
    } finally {
      await small.close();
    }
  });
});

describe('attachments of a project', () => {
  test('are listed newest first, in pages, for their project only', async () => {
    const own = await api.addProject();
    const ids = [];
    for (const i of [1, 2, 3]) ids.push(await uploaded(`${i}`, { of: own, name: 'a.txt', token: api.operatorToken }));
    const first = (await api.call(at('?limit=2', own))).json;
    expect(first.attachments.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const second = (await api.call(at(`?limit=2&cursor=${first.nextCursor}`, own))).json;
    expect(second).toMatchObject({ attachments: [{ id: ids[0] }], nextCursor: null });
    for (const rest of [`/${ids[0]}`, `/${ids[0]}/content`]) {
      expect((await api.call(at(rest), { token: key })).json.code).toBe('attachment_not_found');
    }
    expect((await api.call(at(`/${ids[0]}`), { token: key, method: 'DELETE' })).json.code).toBe('attachment_not_found');
    expect((await api.call(at('/NO%20ID'), { token: key })).json.code).toBe('attachment_not_found');
  });

  test('can be removed while no message has them, and not once one has', async () => {
    const [unused, used] = [await uploaded(), await uploaded()];
    const job = await api.call(`/v2/agent/${project}/job`, {
      token: key,
      body: { prompt: 'Look', attachments: [used] },
    });
    expect(job.json.attachments).toEqual([used]);
    expect((await api.call(at(`/${unused}`), { token: key, method: 'DELETE' })).status).toBe(204);
    expect((await api.call(at(`/${unused}`), { token: key })).status).toBe(404);
    expect((await api.call(at(`/${used}`), { token: key, method: 'DELETE' })).json.code).toBe('attachment_in_use');
    expect((await api.call(at(`/${used}`), { token: key })).json.expiresAt).toBeNull();
  });

  test('are gone after 24 hours if no message has them, removed or not, and otherwise stay', async () => {
    const [unused, used] = [await uploaded(), await uploaded()];
    await api.call(`/v2/agent/${project}/job`, { token: key, body: { prompt: 'Look', attachments: [used] } });
    await api.database.db.execute(sql`
      UPDATE attachments SET created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours'
      WHERE id IN (${unused}, ${used})`);
    expect((await api.call(at(`/${unused}`), { token: key })).status).toBe(404);
    const late = await api.call(`/v2/agent/${project}/job`, {
      token: key,
      body: { prompt: 'Look', attachments: [unused] },
    });
    expect([late.status, late.json.error]).toEqual([400, expect.stringContaining('`attachments[0]`')]);
    expect(await removeUnused(api.database.db)).toBe(1);
    expect((await api.call(at(`/${used}/content`), { token: key })).status).toBe(200);
  });

  test('go with their project', async () => {
    const own = await api.addProject();
    const [used] = [await uploaded(png(), { of: own, token: api.operatorToken })];
    await uploaded(png(), { of: own, token: api.operatorToken });
    const job = await api.call(`/v2/agent/${own}/job`, { body: { prompt: 'Look', attachments: [used] } });
    await api.call(`/v2/agent/${own}/job/${job.json.id}/archive`, { method: 'POST' });
    expect((await api.call(`/v1/projects/${own}`, { method: 'DELETE' })).status).toBe(204);
    const { rows } = await api.database.pool.query('SELECT count(*)::int AS n FROM attachments WHERE project_id = $1', [
      own,
    ]);
    expect(rows[0].n).toBe(0);
  });
});

const post = (body: object, path = 'job') => api.call(`/v2/agent/${project}/${path}`, { token: key, body });

describe('attachments of a message', () => {
  test('must be the project’s, at most ten, and each once', async () => {
    const foreign = await uploaded(png(), { of: await api.addProject(), token: api.operatorToken });
    const own = await uploaded();
    for (const attachments of [
      [own, foreign],
      [own, 'nothere'],
      [own, own],
      Array.from({ length: 11 }, (_, i) => `a${i}`),
      ['A b'],
      'x',
    ]) {
      const answer = await post({ prompt: 'Look', attachments });
      expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
      expect(answer.json.error).toContain('attachments');
    }
    // A refused request leaves nothing: the attachment is still unused.
    expect((await api.call(at(`/${own}`), { token: key })).json.expiresAt).not.toBeNull();
  });

  test('are returned with it, in order, and a follow-up may bring the same one again', async () => {
    const [a, b] = [await uploaded(png(), { name: 'a.png' }), await uploaded('b', { name: 'b.txt' })];
    const job = (await post({ prompt: 'First', attachments: [b, a] })).json;
    expect((await post({ prompt: 'Second', attachments: [a] }, `job/${job.id}/message`)).status).toBe(200);
    const { json } = await api.call(`/v2/agent/${project}/job/${job.id}/messages`, { token: key });
    expect(
      json.messages.map((m: { attachments: { name: string }[] }) => m.attachments.map(({ name }) => name)),
    ).toEqual([['b.txt', 'a.png'], ['a.png']]);
  });

  test('are held or refused, never lost, when they are removed at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await uploaded();
      const [removed, posted] = await Promise.all([
        api.call(at(`/${id}`), { token: key, method: 'DELETE' }),
        post({ prompt: 'Look', attachments: [id] }),
      ]);
      const both = [removed.status, posted.status];
      expect([
        [204, 400],
        [409, 201],
      ]).toContainEqual(both);
    }
  });
});
