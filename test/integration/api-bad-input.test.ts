import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { generateKey } from '../../src/store/access/key-format.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;
let path: string;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  path = `/v2/agent/${project}/job`;
});
afterAll(() => api.close());

// After any input: nothing remains, nothing was signaled, and the server works.
afterEach(async () => {
  const { rows } = await api.database.pool.query<{ rows: string }>(
    'SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM messages) + (SELECT count(*) FROM idempotency_keys) AS rows',
  );
  expect(rows).toEqual([{ rows: '0' }]);
  expect(api.jobWorkflows.calls).toEqual([]);
  expect((await api.call('/healthz', { token: null })).status).toBe(200);
  expect(api.logged()).not.toMatch(/unexpected error|breaks the contract/);
});

const post = (body: string, headers: Record<string, string> = {}) =>
  api.call(path, { body, headers: { 'idempotency-key': 'k', ...headers } });

test.each([
  ['of another script', 'токен-1234', null],
  ['outside of ASCII', 'tok\u00e9n-1234', null],
  ['with a zero-width space inside', 'token\u200b1234', null],
  ['of two lines', 'token\n12345', null],
  ['of an App, which is no key', 'ключ-ключ-ключ', '12345'],
])('a credential %s is refused, and not repeated', async (_what, credential, appId) => {
  const answer = await api.call('/v1/hosts', { body: { id: 'work', kind: 'github', credential, appId } });
  expect([answer.status, answer.json.code, answer.json.param]).toEqual([400, 'bad_request', 'credential']);
  expect(answer.text).not.toContain(credential);
});

describe('bodies', () => {
  test.each([
    ['not JSON', '{prompt: 1}', 'invalid_json', 'valid JSON'],
    ['cut short', '{"prompt": "x"', 'invalid_json', 'valid JSON'],
    ['empty', '', 'invalid_json', 'empty'],
    ['nothing but spaces', '   ', 'invalid_json', 'valid JSON'],
    ['two values', '{"prompt":"x"}{}', 'invalid_json', 'valid JSON'],
    ['a form', 'prompt=x', 'invalid_json', 'valid JSON'],
    ['null', 'null', 'bad_request', 'object'],
    ['a list', '[{"prompt":"x"}]', 'bad_request', 'object'],
    ['a string', '"prompt"', 'bad_request', 'object'],
    ['a number', '1e999', 'bad_request', 'object'],
    ['without prompt', '{}', 'bad_request', '`prompt` is missing'],
    ['with a prompt that is null', '{"prompt":null}', 'bad_request', '`prompt` must be a string'],
    ['with a prompt that is a number', '{"prompt":5}', 'bad_request', '`prompt` must be a string'],
    ['with a prompt that is a list', '{"prompt":["x"]}', 'bad_request', '`prompt` must be a string'],
    ['with a prompt that is an object', '{"prompt":{"text":"x"}}', 'bad_request', '`prompt` must be a string'],
    ['with NUL', String.raw`{"prompt":"a\u0000b"}`, 'bad_request', '`prompt` contains the character U+0000'],
    ['with a lone high surrogate', String.raw`{"prompt":"a\ud800b"}`, 'bad_request', '`prompt` contains an unpaired'],
    ['with a lone low surrogate', String.raw`{"prompt":"\udc00"}`, 'bad_request', '`prompt` contains an unpaired'],
    ['with NUL far inside', String.raw`{"prompt":"x","a":[0,{"b":"\u0000"}]}`, 'bad_request', '`a[1].b`'],
    ['that inherits', '{"__proto__":{"prompt":"x"}}', 'bad_request', '`prompt` is missing'],
    ['that constructs', '{"constructor":{"prototype":{"prompt":"x"}}}', 'bad_request', '`prompt` is missing'],
    ['100,000 lists deep', '['.repeat(100_000) + ']'.repeat(100_000), 'bad_request', '64 levels'],
    ['100,000 objects deep', '{"prompt":'.repeat(100_000), 'bad_request', '64 levels'],
    ['deep beside the prompt', `{"prompt":"x","y":${'['.repeat(65)}${']'.repeat(65)}}`, 'bad_request', '64 levels'],
  ])('%s', async (_what, body, code, words) => {
    const answer = await post(body);
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect(answer.json.error).toContain(words);
    expect(answer.json.requestId).toBe(answer.headers.get('x-request-id'));
    expect(({} as { prompt?: string }).prompt).toBeUndefined();
  });

  test('a long field name is not repeated at length', async () => {
    const answer = await post(JSON.stringify({ prompt: 'x', ['n'.repeat(900_000)]: '\0' }));
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(500);
  });

  test('bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"prompt":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]);
    const answer = await raw(`POST ${path} HTTP/1.1`, [`Content-Length: ${body.length}`], body);
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toContain('not UTF-8');
  });

  test('more than 1 MB, with a declared length', async () => {
    const answer = await post(JSON.stringify({ prompt: 'x'.repeat(2_000_000) }));
    expect([answer.status, answer.json.code]).toEqual([413, 'body_too_large']);
  });

  test('more than 1 MB, in chunks without a length', async () => {
    const answer = await chunked(2_000_000);
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text).code).toBe('body_too_large');
  });

  test('exactly 1 MB is read, one byte more is not', async () => {
    const body = JSON.stringify({ prompt: ' ' });
    expect((await post(body.padEnd(1_048_576))).json.error).toContain('blank');
    expect((await post(body.padEnd(1_048_577))).status).toBe(413);
  });

  test.each<[string, Record<string, string>]>([
    ['plain text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed', { 'content-encoding': 'gzip' }],
    ['a nonsense type', { 'content-type': ';;;' }],
  ])('of another type: %s', async (_what, headers) => {
    const answer = await post('{"prompt":"x"}', headers);
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('of no type', async () => {
    const answer = await raw(`POST ${path} HTTP/1.1`, ['Content-Length: 14'], '{"prompt":"x"}', null);
    expect(answer).toMatch(/^HTTP\/1.1 415/);
  });

  test('that end before their length are dropped', async () => {
    const socket = connect(api.server.port, '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\n${headerLines(['Content-Length: 100'])}\r\n\r\n{"prompt":`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
});

test('closes the connection of a caller that keeps sending after a refusal', async () => {
  const socket = connect(api.server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => {});
  socket.write('POST /nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  const drip = setInterval(() => socket.write('1\r\nx\r\n'), 100);
  const began = Date.now();
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drip);
  expect(text).toContain('HTTP/1.1 404');
  expect(Date.now() - began).toBeLessThan(9_000);
}, 300_000);

describe('types that are as documented', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    '%s is read',
    async (type) => {
      expect((await post('{}', { 'content-type': type })).status).toBe(400);
    },
  );
});

describe('ids and paths', () => {
  const long = 'a'.repeat(1_001);
  test.each([
    ['a project id of 1,001 characters', `/v2/agent/${long}/job`, 404, 'project_not_found'],
    ['a project id with ../', '/v2/agent/..%2F..%2Fetc/job', 404, 'project_not_found'],
    ['a project id in capitals', '/v2/agent/Demo/job', 404, 'project_not_found'],
    ['a project id with NUL', '/v2/agent/a%00b/job', 404, 'project_not_found'],
    ['a project id that is no UTF-8', '/v2/agent/%ff%fe/job', 404, 'project_not_found'],
    ['a project id that is no escape', '/v2/agent/%zz/job', 404, 'project_not_found'],
    ['a project id with a quote', `/v2/agent/a'%20OR%201=1--/job`, 404, 'project_not_found'],
    ['__proto__ as project', '/v2/agent/__proto__/job', 404, 'project_not_found'],
    ['constructor as project', '/v2/agent/constructor/job', 404, 'project_not_found'],
  ])('%s', async (_what, target, status, code) => {
    const answer = await api.call(target, { body: { prompt: 'x' } });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test.each([
    ['1,001 characters', long],
    ['../', '..%2F..%2Fx'],
    ['NUL', 'a%00'],
    ['a slash', 'a%2Fb'],
    ['an emoji', '%F0%9F%A6%89'],
    ['__proto__', '__proto__'],
  ])('a job id with %s is not found, whatever is asked of it', async (_what, id) => {
    for (const rest of ['', '/events', '/diff']) {
      const answer = await api.call(`${path}/${id}${rest}`);
      expect([answer.status, answer.json.code]).toEqual([404, 'job_not_found']);
    }
    const message = await api.call(`${path}/${id}/message`, { body: { prompt: 'x' } });
    expect([message.status, message.json.code]).toEqual([404, 'job_not_found']);
  });

  test.each(['/v2', '/v2/agent', '/nothing', '//v2/agent', '/%', '/%00', '/V2/agent/demo/jobs', '/v1/projects/a/b'])(
    '%s does not exist',
    async (target) => {
      const answer = await api.call(target);
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    },
  );

  test('a URL of 20 KB', async () => {
    const answer = await raw(`GET /v2/agent/${'a'.repeat(20_000)}/jobs HTTP/1.1`, []);
    expect(answer).toMatch(/^HTTP\/1.1 431/);
    expect(answer).toContain('"code":"bad_request"');
    expect(answer).toContain('X-Request-Id');
  });
});

describe('invalid HTTP', () => {
  test.each(['GARBAGE\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n'])(
    '%j gets the envelope',
    async (text) => {
      const answer = await send(text);
      expect(answer).toMatch(/^HTTP\/1.1 400/);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'bad_request' });
    },
  );

  test('no Host at all', async () => {
    expect(await send('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
  });

  test.each(['TRACE', 'PROPFIND', 'PUT', 'CONNECT'])('the method %s', async (method) => {
    const answer = await raw(`${method} ${path} HTTP/1.1`, []);
    // A proxy request is cut off by the server itself.
    if (method === 'CONNECT') expect(answer).toBe('');
    else expect(answer).toMatch(/^HTTP\/1.1 405/);
  });
});

describe('while the database is unavailable', () => {
  test('answers 503 with Retry-After, keeps health checks running, and recovers', async () => {
    const line = await breakableLine(api.database.url);
    const database = openDatabase(line.url);
    const cut = await startTestApi({ deps: { database } });
    try {
      const headers = { token: cut.operatorToken };
      expect((await cut.call(`/v2/agent/${project}/jobs`, headers)).status).toBe(200);
      line.cut();
      const answers = [
        await cut.call(`/v2/agent/${project}/job`, { body: { prompt: 'x' } }),
        await cut.call(`/v2/agent/${project}/job`, { body: { prompt: 'x' }, headers: { 'idempotency-key': 'k' } }),
        await cut.call(`/v2/agent/${project}/jobs`),
        await cut.call('/v1/keys', { body: { name: 'x', projectIds: null } }),
        await cut.call(`/v2/agent/${project}/jobs`, { token: generateKey('docent') }),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const page = await cut.call('/pull-requests/x', { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect((await cut.call('/healthz', { token: null })).status).toBe(200);
      await line.mend();
      expect((await cut.call(`/v2/agent/${project}/jobs`, headers)).status).toBe(200);
    } finally {
      line.cut();
      await database.close();
      await cut.close();
    }
  });
});

/** A line to the database that can be cut, as when Postgres is restarted. */
async function breakableLine(url: string) {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const sockets = new Set<Socket>();
  const line = createServer((client) => {
    const upstream = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  const open = (at: number) => new Promise<void>((resolve) => line.listen(at, '127.0.0.1', resolve));
  await open(0);
  const own = (line.address() as AddressInfo).port;
  target.searchParams.delete('host');
  target.hostname = '127.0.0.1';
  target.port = String(own);
  return {
    url: target.href,
    cut: () => {
      line.close();
      for (const socket of sockets) socket.destroy();
    },
    mend: () => open(own),
  };
}

function headerLines(extra: string[], type: string | null = 'application/json'): string {
  return [
    'Host: localhost',
    `Authorization: Bearer ${api.operatorToken}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...extra,
  ].join('\r\n');
}

function raw(line: string, headers: string[], body: string | Buffer = '', type?: string | null): Promise<string> {
  return send(
    Buffer.concat([
      Buffer.from(`${line}\r\n${headerLines([...headers, 'Connection: close'], type)}\r\n\r\n`),
      Buffer.from(body),
    ]),
  );
}

function send(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(bytes);
  });
}

function chunked(size: number): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      api.url + path,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${api.operatorToken}`, 'content-type': 'application/json' },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    request.on('error', reject);
    request.write('{"prompt":"');
    const piece = 'x'.repeat(65_536);
    for (let sent = 0; sent < size; sent += piece.length) request.write(piece);
    request.end('"}');
  });
}
