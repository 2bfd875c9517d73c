import { createHash } from 'node:crypto';
import type { lintSource } from '@secretlint/core';
import { LOGIN, MORE_KINDS } from './more-kinds.ts';
import { isExampleLogin, isPlaceholder } from './placeholders.ts';
import { privateKeys } from './private-keys.ts';

/** Something in a text that lets whoever has it sign in or sign. */
export interface FoundSecret {
  /** For people: `AWS access key`. */
  kind: string;
  /** Offsets in the text, as code units. */
  start: number;
  end: number;
  /** From 1. */
  line: number;
  /** Of the value, to tell it from others without showing it: see {@link secretId}. */
  id: string;
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const RULE = '@secretlint/secretlint-rule-';

/** What the scanner's rules are told. */
const RULES = [
  // Comments that switch rules off would let a page decide what is looked for in it.
  { id: `${RULE}filter-comments`, disabled: true },
  { id: `${RULE}aws`, options: { enableIDScanRule: true }, allowMessageIds: ['AWSAccountID'] },
  // Keys of Stripe's test mode move no money; documentation is full of them.
  { id: `${RULE}stripe`, allowMessageIds: ['STRIPE_SECRET_KEY_TEST', 'STRIPE_RESTRICTED_KEY_TEST'] },
  // These take `<PASSWORD>` for one, and know some schemes only: see LOGIN. A key that was cut is one too: see privateKeys.
  { id: `${RULE}basicauth`, disabled: true },
  { id: `${RULE}database-connection-string`, disabled: true },
  { id: `${RULE}privatekey`, disabled: true },
];

/** Of rules by their id, where that is not the issuer's name as people write it. */
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

/** Loaded with the first text: 130 ms that no other work waits for. */
let loading: Promise<{ lint: typeof lintSource; rules: Parameters<typeof lintSource>[0]['options']['config']['rules'] }>;

async function load() {
  const [{ lintSource: lint }, { creator }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It keeps a mark of every rule and text for as long as the process lives.
  secretLintProfiler.setEnabled(false);
  return { lint, rules: [{ id: PRESET, rule: creator, rules: RULES }] };
}

/**
 * The secrets in a text, by the rules of secretlint and the forms in {@link MORE_KINDS}, in their order. Placeholders, keys of test
 * modes, public keys and certificates are none. The same text gives the same answer, in time proportional to its length.
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

/** 16 hexadecimal digits: the beginning of the value's SHA-256. A person can make it of a value, and nobody a value of it. */
export function secretId(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16);
}

/** The text with `[secret]` for each of them. */
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

async function byScanner(content: string): Promise<Range[]> {
  loading ??= load();
  const { lint, rules } = await loading;
  const { messages } = await lint({
    source: { filePath: 'page', content, ext: '', contentType: 'text' },
    options: { config: { rules }, noPhysicFilePath: true },
  });
  return messages.flatMap(({ ruleId, range: [start, end] }) => {
    const rule = ruleId.slice(RULE.length);
    const value = content.slice(start, end);
    if (isPlaceholder(value) || (rule === 'slack' && value.length < MIN_SLACK)) return [];
    return [{ kind: NAMES[rule] ?? `${rule.charAt(0).toUpperCase()}${rule.slice(1)} key`, start, end }];
  });
}

function* byForm(text: string): Generator<Range> {
  for (const { kind, pattern, holds } of MORE_KINDS) {
    for (const { index, 0: match, groups } of text.matchAll(pattern)) {
      const token = groups?.['token'] ?? match;
      if (isPlaceholder(token) || holds?.(token) === false) continue;
      const end = index + match.length;
      yield { kind, start: end - token.length, end };
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

/** Of offsets that grow. */
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
