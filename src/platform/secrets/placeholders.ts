/** Placeholders: `YOUR_TOKEN`, `AKIAIOSFODNN7EXAMPLE`, `xxxx`, `<password>`, `${TOKEN}`, `…`. */
const SAYS_SO =
  /example|sample|placeholder|dummy|redacted|replace[_-]?me|change[_-]?me|insert|your|todo|fake|foobar|secret_?here|x{4}|\*{3}|\.{3}|…|[<>{}[\]]|\$[A-Za-z_(]|%[A-Za-z_]+%/i;
/** The same character again and again, or what fingers type in a row. */
const TYPED = /(.)\1{5}|(\w{2,4})\2{3}|12345678|23456789|abcdefg|qwerty|deadbeef|a1b2c3d4/i;

const MIN_BITS = 3;
/** Too short for its bits to be counted. */
const MIN_COUNTED = 16;

/** Whether a token is only a placeholder. */
export function isPlaceholder(token: string): boolean {
  if (SAYS_SO.test(token) || TYPED.test(token)) return true;
  return token.length >= MIN_COUNTED && bitsPerCharacter(token) < MIN_BITS;
}

const EXAMPLE_HOST =
  /^(localhost|127\.|0\.0\.0\.0|\[?::1|host(name)?$|example$|(.*\.)?example\.(com|org|net|io|dev)$|(.*\.)?(test|invalid|localhost|example)$)/i;
const WORDS = /^([a-z]+|[A-Z]+|[A-Z][a-z]+)([-_.]?([a-z]+|[A-Z]+|[A-Z][a-z]+))*\d{0,4}!?$/;
const MIN_PASSWORD = 8;

/** Whether a login in an address is an example, by its password or host. */
export function isExampleLogin({ user, password, host }: { user: string; password: string; host: string }): boolean {
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
