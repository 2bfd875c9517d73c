import { VISITOR_CLASSES } from '@docent/access-log/event-kind';
import { z } from 'zod';
import { installationSettings } from './installation.ts';
import { modelSettings } from './models.ts';
import { ofProject, type ProjectSetting } from './project-setting.ts';
import { processSettings } from './processes.ts';
import { onOff, setOf, several, text, wholeNumber } from './readers.ts';
import { turnSettings } from './turns.ts';

/** How long a visitor keeps one id: forever, within a month, within a day (UTC). */
export const SALT_POLICIES = ['fixed', 'monthly', 'daily'] as const;
export type SaltPolicy = (typeof SALT_POLICIES)[number];

/** How a code host merges a pull request. */
const MERGE_METHODS = ['merge', 'squash', 'rebase'] as const;

/**
 * A host with an optional scheme and port, or `*.` and a domain: `docs.example.com`, `http://localhost:3000`,
 * `*.example.com`.
 */
export const ORIGIN_RULE = /^(?:(https?):\/\/)?(\*\.)?([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::([0-9]{1,5}))?$/;

/** A URL with a path, in ASCII: names that only look like another one are invalid. */
const PAGE_RULE =
  /^https?:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?\/[A-Za-z0-9._~!$&'()*+;=:@/-]*$/;

const classes = setOf(
  z.enum(VISITOR_CLASSES, `must be classes of ${VISITOR_CLASSES.join(', ')}, with commas between`),
  VISITOR_CLASSES.length,
);

/** Paths of files in the repository. */
const filePaths = setOf(
  text
    .min(1)
    .max(300, 'must be paths of at most 300 characters')
    .regex(
      // oxlint-disable-next-line no-control-regex -- refusing them is the purpose
      /^[^,/\\\s\u0000-\u001f](?:[^,\\\u0000-\u001f]*[^,/\\\s\u0000-\u001f])?$/,
      'must be paths of files from the top of the repository, such as docs/style-guide.md',
    ),
  10,
);

/**
 * The settings of a project, each declared once. They define the field in `projects.settings`, the fields of
 * the API (`npm run generate` writes them into openapi.yaml), the options and lines of `docent project`, and
 * the tables of the documentation. Code reads a setting from `project.settings`; absent means the default.
 */
export const PROJECT_SETTINGS = {
  site: ofProject({
    about:
      '[The site](/agent/site-generators), if Docent does not detect it or could detect several: the ' +
      'path of its configuration in the repository, or of the folder with it; `plain` for files that ' +
      'people read on their code host.',
    example: 'website/docusaurus.config.js',
    read: text
      .min(1, 'must not be empty')
      .max(500, 'must have at most 500 characters')
      // oxlint-disable-next-line no-control-regex -- refusing them is the purpose
      .regex(/^[^\\\u0000-\u001f]+$/, 'must be a path with / between its parts'),
    fallback: undefined,
    shownDefault: 'what Docent finds',
    flag: '--site <path>',
    help: 'site configuration in the repository, or its folder (`plain`: no site, plain files)',
    shownAs: 'site',
  }),
  instructionFiles: ofProject({
    about:
      '[Files with instructions for agents](/agent/instructions), by path in the repository. They ' +
      'replace the files that Docent finds by name, such as `AGENTS.md`. Empty: none.',
    details: 'A file that is not on the base branch is rejected.',
    example: ['docs/AGENTS.md'],
    read: filePaths,
    fallback: undefined,
    shownDefault: 'what Docent finds',
    flag: '--instruction-file <path>',
    help: 'instruction file for agents, instead of the detected ones; can be repeated',
    empty: 'none',
    shownAs: 'instruction files',
    words: (paths) => paths.join(', ') || 'none',
  }),
  styleGuides: ofProject({
    about:
      '[Style guides and term lists](/agent/instructions#style-guides), by path in the repository. They ' +
      'replace the files that Docent finds by name. Empty: none.',
    details: 'A file that is not on the base branch is rejected.',
    example: ['docs/style-guide.md'],
    read: filePaths,
    fallback: undefined,
    shownDefault: 'what Docent finds',
    flag: '--style-guide <path>',
    help: 'style guide file, instead of the detected ones; can be repeated',
    empty: 'none',
    shownAs: 'style guides',
    words: (paths) => paths.join(', ') || 'none',
  }),
  branchPrefix: ofProject({
    about:
      'The prefix of branch names: `<branchPrefix>/<job id>`. Docent pushes to no other branches, except ' +
      'new branches that you name for a job, and with `allowPush`.',
    read: turnSettings.branchPrefix.read,
    fallback: undefined,
    installation: turnSettings.branchPrefix,
    flag: '--branch-prefix <prefix>',
    help: 'prefix of branch names: <prefix>/<job id>',
    shownAs: 'branch prefix',
    words: (prefix) => `${prefix}/…`,
  }),
  archiveAfterDays: ofProject({
    about: 'Days without a message until a finished job is archived.',
    read: turnSettings.archiveAfterDays.read,
    fallback: undefined,
    installation: turnSettings.archiveAfterDays,
    flag: '--archive-after-days <days>',
    help: 'days without a message until a job is archived',
    shownAs: 'archived after',
    words: (days) => `${days} days`,
  }),
  concurrentJobs: ofProject({
    about: 'Concurrent jobs of the project. Further jobs are [queued](/concepts/queue-and-limits#the-queue).',
    details: 'A lower number does not stop running jobs.',
    read: processSettings.projectConcurrentJobs.read,
    fallback: undefined,
    installation: processSettings.projectConcurrentJobs,
    flag: '--concurrent-jobs <number>',
    help: 'concurrent jobs; further jobs are queued',
    shownAs: 'concurrent jobs',
    words: (number) => `${number} ${number === 1 ? 'job' : 'jobs'}`,
  }),
  budgetJobTokens: ofProject({
    about: 'Input and output tokens that one job can [spend on its model](/agent/costs#set-a-budget).',
    details: 'At the limit, the job stops before its next step and keeps its changes.',
    read: modelSettings.budgetJobTokens.read,
    fallback: undefined,
    installation: modelSettings.budgetJobTokens,
    flag: '--budget-job-tokens <tokens>',
    help: 'tokens that one job may use',
    shownAs: 'budgets',
    words: (tokens) => `job: ${tokens.toLocaleString('en')} tokens`,
  }),
  budgetJobUsd: ofProject({
    about: 'US dollars per job.',
    read: modelSettings.budgetJobUsd.read,
    fallback: undefined,
    installation: modelSettings.budgetJobUsd,
    flag: '--budget-job-usd <dollars>',
    help: 'US dollars that one job may cost',
    shownAs: 'budgets',
    words: (dollars) => `job: $${dollars}`,
  }),
  budgetDayTokens: ofProject({
    about: 'Tokens per day (UTC), for all jobs of the project.',
    read: modelSettings.budgetDayTokens.read,
    fallback: undefined,
    installation: modelSettings.budgetDayTokens,
    flag: '--budget-day-tokens <tokens>',
    help: 'tokens that all its jobs may use per day (UTC)',
    shownAs: 'budgets',
    words: (tokens) => `day: ${tokens.toLocaleString('en')} tokens`,
  }),
  budgetDayUsd: ofProject({
    about: 'US dollars per day (UTC), for all jobs of the project.',
    read: modelSettings.budgetDayUsd.read,
    fallback: undefined,
    installation: modelSettings.budgetDayUsd,
    flag: '--budget-day-usd <dollars>',
    help: 'US dollars that all its jobs may cost per day (UTC)',
    shownAs: 'budgets',
    words: (dollars) => `day: $${dollars}`,
  }),
  analyticsOrigins: ofProject({
    about:
      'The sites whose [page script](/analytics/page-script#whose-pages-are-counted) can send views: ' +
      'hosts with an optional scheme and port, or `*.` and a domain for all its subdomains.',
    details: 'Localhost and previews count only if you list them exactly.',
    example: ['docs.example.com', '*.example.org'],
    read: several(
      text
        .max(270)
        .regex(ORIGIN_RULE, 'must be a site such as docs.example.com, *.example.com or http://localhost:3000'),
      100,
    ),
    fallback: undefined,
    shownDefault: 'every public site',
    flag: '--origin <site>',
    help: 'site whose page script may send views; can be repeated',
    reset: 'any',
    shownAs: 'page script sites',
  }),
  draft: ofProject({
    about: 'Whether to open pull requests as [drafts](/guides/code-hosts#pull-requests-on-your-code-host).',
    read: onOff,
    fallback: false,
    flag: '--draft',
    help: 'open pull requests as drafts',
    helpNo: 'open them ready for review',
    shownAs: 'draft',
  }),
  allowPush: ofProject({
    about:
      'Whether jobs can [push to the base branch](/guides/preview-ask-push#push), with `mode: push`. If ' +
      'off, such jobs are rejected.',
    read: onOff,
    fallback: false,
    flag: '--allow-push',
    help: 'allow jobs to push to the base branch (docent job run --mode push)',
    helpNo: 'only allow pull requests',
    shownAs: 'allow push',
  }),
  labels: ofProject({
    about: 'Labels for new pull requests, if the repository has them.',
    example: ['docs'],
    read: setOf(
      text
        .min(1)
        .max(100, 'must be labels of at most 100 characters')
        // oxlint-disable-next-line no-control-regex -- refusing them is the purpose
        .regex(/^[^,\u0000-\u001f]+$/, 'must be labels without commas and control characters'),
      20,
    ),
    fallback: [],
    flag: '--label <label>',
    help: 'label of new pull requests; can be repeated',
    reset: 'none',
    shownAs: 'labels',
  }),
  reviewers: ofProject({
    about: 'Account names of reviewers to request for new pull requests.',
    example: ['octocat'],
    read: setOf(
      text
        .min(1)
        .max(100, 'must be names of at most 100 characters')
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be names of accounts'),
      20,
    ),
    fallback: [],
    flag: '--reviewer <name>',
    help: 'account to request a review from; can be repeated',
    reset: 'none',
    shownAs: 'reviewers',
  }),
  commitSubject: ofProject({
    about:
      'A template for the first line of commits and for titles of pull requests, such as `docs: {title}`. ' +
      '`{title}` is replaced. A `title` that you give a job is used as it is.',
    example: 'docs: {title}',
    read: text
      .max(60, 'must have at most 60 characters')
      // oxlint-disable-next-line no-control-regex -- refusing them is the purpose
      .regex(/^[^\u0000-\u001f]*\{title\}[^\u0000-\u001f]*$/, 'must be one line with {title} in it'),
    fallback: '{title}',
    flag: '--commit-subject <template>',
    help: 'template of commit subjects and pull request titles; must contain {title}',
    shownAs: 'commit subject',
  }),
  signOff: ofProject({
    about:
      'Whether commits end with `Signed-off-by:` and the commit author (`DOCENT_COMMIT_AUTHOR`), as the ' +
      'Developer Certificate of Origin asks.',
    read: onOff,
    fallback: false,
    flag: '--sign-off',
    help: 'add Signed-off-by to commits',
    helpNo: 'do not add Signed-off-by to commits',
    shownAs: 'sign-off',
  }),
  verifiedCommits: ofProject({
    about:
      'Whether Docent commits over the API of GitHub, as its GitHub App. GitHub then shows the commits as verified. ' +
      'The host must be connected with an App.',
    read: onOff,
    fallback: false,
    flag: '--verified-commits',
    help: 'commit as the GitHub App, verified by GitHub',
    helpNo: 'push commits of the commit author',
    shownAs: 'verified commits',
  }),
  mergeMethod: ofProject({
    about:
      'How Docent merges pull requests on a code host: `merge` (a merge commit), `squash` or `rebase`. ' +
      'Local repositories ignore it.',
    read: z.enum(MERGE_METHODS, `must be one of ${MERGE_METHODS.join(', ')}`),
    fallback: undefined,
    shownDefault: 'the first of these that the repository allows',
    flag: '--merge-method <method>',
    help: `how pull requests are merged (choices: ${MERGE_METHODS.join(', ')})`,
    shownAs: 'merge method',
  }),
  allowedSecrets: ofProject({
    about:
      'Texts that [look like secrets](/concepts/pull-requests#secrets) but can be published, such as ' +
      'example keys, by ID. The message of a blocked job contains the ID. An ID is the first 16 ' +
      "hexadecimal digits of the value's SHA-256.",
    example: ['9f86d081884c7d65'],
    read: setOf(
      text
        .max(16, 'must be ids of 16 hexadecimal digits')
        .regex(/^[0-9a-f]{16}$/, 'must be ids of 16 hexadecimal digits'),
      100,
    ),
    fallback: [],
    flag: '--allow-secret <id>',
    help: 'ID of a value that looks like a secret but may be published; can be repeated',
    reset: 'none',
    shownAs: 'allowed secrets',
  }),
  webPages: ofProject({
    about:
      '[Web pages](/guides/sources#web-pages) that jobs can read, besides the repository: URLs whose path may ' +
      'contain `*` for any text.',
    details: 'Pages on private addresses also need `DOCENT_PRIVATE_HOSTS`.',
    example: ['https://docs.example.com/*'],
    read: setOf(text.max(300).regex(PAGE_RULE, 'must be URLs with a path, such as https://docs.example.com/*'), 20),
    fallback: [],
    flag: '--web-page <url>',
    help: 'web pages that jobs can read, such as https://docs.example.com/*; can be repeated',
    reset: 'none',
    shownAs: 'web pages',
  }),
  mentionName: ofProject({
    about: 'The name by which people [call Docent in pull requests](/guides/talk-in-pull-requests), without the `@`.',
    example: 'docent',
    read: text
      .max(40, 'must have at most 40 characters')
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'must be a name of letters, digits, - and _'),
    fallback: 'docent',
    flag: '--mention-name <name>',
    help: 'name by which people call Docent in pull requests, without the @',
    shownAs: 'mention name',
    words: (name) => `@${name}`,
  }),
  allowedAccounts: ofProject({
    about:
      "Accounts, by the code host's own ID, that can send messages in pull requests without write access to " +
      'the repository, such as bots.',
    example: ['49699333'],
    read: setOf(text.max(20, 'must be ids of accounts').regex(/^[1-9][0-9]*$/, 'must be ids of accounts: numbers'), 50),
    fallback: [],
    flag: '--allow-account <id>',
    help: 'ID of an account on the code host that may send messages without write access; can be repeated',
    reset: 'none',
    shownAs: 'allowed accounts',
  }),
  failedCheckFollowUps: ofProject({
    about:
      'How often Docent tries to [fix failed checks](/guides/talk-in-pull-requests#failed-checks) of a pull request. ' +
      '0 turns it off.',
    read: wholeNumber(0, 10),
    fallback: 2,
    flag: '--failed-check-follow-ups <number>',
    help: 'how often failed checks of a pull request are followed up; 0: never',
    shownAs: 'failed checks',
    words: (number) => (number === 0 ? 'not followed up' : `followed up ${number === 1 ? 'once' : `${number} times`}`),
  }),
  analyticsRetentionDays: ofProject({
    about: 'Days to [keep page views](/analytics/overview#keep-and-delete). 0 means forever.',
    details: 'Older days are deleted within minutes. Raising the number does not restore them.',
    read: wholeNumber(0, 36_500),
    fallback: undefined,
    installation: installationSettings.analyticsRetentionDays,
    flag: '--retention-days <days>',
    help: 'days to keep page views; 0: forever',
    shownAs: 'page views kept',
    words: (days) => (days === 0 ? 'forever' : `${days} days`),
  }),
  analyticsPathPrefix: ofProject({
    about:
      'The path below which readers find the docs, such as `/docs`, if the site configuration does not define it. The ' +
      '[readers before and after a merge](/concepts/pull-requests#readers-before-and-after-a-merge) are counted there.',
    example: '/docs',
    read: text.max(200).regex(/^(?:\/[A-Za-z0-9._-]+)+$/, 'must be a path such as /docs'),
    fallback: undefined,
    shownDefault: 'none',
    flag: '--path-prefix <path>',
    help: 'path below which readers find the docs, such as /docs',
    reset: 'none',
    shownAs: 'path of the docs',
  }),
  analyticsReport: ofProject({
    about: 'How often a [report about readers](/analytics/reports) is sent: every `week` or every `month`.',
    read: z.enum(['week', 'month'], 'must be week or month'),
    fallback: undefined,
    shownDefault: 'never',
    flag: '--report <period>',
    help: 'how often a report about readers is sent (choices: week, month)',
    reset: 'never',
    shownAs: 'report',
  }),
  analyticsAlerts: ofProject({
    about: 'Whether [days with unusually many or few readers](/analytics/reports#alerts) are reported.',
    read: onOff,
    fallback: false,
    flag: '--alerts',
    help: 'report days with unusually many or few readers',
    helpNo: 'do not report unusual days',
    shownAs: 'alerts',
  }),
  analyticsRecipients: ofProject({
    about: 'Email addresses that get reports and alerts. Webhooks get them too.',
    example: ['team@example.com'],
    read: setOf(
      text
        .max(254, 'must be email addresses')
        .regex(/^[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/, 'must be email addresses'),
      20,
    ),
    fallback: [],
    flag: '--report-to <address>',
    help: 'email address that gets reports and alerts; can be repeated',
    reset: 'none',
    shownAs: 'report recipients',
  }),
  timeZone: ofProject({
    about: 'The time zone of reports, as an IANA name such as `Europe/Berlin`.',
    example: 'Europe/Berlin',
    // Which names exist is checked where settings change: there are hundreds, and more with each year.
    read: text
      .max(64)
      .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'must be an IANA name, such as Europe/Berlin')
      .meta({ examples: ['Europe/Berlin', 'UTC'] }),
    fallback: 'UTC',
    flag: '--time-zone <name>',
    help: 'time zone of reports, such as Europe/Berlin',
    shownAs: 'time zone',
  }),
  /**
   * Stored as the schedule `analyticsSalts`: see changedSettings and settingsOf in
   * src/store/projects/project-settings.ts.
   */
  analyticsSaltPolicy: ofProject({
    about:
      'How long [a visitor keeps one ID](/analytics/overview#what-unique-means): forever (`fixed`), ' +
      'within a calendar month (`monthly`) or within a day (UTC, `daily`).',
    details:
      'The last policy that you set. It applies to events from the day after tomorrow (`analyticsSalts` ' +
      'has the day), or immediately in a project without events. Existing IDs stay. Seven days after a ' +
      'period ends, its salt is destroyed and its events are rejected.',
    read: z.enum(SALT_POLICIES, `must be one of ${SALT_POLICIES.join(', ')}`),
    fallback: 'fixed',
    flag: '--salt-policy <policy>',
    help: `how long a visitor keeps one ID: forever, a month or a day (choices: ${SALT_POLICIES.join(', ')})`,
    shownAs: 'visitor IDs',
  }),
  analyticsHumanClasses: ofProject({
    about: 'The [classes](/analytics/agents) of visitors that count as human.',
    details:
      'The next maintenance recomputes the counts, within minutes. Until then, responses use the ' +
      'previous mapping and state it in `mapping`.',
    read: classes,
    fallback: ['human'],
    flag: '--human-classes <classes>',
    help: `visitor classes that count as human, of ${VISITOR_CLASSES.join(', ')}`,
    empty: 'none',
    shownAs: 'counted as human',
  }),
  analyticsAiClasses: ofProject({
    about: 'The classes that count as AI. A class cannot be both.',
    example: ['assistant', 'search'],
    read: classes,
    fallback: ['assistant'],
    flag: '--ai-classes <classes>',
    help: 'visitor classes that count as AI',
    empty: 'none',
    shownAs: 'counted as AI',
  }),
};

type Declared = typeof PROJECT_SETTINGS;

export type ProjectSettingValues = {
  [Name in keyof Declared]: Declared[Name] extends ProjectSetting<infer T, infer _Fallback> ? T : never;
};

/** For code that handles all settings alike. */
export const DECLARED: readonly [name: string, setting: ProjectSetting<unknown>][] =
  Object.entries<ProjectSetting<unknown>>(PROJECT_SETTINGS);
