import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Paths that are censored wherever they appear at the top of a log line or one level down. */
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

/** Secrets inside free text: keys of Docent, of code hosts and of model providers, bearer values, user info in URLs. */
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

/** From now on, this process cuts a value out of all that it logs, and out of what it redacts. Several lines count each. */
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

/** Removes what looks like a secret, or is known to be one, from a text that is about to be logged or answered. */
export function redact(text: string): string {
  let cleaned = text;
  for (const secret of concealed) cleaned = cleaned.replaceAll(secret, '[redacted]');
  return SECRET_PATTERNS.reduce((done, [pattern, replacement]) => done.replace(pattern, replacement), cleaned);
}

/**
 * A JSON logger with secrets censored, by field name and by pattern in messages and errors.
 * @param level a pino level or `silent`
 */
export function createLogger(options: { level: string; name: string }, destination?: DestinationStream): Logger {
  return pino(
    {
      level: options.level,
      base: { role: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
      serializers: { err: serializeError },
      hooks: {
        logMethod(args, method) {
          const clean = args.map((arg) => (typeof arg === 'string' ? redact(arg) : arg)) as Parameters<typeof method>;
          method.apply(this, clean);
        },
      },
    },
    destination ?? pino.destination(1),
  );
}

function serializeError(err: unknown): unknown {
  if (!(err instanceof Error)) return redact(String(err));
  return {
    type: err.name,
    message: redact(err.message),
    ...('code' in err ? { code: err.code } : {}),
    stack: redact(err.stack ?? ''),
    ...(err.cause === undefined ? {} : { cause: serializeError(err.cause) }),
  };
}
