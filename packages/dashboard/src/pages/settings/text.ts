import { text } from '../../text.ts';

interface FieldWords {
  title: string;
  hint: string;
  /** What values are called; those without a name are shown as they are. */
  options?: Record<string, string>;
}

const { classes } = text.analytics;

/** What the form calls the settings of a project, by the names that the API gives them, in the order of the page. */
export const SECTIONS: readonly { title: string; fields: Readonly<Record<string, FieldWords>> }[] = [
  {
    title: 'Site and instructions',
    fields: {
      site: {
        title: 'Configuration of the site',
        hint: 'Its path in the repository, or its folder. Only needed where Docent finds no site, or the wrong one. `plain`: there is none, and people read the files on their code host.',
      },
      instructionFiles: {
        title: 'Instructions for agents',
        hint: 'Paths in the repository. They replace the files that Docent finds by their names, such as `AGENTS.md`.',
      },
      styleGuides: {
        title: 'Style guides',
        hint: 'Paths in the repository. They replace the files that Docent finds by their names.',
      },
    },
  },
  {
    title: 'Branches and pull requests',
    fields: {
      branchPrefix: { title: 'Prefix of branches', hint: 'A job pushes to the branch `prefix/job id`.' },
      draft: { title: 'Open pull requests as drafts', hint: 'Somebody has to mark them as ready for review.' },
      labels: { title: 'Labels', hint: 'New pull requests get those that the repository has.' },
      reviewers: { title: 'Reviewers', hint: 'Account names. They are asked to review new pull requests.' },
      allowPush: {
        title: 'Allow pushes without a pull request',
        hint: 'A job may commit to the base branch if it was created to do so.',
      },
      allowedSecrets: {
        title: 'Allowed secrets',
        hint: 'Ids of texts that look like secrets and may be published, such as example keys. The message of a job that found one names its id.',
      },
    },
  },
  {
    title: 'Jobs and budgets',
    fields: {
      concurrentJobs: { title: 'Jobs at once', hint: 'More jobs wait. A lower number ends no running job.' },
      archiveAfterDays: { title: 'Days until a job is archived', hint: 'Counted from its last message.' },
      budgetJobTokens: {
        title: 'Budget of a job, in tokens',
        hint: 'Read and written. The job stops before its next step and keeps what it changed.',
      },
      budgetJobUsd: { title: 'Budget of a job, in US dollars', hint: 'As above.' },
      budgetDayTokens: { title: 'Budget of a day, in tokens', hint: 'Of all jobs of the project. Days are UTC’s.' },
      budgetDayUsd: { title: 'Budget of a day, in US dollars', hint: 'As above.' },
    },
  },
  {
    title: 'Analytics',
    fields: {
      analyticsOrigins: {
        title: 'Sites that may send views',
        hint: 'For the page script: `docs.example.com`, `http://localhost:3000`, or `*.example.com` for all subdomains. Localhost and previews only count where you name them.',
      },
      analyticsRetentionDays: {
        title: 'Days that page views are kept',
        hint: '0 is for ever. Older days are deleted within minutes, and a higher number does not bring them back.',
      },
      analyticsSaltPolicy: {
        title: 'A visitor keeps one id',
        hint: 'A change holds from the day after tomorrow on; ids that were given stay. Seven days after a month or day ends, late views of it are refused.',
        options: { fixed: 'For ever', monthly: 'Within a month', daily: 'Within a day (UTC)' },
      },
      analyticsHumanClasses: {
        title: 'Visitors that count as people',
        hint: 'A change recounts everything, within minutes.',
        options: classes,
      },
      analyticsAiClasses: {
        title: 'Visitors that count as AI',
        hint: 'No class can count as both.',
        options: classes,
      },
    },
  },
];
