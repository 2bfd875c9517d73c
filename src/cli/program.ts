import { Command } from 'commander';
import { setLocalHome } from '@docent/cli/local-home';
import { VERSION } from '../platform/version.ts';

/** The modules of commands. They are loaded when a command is called, or shown by `--help`. */
const COMMANDS: Record<string, () => Promise<Command[]>> = {
  start: services,
  api: services,
  worker: services,
  status: async () => [(await import('./commands/status.ts')).statusCommand()],
  health: async () => [(await import('@docent/cli/commands/health')).healthCommand()],
  doctor: async () => [(await import('./commands/doctor.ts')).doctorCommand()],
  migrate: async () => [(await import('./commands/migrate.ts')).migrateCommand()],
  backup: backups,
  restore: backups,
  dashboard: async () => [(await import('@docent/cli/commands/dashboard')).dashboardCommand()],
  project: async () => [(await import('./commands/project.ts')).projectCommand()],
  source: async () => [(await import('@docent/cli/commands/source')).sourceCommand()],
  model: async () => [(await import('@docent/cli/commands/model')).modelCommand()],
  host: async () => [(await import('@docent/cli/commands/host')).hostCommand()],
  key: async () => [(await import('@docent/cli/commands/key')).keyCommand()],
  token: async () => [(await import('@docent/cli/commands/token')).tokenCommand()],
  job: async () => [(await import('@docent/cli/commands/job')).jobCommand()],
  attachment: async () => [(await import('@docent/cli/commands/attachment')).attachmentCommand()],
  pr: async () => [(await import('@docent/cli/commands/pr')).pullRequestCommand()],
  secret: async () => [(await import('@docent/cli/commands/secret')).secretCommand()],
  automation: async () => [(await import('./commands/automation.ts')).automationCommand()],
  webhook: async () => [(await import('@docent/cli/commands/webhook')).webhookCommand()],
  analytics: async () => [(await import('./commands/analytics.ts')).analyticsCommand()],
  agents: async () => [(await import('./commands/agents.ts')).agentsCommand()],
  person: async () => [(await import('@docent/cli/commands/person')).personCommand()],
  audit: async () => [(await import('@docent/cli/commands/audit')).auditCommand()],
  check: async () => [(await import('@docent/docs-check/cli/check-command')).checkCommand()],
  login: async () => [(await import('@docent/cli/commands/login')).loginCommand()],
  logout: contexts,
  context: contexts,
  completion: async () => [(await import('@docent/cli/commands/completion')).completionCommand()],
};

async function contexts(): Promise<Command[]> {
  const { contextCommand, logoutCommand } = await import('@docent/cli/commands/context');
  return [logoutCommand(), contextCommand()];
}

async function backups(): Promise<Command[]> {
  return (await import('./commands/backup.ts')).backupCommands();
}

async function services(): Promise<Command[]> {
  return (await import('./commands/service.ts')).serviceCommands();
}

/** Parsing runs the command. @param words to parse: if the first names a command, others are not loaded */
export async function createProgram([first = '']: readonly string[] = []): Promise<Command> {
  const program = new Command('docent')
    .description('Self-hosted documentation agent: a prompt becomes a pull request, durably.')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Getting started:
  $ docent start                                  run everything on this machine
  $ docent job run 'Fix broken links'             in a second terminal
  $ docent status                                 show the status of the server
  $ docent login https://docent.example.com       connect to a remote server
`,
    );
  for (const command of await commandsFor(first)) program.addCommand(command);
  if (first === 'complete') {
    const { completeCommand } = await import('@docent/cli/commands/completion');
    program.addCommand(completeCommand(createProgram), { hidden: true });
  }
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(program)) if (command.commands.length > 0) addHelp(command);
  program.hook('preAction', (_, command) => rejectEmptyArguments(command));
  // Only a command that runs needs it.
  program.hook('preAction', async () => {
    const { defaultHome, readOperatorToken, readRunFile } = await import('../start/home.ts');
    setLocalHome(program, { defaultFolder: defaultHome, run: readRunFile, operatorToken: readOperatorToken });
  });
  // The caller of the parser decides how to end the process.
  for (const command of all(program)) command.exitOverride().showHelpAfterError('Run with --help for usage.');
  return program;
}

/** An unset variable becomes an empty id, and an empty id in a path is another route of the API. */
function rejectEmptyArguments(command: Command): void {
  const empty = command.registeredArguments.find(({ variadic }, index) => !variadic && command.args[index] === '');
  if (empty) command.error(`error: The argument '${empty.name()}' is empty. Is a variable not set?`);
}

/** `help job run`, where commander's own takes one word and ignores the others. */
function addHelp(group: Command): void {
  const help = new Command('help')
    .description('show help for a command')
    .argument('[command...]', 'for example: job run')
    .action((words: string[]) => {
      let command = group;
      for (const word of words) {
        const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
        if (!next) return command.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
        command = next;
      }
      command.help();
    });
  group.helpCommand(false).addCommand(help);
}

async function commandsFor(first: string): Promise<Command[]> {
  if (first === '--version' || first === '-V') return [];
  const named = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  const loaders = named ? [named] : new Set(Object.values(COMMANDS));
  return (await Promise.all([...loaders].map((load) => load()))).flat();
}
