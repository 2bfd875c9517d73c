import type { BucketPlace } from '../platform/bucket-place.ts';
import type { Secret } from '../platform/secret.ts';
import { absolutePath, bucketPlace, httpUrl, onOff, postgresUrl, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Installation';

/** Folders, databases and services. */
export const installationSettings = {
  databaseUrl: define<Secret | undefined>({
    env: 'DATABASE_URL',
    group: GROUP,
    about:
      'PostgreSQL 15 or newer. Required for `docent api` and `docent worker`. Without it, `docent start` uses its own.',
    shownDefault: 'the embedded PostgreSQL',
    fallback: undefined,
    read: postgresUrl,
    isSecret: true,
  }),
  migrate: define<'auto' | 'never'>({
    env: 'DOCENT_MIGRATE',
    group: GROUP,
    about:
      "`auto`: processes upgrade the database's schema when they start. `never`: they refuse to start until you run `docent migrate`. See [upgrades](/operate/upgrades#run-migrations-yourself).",
    fallback: 'auto',
    read: text.regex(/^(auto|never)$/, 'must be auto or never').transform((value) => value as 'auto' | 'never'),
  }),
  home: define<string | undefined>({
    env: 'DOCENT_HOME',
    group: GROUP,
    about: 'The folder of `docent start`: database, Temporal state, demo repository. `--home` overrides it.',
    shownDefault: '`.docent` in a checkout, else `~/.docent`',
    fallback: undefined,
    read: absolutePath,
  }),
  cacheDir: define<string | undefined>({
    env: 'DOCENT_CACHE_DIR',
    group: GROUP,
    about: "A worker's folder for clones and derived data. You can delete it while no worker runs.",
    shownDefault: '`cache` in the home, else `~/.cache/docent`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsDir: define<string | undefined>({
    env: 'DOCENT_ANALYTICS_DIR',
    group: GROUP,
    about:
      'The folder for page views, on a local disk. Back it up with the database. All API processes, ' +
      'workers and `docent analytics` commands of a machine need the same folder. Several machines share ' +
      'a bucket: `DOCENT_ANALYTICS_STORAGE`.',
    shownDefault: '`analytics` in the home, else `~/.docent/analytics`',
    fallback: undefined,
    read: absolutePath,
  }),
  analyticsStorage: define<BucketPlace | undefined>({
    env: 'DOCENT_ANALYTICS_STORAGE',
    group: GROUP,
    about:
      "A prefix in an S3-compatible bucket for page views: `s3://bucket/prefix`. `DOCENT_ANALYTICS_DIR` is then each machine's own folder. Credentials come from where the AWS SDK finds them. See [analytics storage](/operate/analytics-storage#a-bucket).",
    shownDefault: 'the folder alone',
    fallback: undefined,
    read: bucketPlace,
  }),
  analyticsAck: define<'local' | 'stored'>({
    env: 'DOCENT_ANALYTICS_ACK',
    group: GROUP,
    about:
      'When events are acknowledged: `local`, once they are on the local disk, or `stored`, once they are in the bucket.',
    fallback: 'local',
    read: text.regex(/^(local|stored)$/, 'must be local or stored').transform((value) => value as 'local' | 'stored'),
  }),
  analyticsCacheGb: define({
    env: 'DOCENT_ANALYTICS_CACHE_GB',
    group: GROUP,
    about: 'Gigabytes of copies from the bucket that a machine keeps.',
    fallback: 20,
    read: wholeNumber(1, 100_000),
  }),
  s3Endpoint: define<string | undefined>({
    env: 'AWS_ENDPOINT_URL_S3',
    group: GROUP,
    about: "The address of an S3-compatible store other than AWS. The bucket's name is then in the path.",
    shownDefault: 'AWS',
    fallback: undefined,
    read: httpUrl,
  }),
  s3Region: define<string | undefined>({
    env: 'AWS_REGION',
    group: GROUP,
    about: "The region of the bucket and of Amazon Bedrock's models.",
    shownDefault: "the profile's; `us-east-1` with `AWS_ENDPOINT_URL_S3`",
    fallback: undefined,
    read: text.regex(/^[a-z0-9-]{1,40}$/i, 'must be the name of a region'),
  }),
  analyticsRetentionDays: define<number | undefined>({
    env: 'DOCENT_ANALYTICS_RETENTION_DAYS',
    group: GROUP,
    about: 'Days that page views are kept.',
    shownDefault: 'forever',
    fallback: undefined,
    read: wholeNumber(1, 36_500),
  }),
  temporalUiUrl: define<string | undefined>({
    env: 'DOCENT_TEMPORAL_UI_URL',
    group: GROUP,
    about: "The address of Temporal's Web UI. The dashboard links jobs to it for operators.",
    shownDefault: 'none; the embedded one with `docent start`',
    fallback: undefined,
    read: httpUrl,
  }),
  searchAttributes: define({
    env: 'DOCENT_SEARCH_ATTRIBUTES',
    group: GROUP,
    about:
      'Whether workflows have the search attributes `DocentProject` and `DocentStatus`. Set `off` if you cannot register them.',
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
