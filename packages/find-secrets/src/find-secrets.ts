import { createHash } from 'node:crypto';
import type { lintSource } from '@secretlint/core';
import { LOGIN, MORE_KINDS } from './more-kinds.ts';
const HEADER = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const FOOTER = /^-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;
/** Line breaks (also escaped), quotes and indents, and headers of encrypted and PGP keys. */
const BETWEEN = /^(?:\s|\\[nrt]|["'+,>#*|]|(?:Version|Comment|Proc-Type|DEK-Info|Hash): [^\n\\]{0,200})+/;
const BASE64 = /^[A-Za-z0-9+/=]+/;
/** How ASN.1 (PKCS #1, PKCS #8, SEC 1), OpenSSH and OpenPGP begin, in base64. */
const BEGINS = /^(?:M[A-P]|b3BlbnNzaC1rZXk|l[A-Z]|x)/;
const MIN_MATERIAL = 40;
const MAX_LENGTH = 20_000;

/** Private keys (PEM, OpenPGP) with at least 30 bytes, even truncated. Documentation shows less. */
function* privateKeys(text: string): Generator<{ start: number; end: number }> {
  for (const { index, 0: header } of text.matchAll(HEADER)) {
    const body = text.slice(index + header.length, index + header.length + MAX_LENGTH);
    const { material, length } = materialOf(body);
    if (material.length < MIN_MATERIAL || !BEGINS.test(material) || new Set(material).size < 20) continue;
    yield { start: index, end: index + header.length + length };
  }
}

function materialOf(body: string): { material: string; length: number } {
  let [material, at] = ['', 0];
  for (;;) {
    const rest = body.slice(at);
    const between = BETWEEN.exec(rest)?.[0].length ?? 0;
    const after = rest.slice(between);
    const footer = FOOTER.exec(after);
    if (footer) return { material, length: at + between + footer[0].length };
    const run = BASE64.exec(after)?.[0] ?? '';
    // A key that is abbreviated with dots is not a secret.
    if (/^(?:\.{2,}|…)/.test(after.slice(run.length))) return { material: '', length: 0 };
    if (run === '') return { material, length: at };
    material += run;
    at += between + run.length;
  }
}

/** Placeholders: `AKIAIOSFODNN7EXAMPLE`, `change-me`, `<password>`, `${TOKEN}`, `…`. */
const SAYS_SO =
  /example|sample|placeholder|dummy|redacted|replace[_-]?me|change[_-]?me|insert|foobar|secret_?here|\*{3}|\.{3}|…|[<>{}[\]]|\$[A-Za-z_(]|%[A-Za-z_]+%/i;
/** `YOUR_TOKEN`, `xxxx`: only as words of their own, for one of 4,000 long random keys has these letters in a row. */
const SAYS_SO_IN_SHORT = /(?<![A-Za-z0-9+/])(?:your|todo|fake|x{4})|x{4}(?![A-Za-z0-9+/=])|x{6}/i;
/** The same character again and again, or what fingers type in a row. */
const TYPED = /(.)\1{5}|(\w{2,4})\2{3}|12345678|23456789|abcdefg|qwerty|deadbeef|a1b2c3d4/i;

const MIN_BITS = 3;
/** Too short for its bits to be counted. */
const MIN_COUNTED = 16;

/** Whether a token is only a placeholder. */
export function isPlaceholder(token: string): boolean {
  if (SAYS_SO.test(token) || SAYS_SO_IN_SHORT.test(token) || TYPED.test(token)) return true;
  return token.length >= MIN_COUNTED && bitsPerCharacter(token) < MIN_BITS;
}

const EXAMPLE_HOST =
  /^(localhost|127\.|0\.0\.0\.0|\[?::1|host(name)?$|example$|(.*\.)?example\.(com|org|net|io|dev)$|(.*\.)?(test|invalid|localhost|example)$)/i;
const WORDS = /^([a-z]+|[A-Z]+|[A-Z][a-z]+)([-_.]?([a-z]+|[A-Z]+|[A-Z][a-z]+))*\d{0,4}!?$/;
const MIN_PASSWORD = 8;

/** Whether a login in an address is an example, by its password or host. */
function isExampleLogin({ user, password, host }: { user: string; password: string; host: string }): boolean {
  if (EXAMPLE_HOST.test(host) || password.length < MIN_PASSWORD || password === user) return true;
  if (/p[a@4][s5$]{2}w[o0]rd|^pass|secret/i.test(password)) return true;
  return isPlaceholder(password) || isPlaceholder(host) || isWords(password);
}

/** `mypassword`, `my-secret-pw`, `letmein123`: words, as no generator makes them. */
function isWords(password: string): boolean {
  if (!WORDS.test(password)) return false;
  const changes = password.match(/[a-z][A-Z]|[A-Z]{2}[a-z]|\d[A-Za-z]/g)?.length ?? 0;
  return changes <= 2;
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A credential or signing key in a text. */
export interface FoundSecret {
  /** For people: `AWS access key`. */
  kind: string;
  /** Offsets in the text, as code units. */
  start: number;
  end: number;
  /** From 1. */
  line: number;
  /** Identifies the value without showing it: see {@link secretId}. */
  id: string;
}

const RULE = '@secretlint/secretlint-rule-';

/** Rules of the scanner that are not asked. */
const LEFT_OUT: readonly string[] = [
  // With comments that turn rules off, a page could exempt itself.
  'filter-comments',
  // These report `<PASSWORD>`, and know some schemes only: see LOGIN.
  'basicauth',
  'database-connection-string',
  // A key that was cut is one too: see privateKeys.
  'privatekey',
];

/** Messages that are meaningless here. */
const IGNORED = [
  // An account is not a secret.
  'AWSAccountID',
  // They give a wrong place for it: see MORE_KINDS.
  'AWSSecretAccessKey',
  'Npmrc_authToken',
  'PackageJSON_xOauthToken',
  // Keys of Stripe's test mode move no money; documentation is full of them.
  'STRIPE_SECRET_KEY_TEST',
  'STRIPE_RESTRICTED_KEY_TEST',
];

/** Display names of rules whose id differs from the issuer's usual name. */
const NAMES: Readonly<Record<string, string>> = {
  aws: 'AWS key',
  gcp: 'Google Cloud service account key',
  npm: 'npm token',
  github: 'GitHub token',
  gitlab: 'GitLab token',
  openai: 'OpenAI key',
  sendgrid: 'SendGrid key',
  huggingface: 'Hugging Face token',
  'hashicorp-vault': 'Vault token',
  slack: 'Slack token or webhook',
};

/** Slack's shortest; docs write `xoxb-111-222-xyz`. */
const MIN_SLACK = 40;

/** Overlapping pieces, as many matches take quadratic time. Tokens are shorter than the overlap. */
const PIECE = 4_096;
const OVERLAP = 1_024;

type Scan = (content: string) => ReturnType<typeof lintSource>;

/** Loaded with the first text: 130 ms that no other work waits for. */
let loading: Promise<Scan>;

async function load(): Promise<Scan> {
  const [{ lintSource: lint }, preset, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It keeps a mark of every rule and text for as long as the process lives.
  secretLintProfiler.setEnabled(false);
  const rules = preset.rules
    .filter(({ meta }) => !LEFT_OUT.includes(meta.id.slice(RULE.length)))
    .map((rule) => ({
      id: rule.meta.id,
      rule,
      allowMessageIds: IGNORED,
      options: rule.meta.id === `${RULE}aws` ? { enableIDScanRule: true } : {},
    }));
  const options = { config: { rules }, noPhysicFilePath: true };
  return (content) => lint({ source: { filePath: 'page', content, ext: '', contentType: 'text' }, options });
}

/**
 * Secrets in order, by secretlint's rules and {@link MORE_KINDS}, without placeholders, test keys, public
 * keys and certificates. Deterministic, in linear time.
 */
export async function findSecrets(text: string): Promise<FoundSecret[]> {
  const found = [...(await byScanner(text)), ...byForm(text), ...logins(text)];
  for (const { start, end } of privateKeys(text)) found.push({ kind: 'private key', start, end });
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const outer: typeof found = [];
  for (const one of found) if (one.end > (outer.at(-1)?.end ?? 0)) outer.push(one);
  const lineAt = lineCounter(text);
  return outer.map(({ kind, start, end }) => ({
    kind,
    start,
    end,
    line: lineAt(start),
    id: secretId(text.slice(start, end)),
  }));
}

/** The first 16 hex digits of the value's SHA-256, which do not reveal the value. */
export function secretId(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16);
}

/** The text with `[secret]` in place of each secret. */
export function withoutSecrets(text: string, found: readonly Pick<FoundSecret, 'start' | 'end'>[]): string {
  let [cut, at] = ['', 0];
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    cut += start < at ? '' : `${text.slice(at, start)}[secret]`;
    at = end;
  }
  return cut + text.slice(at);
}

type Range = Pick<FoundSecret, 'kind' | 'start' | 'end'>;

async function byScanner(text: string): Promise<Range[]> {
  loading ??= load();
  const scan = await loading;
  const found: Range[] = [];
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += PIECE - OVERLAP) {
    const piece = text.slice(from, from + PIECE);
    for (const { ruleId, range } of (await scan(piece)).messages) {
      const rule = ruleId.slice(RULE.length);
      const value = piece.slice(...range);
      if (isPlaceholder(value) || (rule === 'slack' && value.length < MIN_SLACK)) continue;
      found.push({ kind: NAMES[rule] ?? namedAfter(rule), start: from + range[0], end: from + range[1] });
    }
  }
  return found;
}

function namedAfter(rule: string): string {
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1)} key`;
}

function* byForm(text: string): Generator<Range> {
  for (const { kind, pattern, holds } of MORE_KINDS) {
    for (const { index, 0: match, groups } of text.matchAll(pattern)) {
      const token = groups?.['token'] ?? match;
      if (isPlaceholder(token) || holds?.(token) === false) continue;
      const start = index + match.lastIndexOf(token);
      yield { kind, start, end: start + token.length };
    }
  }
}

function* logins(text: string): Generator<Range> {
  for (const { index, 0: address, groups } of text.matchAll(LOGIN)) {
    const { user = '', password = '', host = '' } = groups ?? {};
    if (isExampleLogin({ user, password, host })) continue;
    const start = index + address.length - host.length - 1 - password.length;
    yield { kind: 'password in an address', start, end: start + password.length };
  }
}

/** For increasing offsets. */
function lineCounter(text: string): (offset: number) => number {
  let [line, at] = [1, 0];
  return (offset) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < offset; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
