import { pino, type DestinationStream, type Logger } from 'pino';
import { withoutQuotes } from './log-errors.ts';
import { shortageOf } from '@docent/base/shortage';

export type { Logger } from 'pino';

/** Paths that are censored at the top of a log line and one level below. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  'apiKey',
  'databaseUrl',
  'operatorToken',
];

/** Keys of Docent, code hosts and model providers, bearer values, user info in URLs. */
const SECRET_PATTERNS: [RegExp, string][] = [
  [/\b[a-z][a-z0-9]{1,31}_[0-9A-Za-z]{32,48}\b/g, '[key]'],
  // Tokens of GitHub, GitLab, Slack and of model providers; GitHub's others look like Docent's own keys.
  [/\b(?:github_pat_|gh[a-z]_|gl[a-z]{1,8}-|sk-|xox[a-z]-)[\w.-]{16,}/g, '[token]'],
  [/\bAKIA[0-9A-Z]{16}\b/g, '[key]'],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g, '[token]'],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*/g, '[private key]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]{0,500}(?::[^\s/@]{0,500})?@/gi, '$1[redacted]@'],
];

/** Values that this process holds and that no pattern describes. */
const concealed = new Set<string>();
const MIN_CONCEALED = 8;
/** Tokens that live for an hour come and go. */
const MAX_CONCEALED = 2_000;

/** Removes a value from all this process logs or redacts from now on, line by line. */
export function concealInLogs(secret: string): void {
  for (const line of secret.split('\n').map((part) => part.trim())) {
    if (line.length < MIN_CONCEALED) continue;
    concealed.delete(line);
    concealed.add(line);
  }
  for (const oldest of concealed) {
    if (concealed.size <= MAX_CONCEALED) break;
    concealed.delete(oldest);
  }
}

/** Removes known secrets, and what looks like one, from a text for logs or answers. */
export function redact(text: string): string {
  let cleaned = text;
  for (const secret of concealed) cleaned = cleaned.replaceAll(secret, '[redacted]');
  return SECRET_PATTERNS.reduce((done, [pattern, replacement]) => done.replace(pattern, replacement), cleaned);
}

let besides: () => object | undefined = () => undefined;

/**
 * From now on, adds these fields to every log line of this process. They must not identify users or their
 * data.
 */
export function logBesides(fields: () => object | undefined): void {
  besides = fields;
}

/** A JSON logger that censors secrets by field name and pattern. @param level a pino level or `silent` */
export function createLogger(options: { level: string; name: string }, destination?: DestinationStream): Logger {
  return pino(
    {
      level: options.level,
      base: { role: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => besides() ?? {},
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
      serializers: { err: serializeError },
      formatters: { log: withoutRawErrors },
      hooks: {
        logMethod(args, method) {
          const clean = args.map((arg) => (typeof arg === 'string' ? redact(arg) : arg)) as Parameters<typeof method>;
          method.apply(this, clean);
        },
      },
    },
    destination ?? standardOutput(),
  );
}

/** Errors in other fields would show all their fields, such as a query's values. */
function withoutRawErrors(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, name === 'err' ? value : cleaned(value, 0)]),
  );
}

const DEEPEST = 3;

function cleaned(value: unknown, depth: number): unknown {
  if (value instanceof Error) return serializeError(value);
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleaned(item, depth + 1)]));
}

/** Lines that wait for a full disk or a slow reader; beyond this, new ones are dropped. */
const MAX_WAITING_BYTES = 16 * 1_048_576;

/** Standard output may be a file on a full disk: the process's work is more important than its log. */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, maxLength: MAX_WAITING_BYTES });
  const flush = out.flushSync.bind(out);
  out.on('error', (err: Error) => {
    // Unwritten lines are retried with the next one. At its end, a process would wait for space forever.
    if (!shortageOf(err)) throw err;
    out.flushSync = () => {};
  });
  out.on('write', () => (out.flushSync = flush));
  return out;
}

function serializeError(err: unknown): unknown {
  if (!(err instanceof Error)) return redact(String(err));
  return {
    type: err.name,
    message: redact(withoutQuotes(err.message)),
    ...('code' in err ? { code: err.code } : {}),
    stack: redact(withoutQuotes(err.stack ?? '')),
    ...(err.cause === undefined ? {} : { cause: serializeError(err.cause) }),
  };
}
