/** Kill the servers of all tests: nothing else may run in the meantime. */
export const ALONE: readonly string[] = ['random-kills'];

/** The injected faults, and the test files that inject them. */
export const SUBJECTS: readonly { done: string; files: readonly string[] }[] = [
  {
    done: 'Roles, Temporal and PostgreSQL are killed at chosen and at random moments',
    files: ['kill-points', 'outages', 'lost-workflow', 'rest', 'many-messages', 'random-kills'],
  },
  { done: 'Workers are paused and come back late', files: ['late-worker'] },
  {
    done: 'Analytics is killed at chosen and at random moments',
    files: ['analytics-kill', 'analytics-random-kills', 'analytics-restart'],
  },
  {
    done: 'The database is restored from before, lost, or fails over',
    files: ['restored-database', 'analytics-recover', 'start-restored-home'],
  },
  {
    done: 'Analytics files are damaged, lost, unknown, or in another folder',
    files: ['analytics-damage', 'analytics-folders', 'analytics-unknown-files', 'analytics-clocks'],
  },
  {
    done: 'An older and a newer version run side by side, forth and back',
    files: ['rolling-upgrade', 'migrate', 'schema-guard'],
  },
  {
    done: 'Repositories are renamed, transferred, and others take their names; hosts lag, refuse and lose answers',
    files: ['hosts-github', 'hosts-pull-requests', 'hosts-others', 'hosts-faults', 'local-replaced'],
  },
  {
    done: 'Disks are full',
    files: ['disk-full-start', 'disk-full-repository', 'analytics-disk-full', 'analytics-disk-full-maintenance'],
  },
  {
    done: 'Workflows are forged; logs are searched for secrets',
    files: ['forged-workflows', 'control-requests', 'log-lines', 'planted-secrets', 'attacks'],
  },
];
