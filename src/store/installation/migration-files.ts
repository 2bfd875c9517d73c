import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * `expand` adds, and builds that do not know of it go on working beside it. `contract` takes away what no
 * build from a certain level on uses any more.
 */
export type MigrationKind = 'expand' | 'contract';

export interface Migration {
  /**
   * The number that its name begins with: 10 for `0010_processes`. A build's level is that of its newest
   * migration.
   */
  level: number;
  name: string;
  /** Milliseconds since 1970; what the database knows the migration by. */
  when: number;
  /** SHA-256 of the file. */
  hash: string;
  kind: MigrationKind;
  /** Of a contract: builds below this level cannot work on the database after it. Of an expand: 0. */
  minCompatible: number;
  /** All or nothing; else each statement by itself, and each may run twice. */
  inTransaction: boolean;
  statements: readonly string[];
}

const JournalEntry = z.object({ idx: z.int(), when: z.number(), tag: z.string() });
const Journal = z.object({ entries: z.array(JournalEntry) });

const OWN_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));
const BREAKPOINT = '--> statement-breakpoint';

/**
 * The migrations that a build brings, in order: the files that drizzle-kit writes, and its journal. Numbers
 * may have gaps.
 * @param folder for tests: other migrations than this build's
 * @throws Error where the head of a file says what is not understood
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

/**
 * What comments at the head say: `-- docent: expand`, `-- docent: contract after 12`, `-- docent:
 * no-transaction`.
 */
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
