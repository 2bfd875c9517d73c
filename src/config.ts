import ipaddr from 'ipaddr.js';
import type { z } from 'zod';
import { readPrivateHost } from './private-hosts.ts';
import type { Secret } from './secret.ts';
import {
  absolutePath,
  amount,
  author,
  hostName,
  httpUrl,
  listenHost,
  listOf,
  onOff,
  postgresUrl,
  secret,
  secretKeys,
  text,
  wholeNumber,
} from './setting-readers.ts';

/** The settings are wrong. The message lists every problem, one a line, and shows no secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** One setting: an environment variable, how its text is read, and what its documentation says. */
export interface Setting<T> {
  env: string;
  group: string;
  /** A sentence or two for the table of settings. */
  about: string;
  /** As the table shows it. */
  shownDefault: string;
  /** Used when the variable is absent or empty. */
  fallback: T;
  read: z.ZodType<T, string>;
  isSecret?: boolean;
}

const INSTALLATION = 'Installation';
const NETWORK = 'Network';
const ACCESS = 'Access';
const MODELS = 'Models';
const WORK = 'What one turn may do';
const PROCESSES = 'Processes';

function define<T>(setting: Setting<T>): Setting<T> {
  return setting;
}

/** Every setting but Temporal's own (`TEMPORAL_…`). Empty variables count as absent. */
export const SETTINGS = {
  databaseUrl: define<Secret | undefined>({
    env: 'DATABASE_URL',
    group: INSTALLATION,
    about:
      'A PostgreSQL 15 or newer. Without it, `docent start` brings its own; `docent api` and `docent worker` need it.',
    shownDefault: 'the embedded PostgreSQL',
    fallback: undefined,
    read: postgresUrl,
    isSecret: true,
  }),
  home: define<string | undefined>({
    env: 'DOCENT_HOME',
    group: INSTALLATION,
    about:
      'The folder of `docent start`: database, Temporal state, demo repository. The option `--home` goes before it.',
    shownDefault: '`.docent` in a checkout, else `~/.docent`',
    fallback: undefined,
    read: absolutePath,
  }),
  cacheDir: define<string | undefined>({
    env: 'DOCENT_CACHE_DIR',
    group: INSTALLATION,
    about: 'Where a worker keeps clones and what it derives from them. Can be deleted while no worker runs.',
    shownDefault: '`cache` in the home, else `~/.cache/docent`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsDir: define<string | undefined>({
    env: 'DOCENT_ANALYTICS_DIR',
    group: INSTALLATION,
    about:
      'Where page views are kept. Back it up with the database. All API processes and workers need the same folder, on shared storage where they run on several machines.',
    shownDefault: '`analytics` in the home, else `~/.docent/analytics`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsMemoryMb: define({
    env: 'DOCENT_ANALYTICS_MEMORY_MB',
    group: PROCESSES,
    about: 'Memory that one process may use for counting page views, in megabytes. What does not fit goes to the disk.',
    shownDefault: '`512`',
    fallback: 512,
    read: wholeNumber(128, 1_000_000),
  }),
  analyticsRetentionDays: define<number | undefined>({
    env: 'DOCENT_ANALYTICS_RETENTION_DAYS',
    group: INSTALLATION,
    about: 'Days that page views are kept.',
    shownDefault: 'for ever',
    fallback: undefined,
    read: wholeNumber(1, 36_500),
  }),
  searchAttributes: define({
    env: 'DOCENT_SEARCH_ATTRIBUTES',
    group: INSTALLATION,
    about:
      'Whether workflows carry the search attributes `DocentProject` and `DocentStatus`. `off` for a Temporal namespace where they cannot be registered.',
    shownDefault: '`on`',
    fallback: true,
    read: onOff,
  }),
  logLevel: define({
    env: 'DOCENT_LOG_LEVEL',
    group: INSTALLATION,
    about: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    shownDefault: '`info`',
    fallback: 'info',
    read: text.regex(
      /^(trace|debug|info|warn|error|fatal|silent)$/,
      'must be trace, debug, info, warn, error, fatal or silent',
    ),
  }),
  host: define({
    env: 'DOCENT_HOST',
    group: NETWORK,
    about: 'The address that the API listens on. `0.0.0.0` opens it to other machines.',
    shownDefault: '`127.0.0.1`',
    fallback: '127.0.0.1',
    read: listenHost,
  }),
  port: define({
    env: 'DOCENT_PORT',
    group: NETWORK,
    about: 'The port that the API listens on; 0 for any free one. The option `--port` goes before it.',
    shownDefault: '`4000`',
    fallback: 4000,
    read: wholeNumber(0, 65_535),
  }),
  publicUrl: define<string | undefined>({
    env: 'DOCENT_PUBLIC_URL',
    group: NETWORK,
    about: 'The address under which people reach the API: links to pull request pages begin with it.',
    shownDefault: '`http://<host>:<port>`',
    fallback: undefined,
    read: httpUrl,
  }),
  allowedHosts: define<readonly string[]>({
    env: 'DOCENT_ALLOWED_HOSTS',
    group: NETWORK,
    about:
      'Further names, with commas between them, that requests may have in `Host`. A leading dot admits all names below. Loopback names, addresses and the host of DOCENT_PUBLIC_URL always may; others are refused, against DNS rebinding.',
    shownDefault: 'none',
    fallback: [],
    read: listOf(
      (entry) => hostName.test(entry.replace(/^\./, '')),
      'must be host names without port, with commas between them',
    ),
  }),
  privateHosts: define<readonly string[]>({
    env: 'DOCENT_PRIVATE_HOSTS',
    group: NETWORK,
    about:
      'Hosts outside the public internet that Docent may send requests to, with commas between them: names, addresses (both with `:port` if only one is meant) and CIDR ranges. Repositories and code hosts on the server itself or in a private network are refused unless they are listed.',
    shownDefault: 'none',
    fallback: [],
    read: listOf(
      (entry) => readPrivateHost(entry) !== null,
      'must be host names, addresses or CIDR ranges, with commas between them, such as git.example.com:8443,10.1.0.0/16',
    ),
  }),
  trustedProxies: define<readonly string[]>({
    env: 'DOCENT_TRUSTED_PROXIES',
    group: NETWORK,
    about:
      'Addresses and CIDR ranges, with commas between them, of reverse proxies whose `X-Forwarded-For` is believed. From anybody else it is ignored.',
    shownDefault: 'none',
    fallback: [],
    read: listOf(
      (entry) => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry),
      'must be addresses or CIDR ranges, with commas between them',
    ),
  }),
  operatorToken: define<Secret | undefined>({
    env: 'DOCENT_OPERATOR_TOKEN',
    group: ACCESS,
    about:
      'Opens every route; projects and keys are managed with it. At least 32 characters. Or DOCENT_OPERATOR_TOKEN_FILE, the path of a file that holds it.',
    shownDefault: '`docent start` makes one: `operator-token` in the home',
    fallback: undefined,
    read: text
      .regex(/^[\x21-\x7e]{32,512}$/, 'must have 32 to 512 characters, all printable ASCII and no spaces')
      .pipe(secret),
    isSecret: true,
  }),
  secretKeys: define<readonly Secret[]>({
    env: 'DOCENT_SECRET_KEY',
    group: ACCESS,
    about:
      'What the credentials of code hosts are encrypted with: 32 bytes in base64, as `openssl rand -base64 32` makes them. The same for every API process and worker. Further keys after commas only decrypt: put a new key in front to change it. Or DOCENT_SECRET_KEY_FILE, the path of a file that holds it.',
    shownDefault: '`docent start` makes one: `secret-key` in the home',
    fallback: [],
    read: secretKeys,
    isSecret: true,
  }),
  keyPrefix: define({
    env: 'DOCENT_KEY_PREFIX',
    group: ACCESS,
    about: 'What new API keys begin with, before the underscore. Secret scanners recognise keys by it.',
    shownDefault: '`docent`',
    fallback: 'docent',
    read: text.regex(/^[a-z][a-z0-9]{1,31}$/, 'must be 2 to 32 lower-case letters and digits, beginning with a letter'),
  }),
  jobsPerHour: define({
    env: 'DOCENT_JOBS_PER_HOUR',
    group: ACCESS,
    about: 'New jobs that a project accepts in an hour.',
    shownDefault: '`100`',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  messagesPerHour: define({
    env: 'DOCENT_MESSAGES_PER_HOUR',
    group: ACCESS,
    about: 'Follow-up messages that a project accepts in an hour.',
    shownDefault: '`100`',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  viewsPerMinute: define({
    env: 'DOCENT_VIEWS_PER_MINUTE',
    group: ACCESS,
    about:
      'Page views that one address (of IPv6, one /64 network) may send from the page script in a minute. Each process counts for itself.',
    shownDefault: '`120`',
    fallback: 120,
    read: wholeNumber(1, 1_000_000),
  }),
  newPathsPerHour: define({
    env: 'DOCENT_NEW_PATHS_PER_HOUR',
    group: ACCESS,
    about:
      'Pages never counted before that a project takes from the page script in an hour; as many broken links beside them. Each process counts for itself.',
    shownDefault: '`1000`',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  model: define({
    env: 'DOCENT_MODEL',
    group: MODELS,
    about:
      'The model of projects that name none: `builtin`, `anthropic/<model>`, `openai/<model>` or `openai-compatible/<model>`. `builtin` carries out a small set of written instructions and needs no key. See [models](/agent/models).',
    shownDefault: '`builtin`',
    fallback: 'builtin',
    read: text.regex(
      /^(builtin|(anthropic|openai|openai-compatible)\/[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,150})$/,
      'must be builtin, anthropic/<model>, openai/<model> or openai-compatible/<model>',
    ),
  }),
  anthropicApiKey: define<Secret | undefined>({
    env: 'ANTHROPIC_API_KEY',
    group: MODELS,
    about: 'The key for models of Anthropic. Workers need it, nothing else does.',
    shownDefault: 'none',
    fallback: undefined,
    read: secret,
    isSecret: true,
  }),
  anthropicBaseUrl: define({
    env: 'ANTHROPIC_BASE_URL',
    group: MODELS,
    about: 'Where models of Anthropic are reached, for a proxy or gateway; with or without `/v1`.',
    shownDefault: '`https://api.anthropic.com`',
    fallback: 'https://api.anthropic.com',
    read: httpUrl,
  }),
  openaiApiKey: define<Secret | undefined>({
    env: 'OPENAI_API_KEY',
    group: MODELS,
    about: 'The key for models of OpenAI. Workers need it, nothing else does.',
    shownDefault: 'none',
    fallback: undefined,
    read: secret,
    isSecret: true,
  }),
  openaiBaseUrl: define({
    env: 'OPENAI_BASE_URL',
    group: MODELS,
    about: 'Where models of OpenAI are reached, for a proxy or gateway that speaks the Responses API.',
    shownDefault: '`https://api.openai.com/v1`',
    fallback: 'https://api.openai.com/v1',
    read: httpUrl,
  }),
  openaiCompatibleApiKey: define<Secret | undefined>({
    env: 'OPENAI_COMPATIBLE_API_KEY',
    group: MODELS,
    about: 'The key for the OpenAI-compatible server, if it wants one.',
    shownDefault: 'none',
    fallback: undefined,
    read: secret,
    isSecret: true,
  }),
  openaiCompatibleBaseUrl: define<string | undefined>({
    env: 'OPENAI_COMPATIBLE_BASE_URL',
    group: MODELS,
    about:
      'The address of a server with the Chat Completions API: `http://127.0.0.1:11434/v1` for Ollama, `http://127.0.0.1:8000/v1` for vLLM.',
    shownDefault: 'none',
    fallback: undefined,
    read: httpUrl,
  }),
  modelsFile: define<string | undefined>({
    env: 'DOCENT_MODELS_FILE',
    group: MODELS,
    about:
      'A JSON file with prices and windows of models, which go before those that Docent knows: see [models](/agent/models#prices).',
    shownDefault: 'none',
    fallback: undefined,
    read: absolutePath,
  }),
  modelAttempts: define({
    env: 'DOCENT_MODEL_ATTEMPTS',
    group: MODELS,
    about:
      'How often a model is asked for one answer when it is overloaded, limits the rate or cannot be reached. The pauses grow from a second to a minute, or are what the provider asks for.',
    shownDefault: '`10`',
    fallback: 10,
    read: wholeNumber(1, 100),
  }),
  modelIdleSeconds: define({
    env: 'DOCENT_MODEL_IDLE_SECONDS',
    group: MODELS,
    about: 'Seconds without a byte after which a request to a model is given up and made again. At most 290.',
    shownDefault: '`120`',
    fallback: 120,
    read: wholeNumber(1, 290),
  }),
  budgetJobTokens: define<number | undefined>({
    env: 'DOCENT_BUDGET_JOB_TOKENS',
    group: MODELS,
    about:
      'Tokens, read and written, that one job may take. It stops before the next step; what it changed is kept. A project may have its own budgets.',
    shownDefault: 'no limit',
    fallback: undefined,
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetJobUsd: define<number | undefined>({
    env: 'DOCENT_BUDGET_JOB_USD',
    group: MODELS,
    about: 'US dollars that one job may cost.',
    shownDefault: 'no limit',
    fallback: undefined,
    read: amount,
  }),
  budgetDayTokens: define<number | undefined>({
    env: 'DOCENT_BUDGET_DAY_TOKENS',
    group: MODELS,
    about: 'Tokens that all jobs of one project may take in a day (UTC).',
    shownDefault: 'no limit',
    fallback: undefined,
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetDayUsd: define<number | undefined>({
    env: 'DOCENT_BUDGET_DAY_USD',
    group: MODELS,
    about: 'US dollars that all jobs of one project may cost in a day (UTC).',
    shownDefault: 'no limit',
    fallback: undefined,
    read: amount,
  }),
  turnSteps: define({
    env: 'DOCENT_TURN_STEPS',
    group: WORK,
    about: 'Calls of the model in one turn.',
    shownDefault: '`50`',
    fallback: 50,
    read: wholeNumber(1, 1_000),
  }),
  turnMinutes: define({
    env: 'DOCENT_TURN_MINUTES',
    group: WORK,
    about: 'Minutes of work in one turn; waiting for a worker does not count.',
    shownDefault: '`30`',
    fallback: 30,
    read: wholeNumber(1, 1_440),
  }),
  messagesPerTurn: define({
    env: 'DOCENT_TURN_MESSAGES',
    group: WORK,
    about: 'Messages that one turn takes; the others wait for the next turn.',
    shownDefault: '`20`',
    fallback: 20,
    read: wholeNumber(1, 1_000),
  }),
  checkRounds: define({
    env: 'DOCENT_CHECK_ROUNDS',
    group: WORK,
    about:
      'How often problems that the docs checks find go back to the agent. What is left then is named in the pull request.',
    shownDefault: '`3`',
    fallback: 3,
    read: wholeNumber(0, 20),
  }),
  publishRounds: define({
    env: 'DOCENT_PUBLISH_ROUNDS',
    group: WORK,
    about: "How often a push that lost to somebody else's commit is tried again on the new tip.",
    shownDefault: '`5`',
    fallback: 5,
    read: wholeNumber(1, 50),
  }),
  maxFiles: define({
    env: 'DOCENT_MAX_FILES',
    group: WORK,
    about: 'Files that one turn may change.',
    shownDefault: '`100`',
    fallback: 100,
    read: wholeNumber(1, 10_000),
  }),
  maxFileBytes: define({
    env: 'DOCENT_MAX_FILE_BYTES',
    group: WORK,
    about: 'Size that a changed file may have, in bytes.',
    shownDefault: '`1000000`',
    fallback: 1_000_000,
    read: wholeNumber(1_000, 1_000_000),
  }),
  maxTotalBytes: define({
    env: 'DOCENT_MAX_TOTAL_BYTES',
    group: WORK,
    about: 'Size of all changed files of a turn together, in bytes.',
    shownDefault: '`10000000`',
    fallback: 10_000_000,
    read: wholeNumber(1_000, 100_000_000),
  }),
  archiveAfterDays: define({
    env: 'DOCENT_ARCHIVE_AFTER_DAYS',
    group: WORK,
    about: 'Days without a message after which a finished job is archived. A project may have its own.',
    shownDefault: '`30`',
    fallback: 30,
    read: wholeNumber(1, 3_650),
  }),
  historyEvents: define({
    env: 'DOCENT_HISTORY_EVENTS',
    group: WORK,
    about: "Events in a workflow's history above which it continues as new.",
    shownDefault: '`1000`',
    fallback: 1_000,
    read: wholeNumber(100, 10_000),
  }),
  branchPrefix: define({
    env: 'DOCENT_BRANCH_PREFIX',
    group: WORK,
    about:
      'First part of the names of branches: `<prefix>/<job id>`. Nothing else is ever pushed. A project may have its own.',
    shownDefault: '`docent`',
    fallback: 'docent',
    read: text
      .max(60, 'must have at most 60 characters')
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*$/,
        'must be letters, digits, - and _, with / between parts',
      ),
  }),
  commitAuthor: define({
    env: 'DOCENT_COMMIT_AUTHOR',
    group: WORK,
    about: 'Author of commits.',
    shownDefault: '`Docent <docent@localhost>`',
    fallback: { name: 'Docent', email: 'docent@localhost' },
    read: author,
  }),
  workerConcurrency: define({
    env: 'DOCENT_WORKER_CONCURRENCY',
    group: PROCESSES,
    about: 'Steps of jobs that one worker works on at once.',
    shownDefault: '`10`',
    fallback: 10,
    read: wholeNumber(1, 200),
  }),
  databaseConnections: define({
    env: 'DOCENT_DATABASE_CONNECTIONS',
    group: PROCESSES,
    about: 'Connections to PostgreSQL that one process holds at most.',
    shownDefault: '`10`',
    fallback: 10,
    read: wholeNumber(2, 1_000),
  }),
  shutdownGraceSeconds: define({
    env: 'DOCENT_SHUTDOWN_GRACE_SECONDS',
    group: PROCESSES,
    about:
      'How long, after SIGTERM, a process finishes what it is doing. What a worker cannot finish, another one takes over.',
    shownDefault: '`10`',
    fallback: 10,
    read: wholeNumber(0, 600),
  }),
} satisfies Record<string, Setting<never> | Setting<unknown>>;

type Values = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['fallback'] };

/** What a process is told from outside. Frozen; holds secrets only as {@link Secret}. */
export interface Config extends Readonly<Values> {
  /** Limits of one turn, in the form that workflows take. Times in milliseconds. */
  readonly limits: {
    readonly steps: number;
    readonly activityMs: number;
    readonly checkRounds: number;
    readonly publishRounds: number;
    readonly idleMs: number;
    readonly historyEvents: number;
  };
  /** What jobs may spend on models, where their project does not say. */
  readonly budgets: {
    readonly jobTokens?: number;
    readonly jobUsd?: number;
    readonly dayTokens?: number;
    readonly dayUsd?: number;
  };
  /** For tests: where this process is to die. See faults.ts. */
  readonly fault: string | undefined;
  /** Variables that begin with `DOCENT_` and mean nothing: misspelt, or of another version. */
  readonly unknown: readonly string[];
}

/** Variables that are no settings of a server. */
const OTHER_VARIABLES = new Set([
  'DOCENT_URL',
  'DOCENT_API_KEY',
  'DOCENT_OPERATOR_TOKEN_FILE',
  'DOCENT_SECRET_KEY_FILE',
]);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Reads the settings. Pure: looks at `env` alone.
 * @throws ConfigError with every problem at once
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    const given = env[setting.env]?.trim();
    if (!given) {
      values[name] = setting.fallback;
      continue;
    }
    const result = setting.read.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push(`${setting.env} ${result.error.issues[0]?.message ?? 'is wrong'}${shown(setting, given)}.`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(complete(values as Values, env));
}

function shown(setting: Setting<unknown>, given: string): string {
  return setting.isSecret ? '' : `, and it is ${JSON.stringify(given.slice(0, 100))}`;
}

function complete(values: Values, env: Readonly<Record<string, string | undefined>>): Config {
  const known = new Set(Object.values(SETTINGS).map((setting) => setting.env));
  return {
    ...values,
    limits: {
      steps: values.turnSteps,
      activityMs: values.turnMinutes * MINUTE_MS,
      checkRounds: values.checkRounds,
      publishRounds: values.publishRounds,
      idleMs: values.archiveAfterDays * DAY_MS,
      historyEvents: values.historyEvents,
    },
    budgets: {
      jobTokens: values.budgetJobTokens,
      jobUsd: values.budgetJobUsd,
      dayTokens: values.budgetDayTokens,
      dayUsd: values.budgetDayUsd,
    },
    fault: env.DOCENT_TEST_FAULT || undefined,
    unknown: Object.keys(env)
      .filter((name) => name.startsWith('DOCENT_') && !name.startsWith('DOCENT_TEST_'))
      .filter((name) => !known.has(name) && !OTHER_VARIABLES.has(name))
      .toSorted(),
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
