import { z } from 'zod';
import { installationSettings } from './installation.ts';
import { modelSettings } from './models.ts';
import { ofProject, type ProjectSetting } from './project-setting.ts';
import { processSettings } from './processes.ts';
import { onOff, setOf, several, text, wholeNumber } from './readers.ts';
import { turnSettings } from './turns.ts';

/**
 * Who reads. `assistant` fetches a page because a person asked something just now, or works on a person's behalf; `search` builds an index
 * that answers are found in; `training` collects text to train models; `other` is any other machine: previews, monitors, feed readers,
 * libraries. What is neither human nor assistant is kept, but stands outside the totals unless a project says otherwise.
 */
export const VISITOR_CLASSES = ['human', 'assistant', 'search', 'training', 'other'] as const;
export type VisitorClass = (typeof VISITOR_CLASSES)[number];

/** How long a visitor keeps one id: for ever, within a month, within a day (UTC). */
export const SALT_POLICIES = ['fixed', 'monthly', 'daily'] as const;
export type SaltPolicy = (typeof SALT_POLICIES)[number];

/** A host with or without a scheme and port, or `*.` and a domain: `docs.example.com`, `http://localhost:3000`, `*.example.com`. */
export const ORIGIN_RULE = /^(?:(https?):\/\/)?(\*\.)?([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::([0-9]{1,5}))?$/;

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
 * The settings of a project, each declared once. From here come the field in `projects.settings`, the fields of the API
 * (`npm run generate` writes them into openapi.yaml), the options and lines of `docent project`, and the tables of the
 * documentation. A setting that the code is to obey is read from `project.settings` there; absent is the default.
 */
export const PROJECT_SETTINGS = {
  site: ofProject({
    about:
      '[What makes a site of the docs](/agent/site-generators), where Docent would not find it by itself or several could be meant: the path of its configuration in the repository, or the folder that has it; `plain` for files that people read on their code host.',
    example: 'website/docusaurus.config.js',
    read: text
      .min(1, 'must not be empty')
      .max(500, 'must have at most 500 characters')
      // oxlint-disable-next-line no-control-regex -- refusing them is the purpose
      .regex(/^[^\\\u0000-\u001f]+$/, 'must be a path with / between its parts'),
    fallback: undefined,
    shownDefault: 'what Docent finds',
    flag: '--site <path>',
    help: 'configuration of the site in the repository, or its folder (`plain`: files are read as they are)',
    shownAs: 'site',
  }),
  instructionFiles: ofProject({
    about:
      '[Files that ask something of agents](/agent/instructions), by their paths in the repository, in place of those that Docent finds by their names, such as `AGENTS.md`. Empty: none.',
    details: 'A file that is not on the base branch is refused.',
    example: ['docs/AGENTS.md'],
    read: filePaths,
    fallback: undefined,
    shownDefault: 'what Docent finds',
    flag: '--instruction-file <path>',
    help: 'file that asks something of agents, in place of those found by their names; may be repeated',
    empty: 'none',
    shownAs: 'instruction files',
    words: (paths) => paths.join(', ') || 'none',
  }),
  styleGuides: ofProject({
    about:
      '[Files that say how the team writes](/agent/instructions#style-guides): style guide, terms, by their paths in the repository, in place of those that Docent finds by their names. Empty: none.',
    details: 'A file that is not on the base branch is refused.',
    example: ['docs/style-guide.md'],
    read: filePaths,
    fallback: undefined,
    shownDefault: 'what Docent finds',
    flag: '--style-guide <path>',
    help: 'file that says how the team writes, in place of those found by their names; may be repeated',
    empty: 'none',
    shownAs: 'style guides',
    words: (paths) => paths.join(', ') || 'none',
  }),
  branchPrefix: ofProject({
    about:
      'First part of the names of branches: `<branchPrefix>/<job id>`. Nothing else is ever pushed, but for new branches that jobs are created with, and `allowPush`.',
    read: turnSettings.branchPrefix.read,
    fallback: undefined,
    installation: turnSettings.branchPrefix,
    flag: '--branch-prefix <prefix>',
    help: 'branches are <prefix>/<job id>',
    shownAs: 'branches',
    words: (prefix) => `${prefix}/…`,
  }),
  archiveAfterDays: ofProject({
    about: 'Days without a message after which a finished job is archived.',
    read: turnSettings.archiveAfterDays.read,
    fallback: undefined,
    installation: turnSettings.archiveAfterDays,
    flag: '--archive-after-days <days>',
    help: 'days without a message before a job is archived',
    shownAs: 'archived after',
    words: (days) => `${days} days`,
  }),
  concurrentJobs: ofProject({
    about:
      'Jobs of the project that are worked on at once. What comes above that [waits](/concepts/queue-and-limits#the-queue).',
    details: 'A lower number ends nothing that runs.',
    read: processSettings.projectConcurrentJobs.read,
    fallback: undefined,
    installation: processSettings.projectConcurrentJobs,
    flag: '--concurrent-jobs <number>',
    help: 'jobs that are worked on at once; others wait',
    shownAs: 'at once',
    words: (number) => `${number} ${number === 1 ? 'job' : 'jobs'}`,
  }),
  budgetJobTokens: ofProject({
    about: 'Tokens, read and written, that one job may [spend on its model](/agent/costs#set-a-budget).',
    details: 'It stops before the next step and keeps what it changed.',
    read: modelSettings.budgetJobTokens.read,
    fallback: undefined,
    installation: modelSettings.budgetJobTokens,
    flag: '--budget-job-tokens <tokens>',
    help: 'tokens that one job may take',
    shownAs: 'budgets',
    words: (tokens) => `job: ${tokens.toLocaleString('en')} tokens`,
  }),
  budgetJobUsd: ofProject({
    about: 'US dollars that one job may cost.',
    read: modelSettings.budgetJobUsd.read,
    fallback: undefined,
    installation: modelSettings.budgetJobUsd,
    flag: '--budget-job-usd <dollars>',
    help: 'US dollars that one job may cost',
    shownAs: 'budgets',
    words: (dollars) => `job: $${dollars}`,
  }),
  budgetDayTokens: ofProject({
    about: 'Tokens that all jobs of the project may take in a day (UTC).',
    read: modelSettings.budgetDayTokens.read,
    fallback: undefined,
    installation: modelSettings.budgetDayTokens,
    flag: '--budget-day-tokens <tokens>',
    help: 'tokens that all its jobs may take in a day (UTC)',
    shownAs: 'budgets',
    words: (tokens) => `day: ${tokens.toLocaleString('en')} tokens`,
  }),
  budgetDayUsd: ofProject({
    about: 'US dollars that all jobs of the project may cost in a day (UTC).',
    read: modelSettings.budgetDayUsd.read,
    fallback: undefined,
    installation: modelSettings.budgetDayUsd,
    flag: '--budget-day-usd <dollars>',
    help: 'US dollars that all its jobs may cost in a day (UTC)',
    shownAs: 'budgets',
    words: (dollars) => `day: $${dollars}`,
  }),
  analyticsOrigins: ofProject({
    about:
      'The sites whose [page script](/analytics/page-script#whose-pages-are-counted) may send views: hosts with or without scheme and port, or `*.` and a domain for all its subdomains.',
    details: 'Localhost and previews only count where they are named exactly.',
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
    help: 'site whose page script may send views; may be repeated',
    reset: 'any',
    shownAs: 'views from',
  }),
  draft: ofProject({
    about: 'Whether pull requests open as [drafts](/guides/code-hosts#pull-requests-on-your-code-host).',
    read: onOff,
    fallback: false,
    flag: '--draft',
    help: 'open pull requests as drafts',
    helpNo: 'open them ready for review',
    shownAs: 'drafts',
  }),
  allowPush: ofProject({
    about:
      'Whether jobs may [push straight to the base branch](/guides/preview-ask-push#push), with `mode: push`. Where it is off, they are refused.',
    read: onOff,
    fallback: false,
    flag: '--allow-push',
    help: 'let jobs push straight to the base branch (docent job run --mode push)',
    helpNo: 'let them open pull requests only',
    shownAs: 'pushes to the base branch',
  }),
  labels: ofProject({
    about: 'Labels of new pull requests, where the repository has them.',
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
    help: 'label of new pull requests; may be repeated',
    reset: 'none',
    shownAs: 'labels',
  }),
  reviewers: ofProject({
    about: 'Account names of people who are asked to review new pull requests.',
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
    help: 'account that is asked to review; may be repeated',
    reset: 'none',
    shownAs: 'reviewers',
  }),
  allowedSecrets: ofProject({
    about:
      'What [looks like a secret](/concepts/pull-requests#secrets) and may be published all the same, such as a key of an example: ids, as the message of a job names them. An id is the first 16 hexadecimal digits of the SHA-256 of the value.',
    example: ['9f86d081884c7d65'],
    read: setOf(
      text
        .max(16, 'must be ids of 16 hexadecimal digits')
        .regex(/^[0-9a-f]{16}$/, 'must be ids of 16 hexadecimal digits'),
      100,
    ),
    fallback: [],
    flag: '--allow-secret <id>',
    help: 'id of what looks like a secret and may be published; may be repeated',
    reset: 'none',
    shownAs: 'allowed secrets',
  }),
  analyticsRetentionDays: ofProject({
    about: 'Days that [page views are kept](/analytics/overview#keep-and-delete). 0 is for ever.',
    details: 'Older days are deleted within minutes, and do not come back when the number is raised.',
    read: wholeNumber(0, 36_500),
    fallback: undefined,
    installation: installationSettings.analyticsRetentionDays,
    flag: '--retention-days <days>',
    help: 'days that page views are kept; 0: for ever',
    shownAs: 'views kept',
    words: (days) => (days === 0 ? 'forever' : `${days} days`),
  }),
  /** Stored as the schedule `analyticsSalts`: see changedSettings and settingsOf in src/store/project-settings.ts. */
  analyticsSaltPolicy: ofProject({
    about:
      'For how long [a visitor keeps one id](/analytics/overview#what-unique-means): for ever (`fixed`), within a calendar month (`monthly`) or within a day (UTC, `daily`).',
    details:
      'The last policy that was set. In force for events of the day after tomorrow and later (`analyticsSalts` says from which day); for a project without events at once. Ids that were given stay. Seven days after the end of a period its salt is destroyed, and events of it are refused.',
    read: z.enum(SALT_POLICIES, `must be one of ${SALT_POLICIES.join(', ')}`),
    fallback: 'fixed',
    flag: '--salt-policy <policy>',
    help: `for how long a visitor keeps one id: for ever, a month, a day (choices: ${SALT_POLICIES.join(', ')})`,
    shownAs: 'visitors keep an id',
  }),
  analyticsHumanClasses: ofProject({
    about: 'The [classes](/analytics/agents) of visitors that count as human.',
    details:
      'The counts are recomputed by the next maintenance, within minutes; until then every answer is that of the mapping before, and says so in `mapping`.',
    read: classes,
    fallback: ['human'],
    flag: '--human-classes <classes>',
    help: `what counts as human, of ${VISITOR_CLASSES.join(', ')}`,
    empty: 'none',
    shownAs: 'human',
  }),
  analyticsAiClasses: ofProject({
    about: 'The classes that count as AI. No class can be both.',
    example: ['assistant', 'search'],
    read: classes,
    fallback: ['assistant'],
    flag: '--ai-classes <classes>',
    help: 'what counts as AI, of the same',
    empty: 'none',
    shownAs: 'AI',
  }),
};

type Declared = typeof PROJECT_SETTINGS;

/** The type of each setting's value. */
export type ProjectSettingValues = {
  [Name in keyof Declared]: Declared[Name] extends ProjectSetting<infer T, infer _Fallback> ? T : never;
};

/** For what is done with every setting alike. */
export const DECLARED: readonly [name: string, setting: ProjectSetting<unknown>][] =
  Object.entries<ProjectSetting<unknown>>(PROJECT_SETTINGS);
