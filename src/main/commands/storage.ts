import path from 'node:path';
import { Option, type Command } from 'commander';
import { AnalyticsFolder } from '../../analytics/analytics-folder.ts';
import { Duck } from '../../analytics/duck.ts';
import type { StorageDeps } from '../../analytics/storage.ts';
import { createLogger } from '../../log.ts';
import { openDatabase } from '../../store/database.ts';
import { findProject } from '../../store/projects.ts';
import { readEnvironment } from '../environment.ts';
import { defaultHome, readRunFile } from '../home.ts';
import { CliFailure, EXIT } from './failures.ts';

/** The files and the database of an installation, as a command on the same machine works on them. */
export interface Storage extends StorageDeps {
  close(): Promise<void>;
}

/** Adds the options by which a command finds the files. */
export function withStorage(command: Command): Command {
  return command
    .requiredOption('--project <id>', 'project')
    .addOption(
      new Option(
        '--home <folder>',
        'home of a `docent start` on this machine (default: DOCENT_HOME, else that of npm start); not with DATABASE_URL',
      ),
    )
    .option('--json', 'print JSON');
}

/** @throws CliFailure with a sentence that says what to do */
export async function openStorage(command: Command): Promise<Storage> {
  const options = command.opts<{ home?: string; project: string }>();
  const { config } = readEnvironment(process.env);
  const home = path.resolve(options.home ?? config.home ?? defaultHome());
  const databaseUrl = config.databaseUrl?.reveal() ?? readRunFile(home)?.databaseUrl;
  if (!databaseUrl) {
    throw new CliFailure(
      `No Docent runs on ${home}. Start one with \`docent start\`, or set DATABASE_URL.`,
      EXIT.unreachable,
    );
  }
  const database = openDatabase(databaseUrl, { applicationName: 'docent analytics' });
  const folder = new AnalyticsFolder(config.analyticsDir ?? path.join(home, 'analytics'));
  const duck = await Duck.open({
    memoryMb: config.analyticsMemoryMb,
    threads: 2,
    connections: 2,
    temporaryFolder: path.join(folder.temporaryFolder, `duck-${process.pid}`),
  });
  const close = async () => {
    duck.close();
    await database.close();
  };
  if (!(await findProject(database.db, options.project))) {
    await close();
    throw new CliFailure(`There is no project ${options.project}.`, EXIT.usage);
  }
  return { database, folder, duck, log: createLogger({ level: 'error', name: 'analytics' }, process.stderr), close };
}

/** @throws CliFailure where another process is at the files */
export function mine<T>(result: T | null): T {
  if (result !== null) return result;
  throw new CliFailure('Another process works on the files of this project. Try again in a minute.');
}
