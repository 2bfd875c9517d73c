import type { Command } from 'commander';

/** The Docent on this machine, as `docent start` leaves it in its home. */
export interface LocalHome {
  /** The home if none is named. */
  defaultFolder(): string;
  /** Null if it does not run there. */
  run(home: string): { apiUrl: string; projectId: string } | null;
  /** Null if it cannot be read. */
  operatorToken(home: string): string | null;
}

const LOCAL_HOME = 'localHome';

/** Makes the Docent on this machine known to the commands of a program. */
export function setLocalHome(program: Command, local: LocalHome): void {
  program.setOptionValue(LOCAL_HOME, local);
}

/** @throws Error for a program without {@link setLocalHome} */
export function localHomeOf(command: Command): LocalHome {
  if (command.parent) return localHomeOf(command.parent);
  const local = command.getOptionValue(LOCAL_HOME) as LocalHome | undefined;
  if (!local) throw new Error('The program does not know the Docent on this machine.');
  return local;
}
