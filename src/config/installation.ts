import type { BucketPlace } from '../platform/bucket-place.ts';
import type { Secret } from '../platform/secret.ts';
import { absolutePath, bucketPlace, httpUrl, onOff, postgresUrl, text, wholeNumber } from './readers.ts';
import { define, optional } from './setting.ts';

/** Folders, databases and services. */
export const installationSettings = {
  databaseUrl: optional<Secret>({
    env: 'DATABASE_URL',
    about:
      'PostgreSQL 15 or newer. Required for `docent api` and `docent worker`. Without it, `docent start` uses its own.',
    shownDefault: 'the embedded PostgreSQL',
    read: postgresUrl,
    isSecret: true,
  }),
  migrate: define<'auto' | 'never'>({
    env: 'DOCENT_MIGRATE',
    about:
      "`auto`: processes upgrade the database's schema when they start. `never`: they refuse to start until you run `docent migrate`. See [upgrades](/operate/upgrades#run-migrations-yourself).",
    fallback: 'auto',
    read: text.regex(/^(auto|never)$/, 'must be auto or never').transform((value) => value as 'auto' | 'never'),
  }),
  home: optional<string>({
    env: 'DOCENT_HOME',
    about: 'The folder of `docent start`: database, Temporal state, demo repository. `--home` overrides it.',
    shownDefault: '`.docent` in a checkout, else `~/.docent`',
    read: absolutePath,
  }),
  cacheDir: optional<string>({
    env: 'DOCENT_CACHE_DIR',
    about: "A worker's folder for clones and derived data. You can delete it while no worker runs.",
    shownDefault: '`cache` in the home, else `~/.cache/docent`',
    read: absolutePath,
  }),
  analyticsDir: optional<string>({
    env: 'DOCENT_ANALYTICS_DIR',
    about:
      'The folder for page views, on a local disk. Back it up with the database. All API processes, ' +
      'workers and `docent analytics` commands of a machine need the same folder. Several machines share ' +
      'a bucket: `DOCENT_ANALYTICS_STORAGE`.',
    shownDefault: '`analytics` in the home, else `~/.docent/analytics`',
    read: absolutePath,
  }),
  analyticsStorage: optional<BucketPlace>({
    env: 'DOCENT_ANALYTICS_STORAGE',
    about:
      "A prefix in an S3-compatible bucket for page views: `s3://bucket/prefix`. `DOCENT_ANALYTICS_DIR` is then each machine's own folder. Credentials come from where the AWS SDK finds them. See [analytics storage](/operate/analytics-storage#a-bucket).",
    shownDefault: 'the folder alone',
    read: bucketPlace,
  }),
  analyticsAck: define<'local' | 'stored'>({
    env: 'DOCENT_ANALYTICS_ACK',
    about:
      'When events are acknowledged: `local`, once they are on the local disk, or `stored`, once they are in the bucket.',
    fallback: 'local',
    read: text.regex(/^(local|stored)$/, 'must be local or stored').transform((value) => value as 'local' | 'stored'),
  }),
  analyticsCacheGb: define({
    env: 'DOCENT_ANALYTICS_CACHE_GB',
    about: 'Gigabytes of copies from the bucket that a machine keeps.',
    fallback: 20,
    read: wholeNumber(1, 100_000),
  }),
  s3Endpoint: optional<string>({
    env: 'AWS_ENDPOINT_URL_S3',
    about: "The address of an S3-compatible store other than AWS. The bucket's name is then in the path.",
    shownDefault: 'AWS',
    read: httpUrl,
  }),
  s3Region: optional<string>({
    env: 'AWS_REGION',
    about: "The region of the bucket and of Amazon Bedrock's models.",
    shownDefault: "the profile's; `us-east-1` with `AWS_ENDPOINT_URL_S3`",
    read: text.regex(/^[a-z0-9-]{1,40}$/i, 'must be the name of a region'),
  }),
  analyticsRetentionDays: optional<number>({
    env: 'DOCENT_ANALYTICS_RETENTION_DAYS',
    about: 'Days that page views are kept.',
    shownDefault: 'forever',
    read: wholeNumber(1, 36_500),
  }),
  temporalUiUrl: optional<string>({
    env: 'DOCENT_TEMPORAL_UI_URL',
    about: "The address of Temporal's Web UI. The dashboard links jobs to it for operators.",
    shownDefault: 'none; the embedded one with `docent start`',
    read: httpUrl,
  }),
  searchAttributes: define({
    env: 'DOCENT_SEARCH_ATTRIBUTES',
    about:
      'Whether workflows have the search attributes `DocentProject` and `DocentStatus`. Set `off` if you cannot register them.',
    fallback: true,
    read: onOff,
  }),
  logLevel: define({
    env: 'DOCENT_LOG_LEVEL',
    about: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    fallback: 'info',
    read: text.regex(
      /^(trace|debug|info|warn|error|fatal|silent)$/,
      'must be trace, debug, info, warn, error, fatal or silent',
    ),
  }),
};
