import { Argument, Command } from 'commander';
import { withEllipsis } from '@docent/base/ellipsis';
import { safe } from '@docent/base/terminal/terminal-text';
import type { Candidate, IdKind } from '../completion/candidates.ts';
import type { Asked } from '../completion/ids.ts';
import { localHomeOf, type LocalHome } from '../local-home.ts';
import { SHELLS, type Shell } from '../completion/scripts.ts';

const MOST_DESCRIPTION = 70;

const shellArgument = () => new Argument('<shell>', 'your shell').choices(SHELLS);

/** `docent completion` */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands, options and IDs in your shell')
    .addArgument(shellArgument())
    .addHelpText(
      'after',
      `
Install:
  bash   add to ~/.bashrc:                 eval "$(docent completion bash)"
  zsh    add to ~/.zshrc, after compinit:  eval "$(docent completion zsh)"
  fish   run once:                         docent completion fish > ~/.config/fish/completions/docent.fish`,
    )
    .action(async (name: Shell) => {
      const { SCRIPTS } = await import('../completion/scripts.ts');
      process.stdout.write(SCRIPTS[name]);
    });
}

/**
 * What the scripts call: `docent complete SHELL -- WORDS`.
 * @param treeFor the possible commands for these words
 */
export function completeCommand(treeFor: (words: readonly string[]) => Promise<Command>): Command {
  return new Command('complete')
    .addArgument(shellArgument())
    .argument('[words...]')
    .action(async (name: Shell, typed: string[], _options: object, command: Command) => {
      process.stdout.write(await linesFor(await treeFor(typed), { shell: name, typed, local: localHomeOf(command) }));
    });
}

/** A line for each candidate, with its description after a tab; `:files` if file names are allowed. */
async function linesFor(
  program: Command,
  { shell, typed, local }: { shell: Shell; typed: readonly string[]; local: LocalHome },
): Promise<string> {
  const { wantedAfter } = await import('../completion/candidates.ts');
  const wanted = wantedAfter(program, typed.length > 0 ? typed : ['']);
  const ids = wanted.ids === null ? [] : await idsFor(wanted.ids, { given: wanted.given, local });
  // Bash splits words at the equals sign.
  const prefix = shell === 'bash' ? '' : wanted.prefix;
  const lines = [...wanted.candidates, ...ids]
    .filter(({ value }) => value.startsWith(wanted.partial))
    .map((candidate) => lineOf(prefix, candidate));
  return [...lines, ...(wanted.files ? [':files'] : [])].map((line) => `${line}\n`).join('');
}

/** If ids are unavailable, an error in the middle of a command line would not help. */
async function idsFor(kind: IdKind, asked: Asked): Promise<Candidate[]> {
  const ids = await import('../completion/ids.ts');
  return ids.idsOf(kind, asked, process.env).catch(() => []);
}

function lineOf(prefix: string, { value, description }: Candidate): string {
  const words = withEllipsis(safe(description).replaceAll(/\s+/g, ' '), MOST_DESCRIPTION);
  return `${prefix}${safe(value)}\t${words}`;
}
