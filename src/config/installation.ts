import type { BucketPlace } from '../platform/bucket-place.ts';
import type { Secret } from '../platform/secret.ts';
import { absolutePath, bucketPlace, httpUrl, onOff, postgresUrl, text, wholeNumber } from './readers.ts';
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
      'Whether `docent api`, `docent worker` and `docent start` bring the schema of the database up to date when they start: `auto` or `never`. With `never` they refuse to start on an older one until `docent migrate` has run. See [upgrade](/operate/upgrades).',
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
      'Where page views are kept. Back it up with the database. All API processes, workers and `docent analytics` commands of one machine need the same local folder; one with another folder refuses to start. To use several machines, put page views into a bucket: `DOCENT_ANALYTICS_STORAGE`.',
    shownDefault: '`analytics` in the home, else `~/.docent/analytics`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsStorage: define<BucketPlace | undefined>({
    env: 'DOCENT_ANALYTICS_STORAGE',
    group: GROUP,
    about:
      "A prefix in a bucket of an S3-compatible store, `s3://bucket/prefix`, for the files of page views. Processes then share the bucket and no folder: `DOCENT_ANALYTICS_DIR` is each machine's own, with its log of events that are not stored yet, and copies. Keys come from where the SDK of AWS looks for them, `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` for instance. See [event files in a bucket](/operate/analytics-storage).",
    shownDefault: 'the folder alone',
    fallback: undefined,
    read: bucketPlace,
  }),
  analyticsAck: define<'local' | 'stored'>({
    env: 'DOCENT_ANALYTICS_ACK',
    group: GROUP,
    about:
      'When events are acknowledged: `local`, once they are on the disk of the API that took them, or `stored`, once they are in the bucket of `DOCENT_ANALYTICS_STORAGE` as well.',
    fallback: 'local',
    read: text.regex(/^(local|stored)$/, 'must be local or stored').transform((value) => value as 'local' | 'stored'),
  }),
  analyticsCacheGb: define({
    env: 'DOCENT_ANALYTICS_CACHE_GB',
    group: GROUP,
    about: 'Gigabytes of copies from the bucket that one folder keeps; more only as long as they are read.',
    fallback: 20,
    read: wholeNumber(1, 100_000),
  }),
  s3Endpoint: define<string | undefined>({
    env: 'AWS_ENDPOINT_URL_S3',
    group: GROUP,
    about:
      'Where the store of `DOCENT_ANALYTICS_STORAGE` answers, where it is not AWS. The bucket is then named in the path.',
    shownDefault: 'AWS',
    fallback: undefined,
    read: httpUrl,
  }),
  s3Region: define<string | undefined>({
    env: 'AWS_REGION',
    group: GROUP,
    about: 'The region of the bucket, and of models of Amazon Bedrock.',
    shownDefault: 'that of the profile; `us-east-1` with `AWS_ENDPOINT_URL_S3`',
    fallback: undefined,
    read: text.regex(/^[a-z0-9-]{1,40}$/i, 'must be the name of a region'),
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
