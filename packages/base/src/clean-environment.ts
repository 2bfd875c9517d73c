/**
 * The variables that a git process inherits: where to find programs, the person's own git settings, and
 * temporary space.
 */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'XDG_CONFIG_HOME', 'TMPDIR', 'SYSTEMROOT', 'PATHEXT'];

/**
 * The environment of every git process and of the processes that start them. Hooks of a repository run in it,
 * so it holds no setting and no secret of ours, and no `GIT_*` variable that would lead git to another
 * repository.
 */
export function cleanEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
  for (const name of INHERITED) {
    // Not a setting of Docent: only `process.env` has the variables that a child process inherits.
    // oxlint-disable-next-line node/no-process-env
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
