import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** `expand` adds; older builds keep working. `contract` removes what builds from a level on do not use. */
export type MigrationKind = 'expand' | 'contract';

export interface Migration {
  /** The number of its name: 10 for `0010_processes`. A build's level is that of its newest migration. */
  level: number;
  name: string;
  /** Milliseconds since 1970; identifies the migration in the database. */
  when: number;
  /** SHA-256 of the file. */
  hash: string;
  kind: MigrationKind;
  /** For a contract: builds below this level no longer work afterwards. For an expand: 0. */
  minCompatible: number;
  /** In one transaction; else statement by statement, and each may run twice. */
  inTransaction: boolean;
  statements: readonly string[];
}

const JournalEntry = z.object({ idx: z.int(), when: z.number(), tag: z.string() });
const Journal = z.object({ entries: z.array(JournalEntry) });

const OWN_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));
const BREAKPOINT = '--> statement-breakpoint';

/**
 * The migrations of a build, in order: the files that drizzle-kit writes, and its journal. Numbers may have
 * gaps.
 * @param folder for tests: other migrations than this build's
 * @throws Error if the head of a file is invalid
 */
export function readMigrations(folder: string = OWN_FOLDER): readonly Migration[] {
  const journal = Journal.parse(JSON.parse(readFileSync(path.join(folder, 'meta', '_journal.json'), 'utf8')));
  return journal.entries
    .toSorted((a, b) => a.idx - b.idx)
    .map(({ idx, when, tag }) =>
      parseMigration({ idx, when, tag }, readFileSync(path.join(folder, `${tag}.sql`), 'utf8')),
    );
}

export function parseMigration({ idx, when, tag }: z.output<typeof JournalEntry>, text: string): Migration {
  return {
    level: idx,
    name: tag,
    when,
    hash: createHash('sha256').update(text).digest('hex'),
    ...declarations(tag, text),
    statements: text.split(BREAKPOINT).map((statement) => statement.trim()),
  };
}

/** The level of a build that brings these migrations. */
export function levelOf(migrations: readonly Migration[]): number {
  return Math.max(0, ...migrations.map(({ level }) => level));
}

/** Comments at the head: `-- docent: expand`, `-- docent: contract after 12`, `-- docent: no-transaction`. */
function declarations(name: string, text: string): Pick<Migration, 'kind' | 'minCompatible' | 'inTransaction'> {
  const found = { kind: 'expand' as MigrationKind, minCompatible: 0, inTransaction: true };
  for (const line of text.split('\n')) {
    if (line.trim() !== '' && !line.startsWith('--')) break;
    const words = /^-- docent:(.*)$/.exec(line)?.[1];
    for (const word of words?.split(',').map((one) => one.trim()) ?? []) {
      const after = /^contract after (\d+)$/.exec(word)?.[1];
      if (after !== undefined) Object.assign(found, { kind: 'contract', minCompatible: Number(after) });
      else if (word === 'no-transaction') found.inTransaction = false;
      else if (word !== 'expand') throw new Error(`${name}.sql begins with "-- docent: ${word}", which means nothing.`);
    }
  }
  return found;
}
