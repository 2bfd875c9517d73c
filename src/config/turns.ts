import { author, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'What one turn may do';
const AUTHOR = 'Docent <docent@localhost>';

/** What one turn of a job may do. */
export const turnSettings = {
  turnSteps: define({
    env: 'DOCENT_TURN_STEPS',
    group: GROUP,
    about: 'Calls of the model in one turn.',
    fallback: 50,
    read: wholeNumber(1, 1_000),
  }),
  turnMinutes: define({
    env: 'DOCENT_TURN_MINUTES',
    group: GROUP,
    about: 'Minutes of work in one turn; waiting for a worker does not count.',
    fallback: 30,
    read: wholeNumber(1, 1_440),
  }),
  messagesPerTurn: define({
    env: 'DOCENT_TURN_MESSAGES',
    group: GROUP,
    about: 'Messages that one turn takes; the others wait for the next turn.',
    fallback: 20,
    read: wholeNumber(1, 1_000),
  }),
  checkRounds: define({
    env: 'DOCENT_CHECK_ROUNDS',
    group: GROUP,
    about:
      'How often problems that the docs checks find go back to the agent. What is left then is named in the pull request.',
    fallback: 3,
    read: wholeNumber(0, 20),
  }),
  publishRounds: define({
    env: 'DOCENT_PUBLISH_ROUNDS',
    group: GROUP,
    about: "How often a push that lost to somebody else's commit is tried again on the new tip.",
    fallback: 5,
    read: wholeNumber(1, 50),
  }),
  maxFiles: define({
    env: 'DOCENT_MAX_FILES',
    group: GROUP,
    about: 'Files that one turn may change.',
    fallback: 100,
    read: wholeNumber(1, 10_000),
  }),
  maxFileBytes: define({
    env: 'DOCENT_MAX_FILE_BYTES',
    group: GROUP,
    about: 'Size that a changed file may have, in bytes.',
    fallback: 1_000_000,
    read: wholeNumber(1_000, 1_000_000),
  }),
  maxTotalBytes: define({
    env: 'DOCENT_MAX_TOTAL_BYTES',
    group: GROUP,
    about: 'Size of all changed files of a turn together, in bytes.',
    fallback: 10_000_000,
    read: wholeNumber(1_000, 100_000_000),
  }),
  archiveAfterDays: define({
    env: 'DOCENT_ARCHIVE_AFTER_DAYS',
    group: GROUP,
    about: 'Days without a message after which a finished job is archived. A project may have its own.',
    fallback: 30,
    read: wholeNumber(1, 3_650),
  }),
  restSeconds: define({
    env: 'DOCENT_REST_SECONDS',
    group: GROUP,
    about: "Seconds without a message after which a finished job's workflow ends. The next message starts it again.",
    fallback: 600,
    read: wholeNumber(1, 86_400),
  }),
  historyEvents: define({
    env: 'DOCENT_HISTORY_EVENTS',
    group: GROUP,
    about: 'Events that the history of one run of a job may have: it continues as new before it has more.',
    fallback: 1_000,
    read: wholeNumber(100, 10_000),
  }),
  branchPrefix: define({
    env: 'DOCENT_BRANCH_PREFIX',
    group: GROUP,
    about:
      'First part of the names of branches: `<prefix>/<job id>`. Nothing else is ever pushed. A project may have its own.',
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
    group: GROUP,
    about: 'Author of commits.',
    shownDefault: `\`${AUTHOR}\``,
    fallback: author.parse(AUTHOR),
    read: author,
  }),
};
