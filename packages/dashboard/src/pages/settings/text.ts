import { text } from '../../text.ts';

interface FieldText {
  title: string;
  hint: string;
  /** Names of values. Values without a name are shown as they are. */
  options?: Record<string, string>;
}

const { classes } = text.analytics;

/** Titles and hints of the project settings, by their API names, in the order of the page. */
export const SECTIONS: readonly { title: string; fields: Readonly<Record<string, FieldText>> }[] = [
  {
    title: 'Site and instructions',
    fields: {
      site: {
        title: 'Site configuration',
        hint:
          'Path of the configuration file or its folder in the repository. Set it if Docent does not find ' +
          'the right one. `plain`: the repository has no site, and readers use the code host.',
      },
      instructionFiles: {
        title: 'Agent instructions',
        hint: 'Paths in the repository. They replace the files that Docent finds by name, such as `AGENTS.md`.',
      },
      styleGuides: {
        title: 'Style guides',
        hint: 'Paths in the repository. They replace the files that Docent finds by name.',
      },
    },
  },
  {
    title: 'Branches and pull requests',
    fields: {
      branchPrefix: { title: 'Branch prefix', hint: 'A job pushes to the branch `prefix/job-id`.' },
      draft: { title: 'Open pull requests as drafts', hint: 'You mark them as ready for review.' },
      labels: {
        title: 'Labels',
        hint: 'Added to new pull requests. Labels that the repository does not have are skipped.',
      },
      reviewers: { title: 'Reviewers', hint: 'Account names. Docent requests their review on new pull requests.' },
      allowPush: {
        title: 'Allow pushes without a pull request',
        hint: 'Lets jobs with the mode “Push to the base branch” commit without review.',
      },
      mentionName: {
        title: 'Mention name',
        hint: 'People write `@name` in a pull request to send Docent a message.',
      },
      allowedAccounts: {
        title: 'Allowed accounts',
        hint: 'IDs of accounts on your code host, such as bots, that can send messages without write permission.',
      },
      failedCheckFollowUps: {
        title: 'Failed checks',
        hint: 'How often Docent tries to fix failed checks of a pull request. 0 turns it off.',
      },
      mergeMethod: {
        title: 'Merge method',
        hint: 'The method that “Merge” uses on your code host.',
        options: { merge: 'Merge commit', squash: 'Squash', rebase: 'Rebase' },
      },
      commitSubject: {
        title: 'Commit subject',
        hint: 'Template for the first line of commits and for titles of pull requests, such as `docs: {title}`.',
      },
      signOff: {
        title: 'Sign off commits',
        hint: 'Adds `Signed-off-by` with the commit author of your installation (DCO).',
      },
      verifiedCommits: {
        title: 'Verified commits',
        hint: 'Commits through GitHub’s API as your GitHub App, so that GitHub shows them as verified.',
      },
      webPages: {
        title: 'Web pages',
        hint: 'Pages that jobs can read besides the repository: URLs such as `https://docs.example.com/*`.',
      },
      allowedSecrets: {
        title: 'Allowed secrets',
        hint:
          'IDs of texts that look like secrets but may be published, such as example keys. If a job is ' +
          'blocked by one, its message shows the ID.',
      },
    },
  },
  {
    title: 'Jobs and budgets',
    fields: {
      concurrentJobs: {
        title: 'Concurrent jobs',
        hint: 'More jobs are queued. A lower number does not stop running jobs.',
      },
      archiveAfterDays: { title: 'Archive jobs after (days)', hint: 'Counted from the last message.' },
      budgetJobTokens: {
        title: 'Budget per job (tokens)',
        hint: 'Input and output. At the limit, the job stops before its next step and keeps its changes.',
      },
      budgetJobUsd: {
        title: 'Budget per job (USD)',
        hint: 'At the limit, the job stops before its next step and keeps its changes.',
      },
      budgetDayTokens: { title: 'Budget per day (tokens)', hint: 'For all jobs of the project. Days are in UTC.' },
      budgetDayUsd: { title: 'Budget per day (USD)', hint: 'For all jobs of the project. Days are in UTC.' },
    },
  },
  {
    title: 'Analytics',
    fields: {
      analyticsOrigins: {
        title: 'Allowed sites',
        hint:
          'Sites with the page script: `docs.example.com`, `http://localhost:3000`, or `*.example.com` for ' +
          'all subdomains. Localhost and previews count only if you list them.',
      },
      analyticsRetentionDays: {
        title: 'Keep page views for (days)',
        hint: '0 means forever. Older days are deleted within minutes. Raising the number does not restore them.',
      },
      analyticsPathPrefix: {
        title: 'Path of the docs',
        hint: 'The path below which readers find the docs, such as `/docs`, if the site configuration does not define it.',
      },
      analyticsReport: {
        title: 'Reader report',
        hint: 'Sent by email and webhooks after each week or month.',
        options: { week: 'Every week', month: 'Every month' },
      },
      analyticsAlerts: {
        title: 'Alerts about unusual days',
        hint: 'When a day had twice or half as many readers as usual.',
      },
      analyticsRecipients: {
        title: 'Recipients of reports and alerts',
        hint: 'Email addresses. The operator must configure a mail server.',
      },
      timeZone: { title: 'Time zone of reports', hint: 'An IANA name, such as `Europe/Berlin`.' },
      analyticsSaltPolicy: {
        title: 'Visitor ID lifetime',
        hint:
          'Changes apply from the day after tomorrow. Existing IDs stay. Late views are accepted for seven ' +
          'days after a month or day ends.',
        options: { fixed: 'Forever', monthly: 'One month', daily: 'One day (UTC)' },
      },
      analyticsHumanClasses: {
        title: 'Classes that count as humans',
        hint: 'A change recounts all data within minutes.',
        options: classes,
      },
      analyticsAiClasses: {
        title: 'Classes that count as AI',
        hint: 'A class cannot count as both.',
        options: classes,
      },
    },
  },
];

export const SHARE_LINKS = {
  title: 'Share links',
  hint: 'A share link shows the analytics of this project to anyone who has it, without an account. It shows nothing else.',
  create: 'Create share link',
  name: 'Name',
  nameHint: 'Who gets the link.',
  password: 'Password',
  passwordHint: 'At least 8 characters. Visitors must enter it.',
  withPassword: 'with a password',
  expires: 'expires:',
  lastUse: 'last used:',
  address: 'Link',
  shownOnce: 'Copy the link now. You cannot see it again.',
  answerLost: 'The link was created, but the response was lost. Delete the link and create another.',
  delete: 'Delete',
  deleteOf: (name: string) => `Delete the share link ${name}`,
  deleteTitle: (name: string) => `Delete the share link ${name}?`,
  deleteHint: 'The link stops working within a second, including on open pages.',
};

export const SECRETS = {
  title: 'Secrets',
  hint: 'Webhooks of automations use a secret by its name, so that files in your repository contain none. Docent never shows a value again.',
  create: 'Set secret',
  name: 'Name',
  nameHint: 'The name of an existing secret replaces its value. The next job uses it.',
  nameRule: 'Letters, digits, _ and -',
  value: 'Value',
  valueHint: '`whsec_` and 24 to 64 bytes in Base64. To create one, run `echo "whsec_$(openssl rand -base64 32)"`.',
  set: 'set',
  remove: 'Delete',
  removeOf: (name: string) => `Delete the secret ${name}`,
  removeTitle: (name: string) => `Delete the secret ${name}?`,
  removeHint: 'Runs of automations that use it fail until you set it again.',
};
