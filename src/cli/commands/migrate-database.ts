import path from 'node:path';
import { messageOf } from '@docent/base/thrown';
import { openDatabase, type Database } from '../../store/database.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import { migrate, type MigrateResult } from '../../store/installation/migrate.ts';
import { levelOf, readMigrations, type Migration } from '../../store/installation/migration-files.ts';
import type { LivingProcess } from '../../store/installation/processes.ts';
import { readSchemaState, refuseMismatch } from '../../store/installation/schema-version.ts';
import { readEnvironment } from '../../roles/environment.ts';
import { defaultHome } from '../../start/home.ts';
import { VERSION } from '../../platform/version.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print, safe } from '@docent/base/terminal/terminal-text';
import { untilStopped } from '@docent/base/terminal/until-stopped';
import { databaseUrlOf } from './installation-database.ts';

export interface MigrateOptions {
  home?: string;
  check?: boolean;
  sql?: boolean;
  force?: boolean;
  json?: boolean;
}

/** Carries out `docent migrate`. */
export async function runMigrate(options: MigrateOptions): Promise<void> {
  const { config } = readEnvironment(process.env);
  const home = path.resolve(options.home ?? config.home ?? defaultHome());
  const database = openDatabase(databaseUrlOf(config, home), { applicationName: 'docent migrate' });
  const migrations = readMigrations(config.migrations);
  try {
    if (options.check || options.sql) await show(database, migrations, options);
    else await carryOut(database, migrations, options);
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
    throw new CliFailure(`The database cannot be reached: ${messageOf(err)}`, EXIT.unreachable, { cause: err });
  } finally {
    await database.close();
  }
}

async function show(
  database: Database,
  migrations: readonly Migration[],
  { check, sql, json }: MigrateOptions,
): Promise<void> {
  const state = await readSchemaState(database.db, migrations);
  refuseMismatch(state, migrations, VERSION);
  const { level, minCompatible, pending } = state;
  print(json, { level, minCompatible, knownLevel: levelOf(migrations), pending: pending.map(described) }, () =>
    pending.length === 0 ? upToDate(level) : pending.map(sql ? statementsOf : lineOf).join('\n'),
  );
  if (check && pending.length > 0) process.exitCode = EXIT.pending;
}

const say = (text: string) => process.stderr.write(`${safe(text)}\n`);

function carryOut(database: Database, migrations: readonly Migration[], options: MigrateOptions): Promise<void> {
  return untilStopped(async (signal) => {
    try {
      const result = await migrate(database, {
        migrations,
        version: VERSION,
        signal,
        force: options.force ?? false,
        say,
      });
      const { level, minCompatible } = await readSchemaState(database.db, migrations);
      const { ran, postponed } = result;
      const processes = result.older.map(processOf);
      print(
        options.json,
        { level, minCompatible, ran: ran.map(described), postponed: postponed.map(described), processes },
        () => (postponed.length === 0 ? upToDate(level) : `The schema is at level ${level}.`),
      );
      if (postponed.length > 0) throw new CliFailure(refusalOf(result));
    } catch (err) {
      signal.throwIfAborted();
      throw err;
    }
  }, new CliFailure('Stopped. Run the command again to continue.'));
}

const upToDate = (level: number) => `The schema is up to date, at level ${level}.`;

const described = ({ name, level, kind }: Migration) => ({ name, level, kind });

const processOf = ({ name, version, level, host, pid }: LivingProcess) => ({ name, version, level, host, pid });

function lineOf({ name, kind }: Migration): string {
  return `${name}: ${kind === 'expand' ? 'compatible with older versions' : 'removes what older versions use'}`;
}

function statementsOf({ name, statements, inTransaction }: Migration): string {
  const text = statements.map((statement) => (statement.endsWith(';') ? statement : `${statement};`)).join('\n');
  return `-- ${name}\n${inTransaction ? `BEGIN;\n${text}\nCOMMIT;` : text}\n`;
}

function refusalOf({ postponed, older }: MigrateResult): string {
  return [
    'Not applied, because running processes of an older version still use what it removes: ' +
      `${postponed.map(({ name }) => name).join(', ')}.`,
    ...older.map(
      (one) =>
        `  ${safe(one.name)} ${safe(one.version)} on ${safe(one.host)}, process ${one.pid}, seen ${one.secondsAgo} s ago`,
    ),
    'Stop them and run the command again (a killed process counts for 45 more seconds), or use --force: they then stop with an error.',
  ].join('\n');
}
