import type { Secret } from '../platform/secret.ts';
import { secret, secretKeys, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Access';

/** Who may do what, and how often. */
export const accessSettings = {
  operatorToken: define<Secret | undefined>({
    env: 'DOCENT_OPERATOR_TOKEN',
    group: GROUP,
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
    group: GROUP,
    about:
      'Encrypts the credentials of code hosts: 32 bytes in hex or base64, as `openssl rand -hex 32` prints them. Every API process and worker needs the same key. Further keys after commas only decrypt: to change the key, put the new one in front. Or DOCENT_SECRET_KEY_FILE, the path of a file that holds it.',
    shownDefault: '`docent start` makes one: `secret-key` in the home',
    fallback: [],
    read: secretKeys,
    isSecret: true,
  }),
  keyPrefix: define({
    env: 'DOCENT_KEY_PREFIX',
    group: GROUP,
    about: 'What new API keys begin with, before the underscore. Secret scanners recognise keys by it.',
    fallback: 'docent',
    read: text.regex(/^[a-z][a-z0-9]{1,31}$/, 'must be 2 to 32 lower-case letters and digits, beginning with a letter'),
  }),
  jobsPerHour: define({
    env: 'DOCENT_JOBS_PER_HOUR',
    group: GROUP,
    about: 'New jobs that a project accepts in an hour.',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  messagesPerHour: define({
    env: 'DOCENT_MESSAGES_PER_HOUR',
    group: GROUP,
    about: 'Follow-up messages that a project accepts in an hour.',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  attachmentsPerHour: define({
    env: 'DOCENT_ATTACHMENTS_PER_HOUR',
    group: GROUP,
    about: 'Files for jobs that a project may upload in an hour. What was removed again does not count.',
    fallback: 100,
    read: wholeNumber(1, 1_000_000),
  }),
  attachmentMegabytes: define({
    env: 'DOCENT_ATTACHMENT_MB',
    group: GROUP,
    about:
      'Megabytes of files for jobs that a project may have in all. They rest in the database; each goes with the jobs that use it.',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  failedSignInsPerMinute: define({
    env: 'DOCENT_FAILED_SIGN_INS_PER_MINUTE',
    group: GROUP,
    about:
      'Wrong keys and operator tokens that one address (of IPv6, one /64 network) may send in a minute before it is answered 429. A right one is always let in. Each process counts for itself.',
    fallback: 20,
    read: wholeNumber(1, 1_000_000),
  }),
  sessionDays: define({
    env: 'DOCENT_SESSION_DAYS',
    group: GROUP,
    about: 'Days after which a browser that signed in has to sign in again, however much it was used.',
    fallback: 30,
    read: wholeNumber(1, 365),
  }),
  sessionIdleDays: define({
    env: 'DOCENT_SESSION_IDLE_DAYS',
    group: GROUP,
    about: 'Days without a request after which a browser that signed in has to sign in again.',
    fallback: 7,
    read: wholeNumber(1, 365),
  }),
  tokensPerMinute: define({
    env: 'DOCENT_TOKENS_PER_MINUTE',
    group: GROUP,
    about:
      'Tokens for browsers (`POST /v1/tokens`) that may be made from one API key in a minute. Each process counts for itself.',
    fallback: 600,
    read: wholeNumber(1, 1_000_000),
  }),
  viewsPerMinute: define({
    env: 'DOCENT_VIEWS_PER_MINUTE',
    group: GROUP,
    about:
      'Page views that one address (of IPv6, one /64 network) may send from the page script in a minute. Each process counts for itself.',
    fallback: 120,
    read: wholeNumber(1, 1_000_000),
  }),
  feedbackPerMinute: define({
    env: 'DOCENT_FEEDBACK_PER_MINUTE',
    group: GROUP,
    about: 'Feedback of readers that a project takes from the page script in a minute. Each process counts for itself.',
    fallback: 60,
    read: wholeNumber(1, 1_000_000),
  }),
  searchesPerMinute: define({
    env: 'DOCENT_SEARCHES_PER_MINUTE',
    group: GROUP,
    about: 'Searches of readers that a project takes from the page script in a minute. Each process counts for itself.',
    fallback: 600,
    read: wholeNumber(1, 1_000_000),
  }),
  newPathsPerHour: define({
    env: 'DOCENT_NEW_PATHS_PER_HOUR',
    group: GROUP,
    about:
      'Pages never counted before that a project takes from the page script in an hour; as many broken links beside them. Each process counts for itself.',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  auditDays: define({
    env: 'DOCENT_AUDIT_DAYS',
    group: GROUP,
    about: 'Days that the audit log is kept: who changed what, and when. Workers delete what is older.',
    fallback: 365,
    read: wholeNumber(1, 3_650),
  }),
};
