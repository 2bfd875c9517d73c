import { withoutMargins } from '@docent/base/net/header-value';
import { accessSettings } from './access.ts';
import { installationSettings } from './installation.ts';
import { mailSettings } from './mail.ts';
import { modelSettings } from './models.ts';
import { networkSettings } from './network.ts';
import { openIdProblems, openIdSettings } from './open-id.ts';
import { processSettings } from './processes.ts';
import { retentionSettings } from './retention.ts';
import { turnSettings } from './turns.ts';
import { ConfigError } from '@docent/base/config-error';
import { DAY_MS, MINUTE_MS } from '@docent/base/time';
import type { Setting } from './setting.ts';

/** The settings by their headings in the documentation. */
export const SETTING_GROUPS = {
  Installation: installationSettings,
  Processes: processSettings,
  Network: networkSettings,
  Access: accessSettings,
  'Sign-in with OpenID Connect': openIdSettings,
  Models: modelSettings,
  'What one turn may do': turnSettings,
  Mail: mailSettings,
  'What is kept': retentionSettings,
} satisfies Record<string, Record<string, Setting<never> | Setting<unknown>>>;

/** Every setting but Temporal's own (`TEMPORAL_…`). Empty variables count as absent. */
export const SETTINGS = {
  ...installationSettings,
  ...processSettings,
  ...networkSettings,
  ...accessSettings,
  ...openIdSettings,
  ...modelSettings,
  ...turnSettings,
  ...mailSettings,
  ...retentionSettings,
};

type Values = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['fallback'] };

/** The environment of a process. Frozen; holds secrets only as {@link Secret}. */
export interface Config extends Readonly<Values> {
  /** Limits of one turn, in the form that workflows take. Times in milliseconds. */
  readonly limits: {
    readonly steps: number;
    readonly activityMs: number;
    readonly checkRounds: number;
    readonly publishRounds: number;
    readonly idleMs: number;
    readonly restMs: number;
    readonly historyEvents: number;
  };
  /** Model budgets for jobs whose project sets none. */
  readonly budgets: {
    readonly jobTokens?: number;
    readonly jobUsd?: number;
    readonly dayTokens?: number;
    readonly dayUsd?: number;
  };
  /** For tests: where this process must die. See faults.ts. */
  readonly fault: string | undefined;
  /** For tests: the folder of a later release's migrations, instead of this build's. */
  readonly migrations: string | undefined;
  /** For tests: pauses between attempts to deliver a webhook, in milliseconds. */
  readonly webhookPausesMs: readonly number[] | undefined;
  /** Variables that begin with `DOCENT_` and mean nothing: misspelt, or of another version. */
  readonly unknown: readonly string[];
}

/** Variables that are not settings of a server. */
const OTHER_VARIABLES = new Set([
  'DOCENT_URL',
  'DOCENT_API_KEY',
  'DOCENT_OPERATOR_TOKEN_FILE',
  'DOCENT_SECRET_KEY_FILE',
  'DOCENT_OIDC_CLIENT_SECRET_FILE',
  'DOCENT_SIGNING_KEY_FILE',
  'DOCENT_SMTP_URL_FILE',
]);

/** Reads the settings from `env` alone. @throws ConfigError with every problem */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    const given = withoutMargins(env[setting.env] ?? '');
    if (!given) {
      values[name] = setting.fallback;
      continue;
    }
    const result = setting.read.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push(`${setting.env} ${result.error.issues[0]?.message ?? 'is wrong'}${shown(setting, given)}.`);
  }
  if (problems.length === 0) problems.push(...openIdProblems(values));
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
      restMs: values.restSeconds * 1_000,
      historyEvents: values.historyEvents,
    },
    budgets: {
      jobTokens: values.budgetJobTokens,
      jobUsd: values.budgetJobUsd,
      dayTokens: values.budgetDayTokens,
      dayUsd: values.budgetDayUsd,
    },
    fault: env.DOCENT_TEST_FAULT || undefined,
    migrations: env.DOCENT_TEST_MIGRATIONS || undefined,
    webhookPausesMs: env.DOCENT_TEST_WEBHOOK_PAUSES?.split(',').map(Number),
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
