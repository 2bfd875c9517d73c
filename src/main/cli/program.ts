import { Command } from 'commander';
import { analyticsCommand } from './commands/analytics.ts';
import { checkCommand } from './commands/check.ts';
import { hostCommand } from './commands/host.ts';
import { jobCommand } from './commands/job.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { contextCommand, logoutCommand } from './commands/context.ts';
import { keyCommand } from './commands/key.ts';
import { loginCommand } from './commands/login.ts';
import { migrateCommand } from './commands/migrate.ts';
import { pullRequestCommand } from './commands/pr.ts';
import { projectCommand } from './commands/project.ts';
import { serviceCommands } from './commands/service.ts';
import { statusCommand } from './commands/status.ts';
import { VERSION } from '../../platform/version.ts';

/** The command line. Parsing it runs the command. */
export function createProgram(): Command {
  const program = new Command('docent')
    .description('Self-hosted documentation agent: a prompt becomes a pull request, durably.')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `
Getting started:
  $ docent start                                  everything on this machine, no settings
  $ docent job run 'Fix broken links'             in a second terminal
  $ docent status                                 what runs, and how it does
  $ docent login https://docent.example.com       a server elsewhere
`,
    );
  for (const command of [
    ...serviceCommands(),
    statusCommand(),
    migrateCommand(),
    projectCommand(),
    hostCommand(),
    keyCommand(),
    jobCommand(),
    pullRequestCommand(),
    analyticsCommand(),
    checkCommand(),
    loginCommand(),
    logoutCommand(),
    contextCommand(),
    completionCommand(),
  ])
    program.addCommand(command);
  program.addCommand(
    completeCommand(() => program),
    { hidden: true },
  );
  // Whoever parses decides how to end the process.
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(program)) command.exitOverride().showHelpAfterError('(--help shows what can be said)');
  return program;
}
