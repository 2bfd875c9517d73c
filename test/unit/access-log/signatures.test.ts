import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClaimChecks, LISTED_ONLY } from '@docent/access-log/agents/check-claim';
import { AGENT_RULES } from '@docent/access-log/agents/agent-rules';
import {
  type AgentDirectory,
  type AgentKey,
  agentKeys,
  AgentKeys,
  directoriesAt,
  directoryUrl,
  rawPathOf,
  readDirectory,
  SHIPPED_DIRECTORIES,
  type SignedRequest,
  thumbprintOf,
} from '@docent/access-log/agents/signatures';
import { signatureBase, signatureBytes, signatureInputs } from '@docent/access-log/agents/signature-base';
import { networkSettings } from '../../../src/config/network.ts';
import { knownAgent } from '@docent/access-log/agents/user-agent';

/** RFC 9421, appendix B.1.4. */
const RFC_KEY: AgentKey = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };

test('RFC 9421, appendix B.2.6: the base and its signature by Ed25519', () => {
  const input =
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
  const signature =
    'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:';
  const parts: Record<string, string> = {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    '@method': 'POST',
    '@path': '/foo',
    '@authority': 'example.com',
    'content-type': 'application/json',
    'content-length': '18',
  };
  const [read] = signatureInputs(`${input};tag="web-bot-auth"`, 'web-bot-auth');
  const base = signatureBase({ ...read!, text: input.slice('sig-b26='.length) }, ({ name }) => parts[name] ?? null);
  expect(base).toBe(
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@authority": example.com',
      '"content-type": application/json',
      '"content-length": 18',
      '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    ].join('\n'),
  );
  const key = createPublicKey({ key: { ...RFC_KEY }, format: 'jwk' });
  expect(verify(null, Buffer.from(base!), key, signatureBytes(signature, 'sig-b26')!)).toBe(true);
});

test('RFC 8037, appendix A.3: the thumbprint of a key', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  expect(thumbprintOf({ kty: 'OKP', crv: 'Ed25519', x })).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

// From draft-meunier-web-bot-auth-architecture, appendix A.
test.each([
  [
    'sig1=("@authority");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==";tag="web-bot-auth"',
    'sig1=:QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==:',
    null,
  ],
  [
    'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
    'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
    'agent2="https://signature-agent.test"',
  ],
])('the vector of Web Bot Auth is valid for a day: %s', (signatureInput, signature, signatureAgent) => {
  const at = 1_735_689_600_000;
  const known = new AgentKeys();
  known.trust(directoriesAt(['https://signature-agent.test']));
  known.use(() => ({ keys: [RFC_KEY], readAt: new Date(at) }));
  const request = {
    signature,
    signatureInput,
    signatureAgent,
    authority: 'EXAMPLE.com:443',
    method: 'GET',
    path: '/path/to/resource',
  };
  const validAt = (time: number) => known.verify(request, time, '203.0.113.7')?.isValid;
  expect([validAt(at), validAt(at + 25 * 3_600_000)]).toEqual([true, false]);
});

const NOW = Date.UTC(2026, 10, 27, 12);
const SECONDS = NOW / 1_000;
const OPENAI: AgentDirectory = { operator: 'OpenAI', agent: 'ChatGPT Agent', origin: 'https://chatgpt.com' };
const pair = generateKeyPairSync('ed25519');
const key = pair.publicKey.export({ format: 'jwk' }) as AgentKey;
const stranger = generateKeyPairSync('ed25519');

interface Signing {
  components?: string;
  parameters?: Record<string, string | number | undefined>;
  by?: KeyObject;
  agent?: string | null;
}
const REQUEST = { authority: 'docs.example.com', method: 'GET', path: '/guide' };

/** A request as an agent signs it. */
function signed({ components, parameters = {}, by = pair.privateKey, agent = '"https://chatgpt.com"' }: Signing = {}) {
  const covered = components ?? `"@authority" "@method" "@path"${agent === null ? '' : ' "signature-agent"'}`;
  const all = {
    created: SECONDS,
    keyid: thumbprintOf(key),
    expires: SECONDS + 3_600,
    nonce: 'abc',
    tag: 'web-bot-auth',
    alg: 'ed25519',
    ...parameters,
  };
  const text = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`)
    .join('');
  const values: Record<string, string> = {
    '"@authority"': REQUEST.authority,
    '"@method"': REQUEST.method,
    '"@path"': REQUEST.path,
    '"@query"': '?',
    '"signature-agent"': agent ?? '',
    '"signature-agent";key="g"': '"https://chatgpt.com"',
  };
  const lines = covered.split(/ (?=")/).map((component) => `${component}: ${values[component]}`);
  const base = [...lines, `"@signature-params": (${covered})${text}`].join('\n');
  const signature = `sig1=:${sign(null, Buffer.from(base), by).toString('base64')}:`;
  return { ...REQUEST, signature, signatureInput: `sig1=(${covered})${text}`, signatureAgent: agent };
}

function keysAt(readAt = NOW, keys: readonly AgentKey[] = [key]) {
  const known = new AgentKeys();
  known.trust([OPENAI]);
  known.use((url) => (url === directoryUrl(OPENAI.origin) ? { keys, readAt: new Date(readAt) } : null));
  return known;
}
const valid = (request: SignedRequest, at = NOW, keys = keysAt()) =>
  keys.verify(request, at, '203.0.113.7')?.isValid ?? null;

describe('a signature', () => {
  test.each<[string, Signing]>([
    ['as ChatGPT agent sends it', {}],
    [
      'as Google-Agent sends it',
      { agent: 'g="https://chatgpt.com"', components: '"@authority" "signature-agent";key="g"' },
    ],
    ['over the host alone', { components: '"@authority"', agent: null }],
    ['without a nonce and an algorithm', { parameters: { nonce: undefined, alg: undefined } }],
  ])('%s is valid', (_, signing) => {
    expect(valid(signed(signing))).toBe(true);
  });

  test.each<[string, Partial<SignedRequest> & { at?: number }, Signing?]>([
    ['for another host', { authority: 'other.example.com' }],
    ['for another page', { path: '/other' }],
    ['for another method', { method: 'POST' }],
    ['that expired', { at: NOW + 3_700_000 }],
    ['from the future', { at: NOW - 120_000 }],
    [
      'that is valid for a year, after a day',
      { at: NOW + 25 * 3_600_000 },
      { parameters: { expires: SECONDS + 31_536_000 } },
    ],
    ['without bytes', { signature: 'sig1=::' }],
    ['by another key under its id', {}, { by: stranger.privateKey }],
  ])('%s is not', (_, { at = NOW, ...change }, signing) => {
    expect(valid({ ...signed(signing), ...change }, at, keysAt(NOW))).toBe(false);
  });

  test.each<[string, Partial<SignedRequest>, Signing?]>([
    ['with another tag', {}, { parameters: { tag: 'payments' } }],
    ['without a tag', {}, { parameters: { tag: undefined } }],
    ['of an unknown key', {}, { parameters: { keyid: thumbprintOf(RFC_KEY) } }],
    ['without the host', {}, { components: '"@path" "signature-agent"' }],
    ['over a query, which is not stored', {}, { components: '"@authority" "@query" "signature-agent"' }],
    ['over a header', {}, { components: '"@authority" "user-agent" "signature-agent"' }],
    ['of another algorithm', {}, { parameters: { alg: 'rsa-pss-sha512' } }],
    ['that names another directory', { signatureAgent: '"https://evil.example"' }],
    ['that names a directory, unsigned', {}, { components: '"@authority"' }],
    ['without a time', {}, { parameters: { created: undefined } }],
    ['with garbage', { signatureInput: 'sig1=(((' }],
    [
      'with two of its kind',
      { signatureInput: 'a=("@authority");tag="web-bot-auth", b=("@authority");tag="web-bot-auth"' },
    ],
    ['of 1 MB', { signatureInput: `sig1=(${'"@authority" '.repeat(80_000)})` }],
    ['under another label', { signature: 'sig2=:AAAA:' }],
  ])('%s says nothing', (_, change, signing) => {
    expect(valid({ ...signed(signing), ...change })).toBeNull();
  });

  test('is kept beside the signature of a proxy', () => {
    const request = signed();
    const signatureInput = `cdn=("@status";req);created=1;alg="x", ${request.signatureInput}`;
    expect(valid({ ...request, signatureInput, signature: `cdn=:AAAA:, ${request.signature}` })).toBe(true);
  });

  test('does not count for a client that copied it', () => {
    const keys = keysAt();
    const from = (client: string) => keys.verify(signed(), NOW, client)?.isValid;
    expect([from('203.0.113.7'), from('203.0.113.7'), from('198.51.100.1')]).toEqual([true, true, false]);
  });

  test('is not checked with a key that is not valid at the time, or was not read for two weeks', () => {
    const at = (change: Partial<AgentKey>) => valid(signed(), NOW, keysAt(NOW, [{ ...key, ...change }]));
    expect([at({ exp: SECONDS - 1 }), at({ nbf: SECONDS + 1 }), at({ exp: SECONDS + 1, nbf: SECONDS })]).toEqual([
      null,
      null,
      true,
    ]);
    expect(valid(signed(), NOW, keysAt(NOW - 15 * 24 * 3_600_000))).toBeNull();
  });
});

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const kindOf = async (userAgent: string, request: SignedRequest | null, address = '203.0.113.7') =>
  (
    await new ClaimChecks(null).check({
      agent: knownAgent(userAgent),
      format: 'html',
      address,
      signed: request,
      at: NOW,
    })
  ).value;

describe('the kind of a client that signs', () => {
  beforeEach(() => {
    agentKeys.trust([OPENAI]);
    agentKeys.use(() => ({ keys: [key], readAt: new Date(NOW) }));
  });
  const forged = { ...signed(), path: '/other' };

  test('is the agent that it proves to be, even if it looks like a browser', async () => {
    expect(await kindOf(CHROME, null)).toMatchObject({ class: 'human', agent: null, verified: null });
    expect(await kindOf(CHROME, signed())).toMatchObject({
      userAgent: CHROME,
      class: 'assistant',
      agent: 'ChatGPT Agent',
      verified: true,
      verifiedBy: 'signature',
    });
    expect(await kindOf('ChatGPT-User/1.0', signed())).toMatchObject({
      agent: 'ChatGPT-User',
      verified: true,
      verifiedBy: 'signature',
    });
  });

  test('is unchanged by a forged signature, unless nothing else is known of the claim', async () => {
    expect(await kindOf(CHROME, forged)).toMatchObject({ class: 'human', agent: null, verified: null });
    expect(await kindOf('Codex/1.0', forged)).toMatchObject({
      class: 'other',
      agent: 'Codex',
      verified: false,
      verifiedBy: 'signature',
    });
    expect(await kindOf('GPTBot/1.3', forged, '132.196.86.1')).toMatchObject({
      class: 'training',
      verified: true,
      verifiedBy: 'ranges',
    });
  });

  test('is not proven by the signature of another operator', async () => {
    expect(await kindOf('ClaudeBot/1.0', signed())).toMatchObject({
      class: 'other',
      verified: false,
      verifiedBy: 'ranges',
    });
    expect(await kindOf('Amzn-User/1.0', signed())).toMatchObject({ class: 'assistant', verified: null });
  });

  test('an origin that only this installation trusts gives its host as the agent', async () => {
    agentKeys.trust(directoriesAt(['https://agent.example.com']));
    agentKeys.use(() => ({ keys: [key], readAt: new Date(NOW) }));
    const agent = '"https://agent.example.com"';
    const kind = LISTED_ONLY.check({
      agent: knownAgent(CHROME),
      format: 'md',
      address: null,
      signed: signed({ agent, parameters: { nonce: 'own' } }),
      at: NOW,
    });
    expect((await kind).value).toMatchObject({ class: 'assistant', agent: 'agent.example.com', verified: true });
  });
});

test.each([
  ['<html>', 'no JSON'],
  ['{}', 'no directory'],
  ['{"keys":[]}', 'no directory'],
  [JSON.stringify({ keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] }), 'no directory'],
  [JSON.stringify({ keys: [{ ...RFC_KEY, x: 'short' }] }), 'no directory'],
])('a directory without usable keys is refused: %s', (text, problem) => {
  expect(() => readDirectory(text)).toThrow(problem);
});

test('a directory gives its Ed25519 keys, without what else it says', () => {
  const read = readDirectory(JSON.stringify({ keys: [{ ...RFC_KEY, d: 'private', kid: 'x', exp: 7 }, { kty: 'EC' }] }));
  expect(read).toEqual([{ ...RFC_KEY, exp: 7 }]);
});

test.each([
  ['/guide/?a=b#c', '/guide/'],
  ['https://docs.example.com/guide?a', '/guide'],
  ['https://docs.example.com', '/'],
  ['?a', '/'],
  ['/a%20b', '/a%20b'],
])('the signed path of %s is %s', (given, path) => {
  expect(rawPathOf(given)).toBe(path);
});

test('the shipped directories are trusted by default, and name their source, date, and agents of the table', () => {
  expect(networkSettings.signatureAgents.fallback).toEqual(SHIPPED_DIRECTORIES.map(({ origin }) => origin));
  const known = new Map(AGENT_RULES.map(({ agent, operator }) => [agent, operator]));
  for (const { operator, agent, origin, source, date } of SHIPPED_DIRECTORIES) {
    expect(known.get(agent)).toBe(operator);
    expect(new URL(origin).origin).toBe(origin);
    expect(new URL(source).protocol).toBe('https:');
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});
