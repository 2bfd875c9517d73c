import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { awsCredentials } from '@docent/models/providers/aws-credentials';
import { createModels, type ProviderAccess } from '@docent/models/models';
import { concealInLogs, redact } from '../../../../src/platform/log.ts';
import { Secret } from '../../../../src/platform/secret.ts';
import { MODEL_OPTIONS } from '../../../support/models.ts';

const KEY = 'cloud-key-9f8e7d6c5b4a3928';
const key = { apiKey: new Secret(KEY), baseUrl: undefined };

interface Wire {
  access: ProviderAccess;
  /** What the request has to be: its address, and where the key is. */
  asks: { url: RegExp; header: string; value: string | RegExp };
  /** An answer with "I read it.", and a call of `read`. */
  answer: () => Response;
  errors: {
    unauthorized: [number, object];
    limited: [number, object, Record<string, string>?];
    tooLong: [number, object];
  };
}

const sse = (...events: object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

const gemini = () =>
  sse(
    { candidates: [{ content: { role: 'model', parts: [{ text: 'I read ' }] } }] },
    { candidates: [{ content: { role: 'model', parts: [{ text: 'it.' }] } }] },
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { name: 'read', args: { path: 'a.md' } }, thoughtSignature: 'c2lnbmVk' }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
    },
  );
const geminiErrors: Wire['errors'] = {
  unauthorized: [
    400,
    { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
  ],
  limited: [
    429,
    {
      code: 429,
      message: 'You exceeded your current quota, please check your plan and billing details.',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
    },
  ],
  tooLong: [
    400,
    {
      code: 400,
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      status: 'INVALID_ARGUMENT',
    },
  ],
};

/** A message of AWS's event stream: lengths, headers, payload and checksums. */
function frame(type: string, payload: object): Buffer {
  const headers = Object.entries({
    ':event-type': type,
    ':content-type': 'application/json',
    ':message-type': 'event',
  });
  const head = Buffer.concat(
    headers.map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(value.length);
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  const whole = Buffer.concat([prelude, checksum(prelude), head, body]);
  return Buffer.concat([whole, checksum(whole)]);
}
function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
const converse = () => {
  const start = { toolUse: { toolUseId: 'call1', name: 'read' } };
  const frames = [
    frame('messageStart', { role: 'assistant' }),
    frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'I read it.' } }),
    frame('contentBlockStop', { contentBlockIndex: 0 }),
    frame('contentBlockStart', { contentBlockIndex: 1, start }),
    frame('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"path":"a.md"}' } } }),
    frame('contentBlockStop', { contentBlockIndex: 1 }),
    frame('messageStop', { stopReason: 'tool_use' }),
    frame('metadata', { usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 }, metrics: { latencyMs: 5 } }),
  ];
  return new Response(Buffer.concat(frames), { headers: { 'content-type': 'application/vnd.amazon.eventstream' } });
};
const bedrockErrors: Wire['errors'] = {
  unauthorized: [403, { message: 'The security token included in the request is invalid.' }],
  limited: [429, { message: 'Too many requests, please wait before trying again.' }, { 'retry-after': '34' }],
  tooLong: [400, { message: 'Input is too long for requested model.' }],
};

const responses = () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call1', name: 'read' };
  const text = { type: 'message', id: 'msg_1', role: 'assistant' };
  const answered = { id: 'resp_1', created_at: 1, model: 'gpt-5.4' };
  const done = { ...call, arguments: '{"path":"a.md"}', status: 'completed' };
  const usage = {
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
  };
  return sse(
    { type: 'response.created', response: answered },
    { type: 'response.output_item.added', output_index: 0, item: { ...text, content: [] } },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I read it.' },
    { type: 'response.output_item.done', output_index: 0, item: { ...text, content: [] } },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path":"a.md"}' },
    { type: 'response.output_item.done', output_index: 1, item: done },
    { type: 'response.completed', response: { ...answered, usage } },
  );
};

const WIRES: Record<string, Wire> = {
  'google/gemini-3-pro': {
    access: { ...key, baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
    asks: {
      url: /^https:\/\/generativelanguage\.googleapis\.com\/v1beta\/models\/gemini-3-pro:streamGenerateContent/,
      header: 'x-goog-api-key',
      value: KEY,
    },
    answer: gemini,
    errors: geminiErrors,
  },
  'google-vertex/gemini-3-pro': {
    access: key,
    asks: {
      url: /^https:\/\/aiplatform\.googleapis\.com\/v1\/publishers\/google\/models\/gemini-3-pro:streamGenerateContent/,
      header: 'x-goog-api-key',
      value: KEY,
    },
    answer: gemini,
    errors: geminiErrors,
  },
  'amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0': {
    access: { ...key, region: 'eu-west-1' },
    asks: {
      url: /^https:\/\/bedrock-runtime\.eu-west-1\.amazonaws\.com\/model\/anthropic\.claude-sonnet-4-5-20250929-v1%3A0\/converse-stream$/,
      header: 'authorization',
      value: `Bearer ${KEY}`,
    },
    answer: converse,
    errors: bedrockErrors,
  },
  'amazon-bedrock/us.amazon.nova-pro-v1:0': {
    access: {
      apiKey: undefined,
      baseUrl: undefined,
      region: 'us-east-1',
      credentials: async () => ({
        accessKeyId: 'AKIAEXAMPLE',
        secretAccessKey: KEY,
        sessionToken: `session-${KEY}`,
      }),
    },
    asks: {
      url: /^https:\/\/bedrock-runtime\.us-east-1\.amazonaws\.com\//,
      header: 'authorization',
      value: /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request/,
    },
    answer: converse,
    errors: bedrockErrors,
  },
  'azure/gpt-5.4': {
    access: { ...key, baseUrl: 'https://docs-team.openai.azure.com/openai' },
    asks: {
      url: /^https:\/\/docs-team\.openai\.azure\.com\/openai\/v1\/responses\?api-version=/,
      header: 'api-key',
      value: KEY,
    },
    answer: responses,
    errors: {
      unauthorized: [
        401,
        { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' },
      ],
      limited: [429, { code: '429', message: 'Requests have exceeded the token rate limit.' }, { 'retry-after': '34' }],
      tooLong: [
        400,
        { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
      ],
    },
  },
};

const REQUEST = {
  system: 'You edit docs.',
  transcript: [{ role: 'user' as const, no: 1, text: 'Fix links' }],
  tools: [
    { name: 'read', description: 'Reads', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
  ],
};

function modelOn(id: string, access: ProviderAccess, fetcher: typeof fetch) {
  const providers = { [id.split('/')[0]!]: access };
  return createModels({ ...MODEL_OPTIONS, providers, limits: { idleMs: 5_000, totalMs: 5_000 }, fetch: fetcher }).find(
    id,
  );
}
const ask = (model: ReturnType<typeof modelOn>, request: Parameters<typeof model.respond>[0] = REQUEST) =>
  model.respond(request, { signal: new AbortController().signal });

describe.each(Object.entries(WIRES))('%s', (id, { access, asks, answer, errors }) => {
  test('streams words and a call, and is asked with the key where it belongs', async () => {
    const requests: Request[] = [];
    const model = modelOn(id, access, async (input, init) => {
      requests.push(new Request(input, init));
      return answer();
    });
    const { text, toolCalls, usage } = await ask(model);
    expect({ text, toolCalls, usage }).toMatchObject({
      text: 'I read it.',
      toolCalls: [{ name: 'read', input: { path: 'a.md' } }],
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]!.url).toMatch(asks.url);
    expect(requests[0]!.headers.get(asks.header)).toMatch(asks.value);
    expect(requests[0]!.redirect).toBe('manual');
    expect(await requests[0]!.text()).toContain('Fix links');
  });

  test.each([
    ['unauthorized', { code: 'model_key', passing: false }],
    ['limited', { code: 'model_rate_limited', passing: true, retryAfterMs: 34_000 }],
    ['tooLong', { code: 'model_context', passing: false }],
  ] as const)('says what happened: %s', async (what, expected) => {
    const [status, error, headers] = errors[what];
    const said = { ...error, message: `${(error as { message: string }).message} (key ${KEY})` };
    const body = id.startsWith('amazon') ? said : { error: said };
    const model = modelOn(id, access, async () => Response.json(body, { status, headers: headers ?? {} }));
    const problem = await ask(model).catch((err: unknown) => err as Error);
    expect(problem).toMatchObject(expected);
    expect(JSON.stringify(problem) + (problem as Error).message).not.toContain(KEY);
  });
});

test('a signature of Gemini’s thoughts goes back with the call that it came with', async () => {
  const { access } = WIRES['google/gemini-3-pro']!;
  const bodies: string[] = [];
  const model = modelOn('google/gemini-3-pro', access, async (_input, init) => {
    bodies.push(String(init?.body));
    return gemini();
  });
  const { usage: _usage, ...answer } = await ask(model);
  const [call] = answer.toolCalls;
  const results = [{ callId: call!.id, ok: true, text: '# A' }];
  await ask(model, {
    ...REQUEST,
    transcript: [...REQUEST.transcript, { role: 'assistant', ...answer }, { role: 'tool', results }] as never,
  });
  expect(bodies[1]).toContain('"thoughtSignature":"c2lnbmVk"');
});

test('an answer that its provider ended names the reason', async () => {
  const { access } = WIRES['google/gemini-3-pro']!;
  const model = modelOn('google/gemini-3-pro', access, async () =>
    sse({ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] }),
  );
  await expect(ask(model)).rejects.toMatchObject({
    code: 'model_unavailable',
    passing: true,
    message: 'Google ended its answer before it began: MALFORMED_FUNCTION_CALL.',
  });
});

test.each([
  ['google/gemini-3-pro', {}, /set GOOGLE_GENERATIVE_AI_API_KEY/],
  ['google-vertex/gemini-3-pro', { project: 'docs' }, /set GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION/],
  ['amazon-bedrock/amazon.nova-pro-v1:0', {}, /set AWS_REGION/],
  ['azure/gpt-5.4', {}, /set AZURE_API_KEY/],
  ['azure/gpt-5.4', { apiKey: new Secret(KEY) }, /set AZURE_RESOURCE_NAME/],
])('%s without its settings says what to set', (id, access, words) => {
  const nothing = { apiKey: undefined, baseUrl: undefined };
  expect(() => modelOn(id, { ...nothing, ...access }, fetch)).toThrow(words);
});

test('keys of the clouds are cut out of logs', () => {
  for (const [id, { access }] of Object.entries(WIRES)) modelOn(id, access, fetch);
  expect(redact(`a ${KEY} b session-${KEY} c`)).not.toContain('9f8e7d6c');
});

/** The signature of a request without a key. */
async function signedRequest(): Promise<string | null> {
  let authorization: string | null = null;
  const access = {
    apiKey: undefined,
    baseUrl: undefined,
    region: 'eu-west-1',
    credentials: awsCredentials(concealInLogs),
  };
  const model = modelOn('amazon-bedrock/us.amazon.nova-pro-v1:0', access, async (input, init) => {
    authorization = new Request(input, init).headers.get('authorization');
    return converse();
  });
  await ask(model);
  return authorization;
}

describe('Bedrock without a key is asked with the AWS credentials', () => {
  const SECRET = 'aws-secret-0a1b2c3d4e5f';
  let folder: string;
  let role: Server;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docent-aws-'));
    const profile = `[docs]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = ${SECRET}\n`;
    await writeFile(path.join(folder, 'credentials'), profile);
    role = createServer((_req, res) => {
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      res.end(JSON.stringify({ AccessKeyId: 'AKIAROLE', SecretAccessKey: SECRET, Token: 'token', Expiration }));
    });
    await once(role.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', path.join(folder, 'credentials'));
    vi.stubEnv('AWS_CONFIG_FILE', path.join(folder, 'none'));
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    role.close();
    await rm(folder, { recursive: true });
  });

  test.each<[string, () => Record<string, string>]>([
    ['AKIAVARIABLE', () => ({ AWS_ACCESS_KEY_ID: 'AKIAVARIABLE', AWS_SECRET_ACCESS_KEY: SECRET })],
    ['AKIAPROFILE', () => ({ AWS_PROFILE: 'docs' })],
    [
      'AKIAROLE',
      () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${(role.address() as AddressInfo).port}/` }),
    ],
  ])('%s', async (id, variables) => {
    for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
    expect(await signedRequest()).toMatch(new RegExp(`^AWS4-HMAC-SHA256 Credential=${id}/\\d{8}/eu-west-1/bedrock/`));
    expect(redact(`a ${SECRET} b`)).not.toContain(SECRET);
  });

  test('and says what to set if there are none', async () => {
    await expect(signedRequest()).rejects.toMatchObject({
      code: 'model_key',
      passing: false,
      message: expect.stringMatching(/^Amazon Bedrock needs AWS credentials.*Set AWS_BEARER_TOKEN_BEDROCK/),
    });
  });
});
