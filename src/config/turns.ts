import type { Secret } from '../platform/secret.ts';
import { author, signingKey, text, wholeNumber } from './readers.ts';
import { define, optional } from './setting.ts';

const AUTHOR = 'Docent <docent@localhost>';

/** Limits of one turn of a job. */
export const turnSettings = {
  turnSteps: define({
    env: 'DOCENT_TURN_STEPS',
    about: 'Model calls in one turn.',
    fallback: 50,
    read: wholeNumber(1, 1_000),
  }),
  turnMinutes: define({
    env: 'DOCENT_TURN_MINUTES',
    about: 'Minutes of work in one turn, without waiting for a worker.',
    fallback: 30,
    read: wholeNumber(1, 1_440),
  }),
  messagesPerTurn: define({
    env: 'DOCENT_TURN_MESSAGES',
    about: 'Messages that one turn handles. Others wait for the next turn.',
    fallback: 20,
    read: wholeNumber(1, 1_000),
  }),
  checkRounds: define({
    env: 'DOCENT_CHECK_ROUNDS',
    about: 'How often the agent gets problems of the docs checks to fix. The pull request lists what remains.',
    fallback: 3,
    read: wholeNumber(0, 20),
  }),
  publishRounds: define({
    env: 'DOCENT_PUBLISH_ROUNDS',
    about: 'How often Docent retries a push after another commit arrived on the branch.',
    fallback: 5,
    read: wholeNumber(1, 50),
  }),
  maxFiles: define({
    env: 'DOCENT_MAX_FILES',
    about: 'Changed files per turn.',
    fallback: 100,
    read: wholeNumber(1, 10_000),
  }),
  maxFileBytes: define({
    env: 'DOCENT_MAX_FILE_BYTES',
    about: 'Maximum size of a changed file, in bytes.',
    fallback: 1_000_000,
    read: wholeNumber(1_000, 1_000_000),
  }),
  maxTotalBytes: define({
    env: 'DOCENT_MAX_TOTAL_BYTES',
    about: 'Maximum size of all changed files of a turn, in bytes.',
    fallback: 10_000_000,
    read: wholeNumber(1_000, 100_000_000),
  }),
  archiveAfterDays: define({
    env: 'DOCENT_ARCHIVE_AFTER_DAYS',
    about: 'Days without a message until a finished job is archived. A project can override it.',
    fallback: 30,
    read: wholeNumber(1, 3_650),
  }),
  restSeconds: define({
    env: 'DOCENT_REST_SECONDS',
    about: "Seconds without a message until a finished job's workflow ends. The next message starts it again.",
    fallback: 600,
    read: wholeNumber(1, 86_400),
  }),
  historyEvents: define({
    env: 'DOCENT_HISTORY_EVENTS',
    about: 'Events in the history of one workflow run. A longer run continues as a new one.',
    fallback: 1_000,
    read: wholeNumber(100, 10_000),
  }),
  branchPrefix: define({
    env: 'DOCENT_BRANCH_PREFIX',
    about: 'First part of branch names: `<prefix>/<job id>`. A project can override it.',
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
    about: 'The author of commits.',
    shownDefault: `\`${AUTHOR}\``,
    fallback: author.parse(AUTHOR),
    read: author,
  }),
  signingKey: optional<Secret>({
    env: 'DOCENT_SIGNING_KEY',
    about:
      'Signs commits: an Ed25519 key as `ssh-keygen -t ed25519 -N ""` writes it, or a key as ' +
      '`gpg --armor --export-secret-keys` writes it, without a passphrase. Or DOCENT_SIGNING_KEY_FILE, the path of the file. ' +
      'Add its public half to the account of the commit author on your code host. For workers only.',
    read: signingKey,
    isSecret: true,
  }),
};
