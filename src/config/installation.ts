import type { Secret } from '../platform/secret.ts';
import { absolutePath, httpUrl, onOff, postgresUrl, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Installation';

/** Where things are kept and what they are connected to. */
export const installationSettings = {
  databaseUrl: define<Secret | undefined>({
    env: 'DATABASE_URL',
    group: GROUP,
    about:
      'A PostgreSQL 15 or newer. Without it, `docent start` brings its own; `docent api` and `docent worker` need it.',
    shownDefault: 'the embedded PostgreSQL',
    fallback: undefined,
    read: postgresUrl,
    isSecret: true,
  }),
  migrate: define<'auto' | 'never'>({
    env: 'DOCENT_MIGRATE',
    group: GROUP,
    about:
      'Whether `docent api`, `docent worker` and `docent start` bring the schema of the database up to date when they start: `auto` or `never`. With `never` they refuse to start on an older one until `docent migrate` has run. See [upgrade](/operate/backups-and-upgrades#upgrade).',
    fallback: 'auto',
    read: text.regex(/^(auto|never)$/, 'must be auto or never').transform((value) => value as 'auto' | 'never'),
  }),
  home: define<string | undefined>({
    env: 'DOCENT_HOME',
    group: GROUP,
    about:
      'The folder of `docent start`: database, Temporal state, demo repository. The option `--home` goes before it.',
    shownDefault: '`.docent` in a checkout, else `~/.docent`',
    fallback: undefined,
    read: absolutePath,
  }),
  cacheDir: define<string | undefined>({
    env: 'DOCENT_CACHE_DIR',
    group: GROUP,
    about: 'Where a worker keeps clones and what it derives from them. Can be deleted while no worker runs.',
    shownDefault: '`cache` in the home, else `~/.cache/docent`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsDir: define<string | undefined>({
    env: 'DOCENT_ANALYTICS_DIR',
    group: GROUP,
    about:
      'Where page views are kept. Back it up with the database. All API processes, workers and `docent analytics` commands need the same folder, on shared storage where they run on several machines; one with another folder refuses to start.',
    shownDefault: '`analytics` in the home, else `~/.docent/analytics`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsRetentionDays: define<number | undefined>({
    env: 'DOCENT_ANALYTICS_RETENTION_DAYS',
    group: GROUP,
    about: 'Days that page views are kept.',
    shownDefault: 'for ever',
    fallback: undefined,
    read: wholeNumber(1, 36_500),
  }),
  temporalUiUrl: define<string | undefined>({
    env: 'DOCENT_TEMPORAL_UI_URL',
    group: GROUP,
    about: "Where Temporal's Web UI answers: the dashboard links a job's workflow there for operators.",
    shownDefault: 'none; the embedded one with `docent start`',
    fallback: undefined,
    read: httpUrl,
  }),
  searchAttributes: define({
    env: 'DOCENT_SEARCH_ATTRIBUTES',
    group: GROUP,
    about:
      'Whether workflows carry the search attributes `DocentProject` and `DocentStatus`. `off` for a Temporal namespace where they cannot be registered.',
    fallback: true,
    read: onOff,
  }),
  logLevel: define({
    env: 'DOCENT_LOG_LEVEL',
    group: GROUP,
    about: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    fallback: 'info',
    read: text.regex(
      /^(trace|debug|info|warn|error|fatal|silent)$/,
      'must be trace, debug, info, warn, error, fatal or silent',
    ),
  }),
};
