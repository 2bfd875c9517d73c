import type { Secret } from '../platform/secret.ts';
import { secret, secretKeys, text, wholeNumber } from './readers.ts';
import { define, optional } from './setting.ts';

/** Access rules and rate limits. */
export const accessSettings = {
  operatorToken: optional<Secret>({
    env: 'DOCENT_OPERATOR_TOKEN',
    about: 'Opens every route. At least 32 characters. Or DOCENT_OPERATOR_TOKEN_FILE, the path of a file with it.',
    shownDefault: '`docent start` makes one: `operator-token` in the home',
    read: text
      .regex(/^[\x21-\x7e]{32,512}$/, 'must have 32 to 512 characters, all printable ASCII and no spaces')
      .pipe(secret),
    isSecret: true,
  }),
  secretKeys: define<readonly Secret[]>({
    env: 'DOCENT_SECRET_KEY',
    about:
      'Encrypts stored credentials: 32 bytes in hex or base64, as `openssl rand -hex 32` prints. API ' +
      'processes and workers need the same key. To change it, put the new key in front, separated by a ' +
      'comma. Or DOCENT_SECRET_KEY_FILE, the path of a file with it.',
    shownDefault: '`docent start` makes one: `secret-key` in the home',
    fallback: [],
    read: secretKeys,
    isSecret: true,
  }),
  keyPrefix: define({
    env: 'DOCENT_KEY_PREFIX',
    about: 'What new API keys start with, so that secret scanners recognize them.',
    fallback: 'docent',
    read: text.regex(/^[a-z][a-z0-9]{1,31}$/, 'must be 2 to 32 lower-case letters and digits, beginning with a letter'),
  }),
  jobsPerHour: define({
    env: 'DOCENT_JOBS_PER_HOUR',
    about: 'New jobs per project and hour.',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  messagesPerHour: define({
    env: 'DOCENT_MESSAGES_PER_HOUR',
    about: 'Follow-up messages per project and hour.',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  attachmentsPerHour: define({
    env: 'DOCENT_ATTACHMENTS_PER_HOUR',
    about: 'Uploads per project and hour. Deleted ones do not count.',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  attachmentMegabytes: define({
    env: 'DOCENT_ATTACHMENT_MB',
    about: 'Megabytes of attachments per project. They are stored in the database and deleted with their jobs.',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  failedSignInsPerMinute: define({
    env: 'DOCENT_FAILED_SIGN_INS_PER_MINUTE',
    about:
      'Wrong keys and operator tokens that one address (IPv6: one /64 network) may send per minute and process. Valid ones always work.',
    fallback: 20,
    read: wholeNumber(1, 1_000_000),
  }),
  sessionDays: define({
    env: 'DOCENT_SESSION_DAYS',
    about: 'Days until a browser has to sign in again.',
    fallback: 30,
    read: wholeNumber(1, 365),
  }),
  sessionIdleDays: define({
    env: 'DOCENT_SESSION_IDLE_DAYS',
    about: 'Days without a request until a browser has to sign in again.',
    fallback: 7,
    read: wholeNumber(1, 365),
  }),
  tokensPerMinute: define({
    env: 'DOCENT_TOKENS_PER_MINUTE',
    about: 'Browser tokens (`POST /v1/tokens`) per API key, minute and process.',
    fallback: 600,
    read: wholeNumber(1, 1_000_000),
  }),
  viewsPerMinute: define({
    env: 'DOCENT_VIEWS_PER_MINUTE',
    about: 'Page script views from one address (IPv6: one /64 network) per minute and process.',
    fallback: 120,
    read: wholeNumber(1, 1_000_000),
  }),
  feedbackPerMinute: define({
    env: 'DOCENT_FEEDBACK_PER_MINUTE',
    about: 'Feedback from the page script per project, minute and process.',
    fallback: 60,
    read: wholeNumber(1, 1_000_000),
  }),
  searchesPerMinute: define({
    env: 'DOCENT_SEARCHES_PER_MINUTE',
    about: 'Searches from the page script per project, minute and process.',
    fallback: 600,
    read: wholeNumber(1, 1_000_000),
  }),
  newPathsPerHour: define({
    env: 'DOCENT_NEW_PATHS_PER_HOUR',
    about: 'New pages from the page script per project, hour and process, and as many new broken links.',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  auditDays: define({
    env: 'DOCENT_AUDIT_DAYS',
    about: 'Days that the audit log is kept.',
    fallback: 365,
    read: wholeNumber(1, 3_650),
  }),
};
