import path from 'node:path';
import type { Command } from 'commander';
import { openFolder, type AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import { Duck } from '../../analytics/storage/duck.ts';
import { openBucketFolder } from '../../analytics/storage/open-bucket.ts';
import { namingFullDisk, type StorageDeps } from '../../analytics/storage/storage.ts';
import type { Config } from '../../config/config.ts';
import { duckThreads } from '../../platform/processes/pool-sizes.ts';
import { createLogger, type Logger } from '../../platform/log.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { findProject } from '../../store/projects/projects.ts';
import { bucketSettingsOf } from '../../roles/analytics-folder.ts';
import { readEnvironment } from '../../roles/environment.ts';
import { defaultHome } from '../../start/home.ts';
import { joinDatabase } from '../../roles/join-database.ts';
import type { SignOfLife } from '../../roles/sign-of-life.ts';
import { CliFailure, EXIT, printFailure } from '@docent/base/terminal/failures';
import { databaseUrlOf } from './installation-database.ts';

/** The files and the database of an installation, as a command on the same machine works on them. */
export interface Storage extends StorageDeps {
  close(): Promise<void>;
}

/** @throws CliFailure with a sentence that explains what to do */
export async function openStorage(command: Command): Promise<Storage> {
  const { project } = command.opts<{ project: string }>();
  const { config } = readEnvironment(process.env);
  const { database, root } = findStorage(command);
  const log = createLogger({ level: 'error', name: 'analytics' }, process.stderr);
  const signOfLife = await joinAs('docent analytics', database, config, log);
  const leave = async () => {
    await signOfLife.leave();
    await database.close();
  };
  try {
    if (!(await findProject(database.db, project))) {
      throw new CliFailure(`Project ${project} does not exist.`, EXIT.usage);
    }
    const folder = await openFolderOf(database, root, config, log);
    const duck = await Duck.open({
      memoryMb: config.analyticsMemoryMb,
      threads: duckThreads(config.analyticsMemoryMb),
      connections: 2,
      temporaryFolder: folder.temporaryFolder,
    });
    const close = async () => {
      duck.close();
      await folder.close();
      await leave();
    };
    return { database, folder, duck, log, close };
  } catch (err) {
    await leave();
    throw err;
  }
}

/** The database and the folder of a command. @throws CliFailure if nothing runs there */
export function findStorage(command: Command): { database: Database; root: string } {
  const { config } = readEnvironment(process.env);
  const home = path.resolve(command.opts<{ home?: string }>().home ?? config.home ?? defaultHome());
  return {
    database: openDatabase(databaseUrlOf(config, home), { applicationName: 'docent analytics' }),
    root: config.analyticsDir ?? path.join(home, 'analytics'),
  };
}

/** @throws Refused if it is not the folder of this installation */
async function openFolderOf(database: Database, root: string, config: Config, log: Logger): Promise<AnalyticsFolder> {
  const bucket = bucketSettingsOf(config);
  return namingFullDisk(() =>
    bucket
      ? openBucketFolder(database, root, bucket, { log })
      : openFolder(database, root, { log, name: 'docent analytics', waitMs: 0 }),
  );
}

/** Commands never change the schema: they refuse an old one, and end if it moves on. */
async function joinAs(name: string, database: Database, config: Config, log: Logger): Promise<SignOfLife> {
  const options = { config: { migrate: 'never' as const, migrations: config.migrations }, log };
  try {
    const signOfLife = await joinDatabase(database, name, options);
    signOfLife.outdated.catch((err: unknown) => process.exit(printFailure(err, false)));
    return signOfLife;
  } catch (err) {
    await database.close();
    throw err;
  }
}
