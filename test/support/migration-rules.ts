import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { is } from 'drizzle-orm';
import type { Migration } from '../../src/store/installation/migration-files.ts';

/** What the queries of a release name: drizzle lists every column of a table that it reads or writes. */
export interface ReleasedSchema {
  version: string;
  level: number;
  /** Table → columns. */
  tables: Readonly<Record<string, readonly string[]>>;
}

export function schemaOf(modules: readonly Record<string, unknown>[]): ReleasedSchema['tables'] {
  const tables = modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable));
  const entries = tables.map((table) => {
    const { name, columns } = getTableConfig(table);
    return [name, columns.map((column) => column.name).toSorted()] as const;
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const NAME = String.raw`(?:"?public"?\.)?"?(\w+)"?`;
const match = (pattern: string, text: string) => [
  ...text.matchAll(new RegExp(pattern.replaceAll('<name>', NAME), 'gi')),
];

/** What an `expand` may not do, and why. Where a table was made in the same file, no one uses it yet. */
const BREAKING: readonly (readonly [pattern: string, why: string])[] = [
  [String.raw`\bDROP\s+(?:TABLE|VIEW|TYPE|FUNCTION|SEQUENCE|SCHEMA|TRIGGER)\b`, 'drops what older versions may use'],
  [String.raw`\bDROP\s+(?:COLUMN|CONSTRAINT|DEFAULT|IDENTITY|EXPRESSION)\b`, 'drops what older versions may use'],
  [String.raw`\bDROP\s+INDEX\b`, 'drops what older versions may use'],
  [String.raw`\bRENAME\b`, 'renames what older versions may use'],
  [String.raw`\bSET\s+NOT\s+NULL\b`, 'refuses what older versions may write'],
  [String.raw`\bALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b`, 'changes a type under older versions'],
  [String.raw`\bALTER\s+TYPE\b`, 'changes a type under older versions'],
  [String.raw`\b(?:TRUNCATE|DELETE\s+FROM)\b`, 'deletes what older versions may read'],
  [
    String.raw`\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:CONSTRAINT\s+)?(?:TRIGGER|RULE)\b`,
    'changes what the writes of older versions do',
  ],
  [String.raw`\b(?:ENABLE|FORCE)\s+ROW\s+LEVEL\s+SECURITY\b`, 'hides rows from older versions'],
];

/** Why a migration may not be what it says that it is; empty if it may. */
export function problemsOf(migration: Migration): string[] {
  const own = new Set(
    migration.statements
      .flatMap((text) => match(String.raw`\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?<name>`, text))
      .map((found) => found[1]),
  );
  const statements = migration.statements.map((text) => text.replaceAll(/--.*$/gm, '').trim()).filter(Boolean);
  const problems = statements.flatMap((text) => [
    ...(migration.inTransaction ? [] : outsideTransaction(text)),
    ...locking(text, own),
    ...(migration.kind === 'expand' ? breaking(text, own) : []),
  ]);
  if (migration.kind === 'contract' && migration.minCompatible >= migration.level)
    problems.push(`it is a contract after ${migration.minCompatible}, but has itself the level ${migration.level}`);
  return problems;
}

const tableOf = (text: string) =>
  match(String.raw`\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?<name>`, text)[0]?.[1];

function breaking(text: string, own: ReadonlySet<string | undefined>): string[] {
  const table = tableOf(text);
  if (table !== undefined && own.has(table)) return [];
  const problems = BREAKING.filter(([pattern]) => match(pattern, text).length > 0).map(([, why]) => why);
  const added = match(String.raw`\bADD\s+COLUMN\b[^,;]*`, text).map(([column]) => column);
  if (added.some((column) => /\bNOT\s+NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column)))
    problems.push('adds a column that older versions do not fill');
  if (/\bADD\s+(?:CONSTRAINT\s+"?\w+"?\s+)?(?:CHECK|UNIQUE|PRIMARY|EXCLUDE|FOREIGN)\b/i.test(text))
    problems.push('adds a constraint that the writes of older versions may break');
  const unique = match(String.raw`\bCREATE\s+UNIQUE\s+INDEX\b[^(]*?\bON\s+(?:ONLY\s+)?<name>`, text)[0]?.[1];
  if (unique !== undefined && !own.has(unique))
    problems.push('adds a constraint that the writes of older versions may break');
  return problems;
}

/** What would hold up traffic for long. */
function locking(text: string, own: ReadonlySet<string | undefined>): string[] {
  const indexed = match(
    String.raw`\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)[^(]*?\bON\s+(?:ONLY\s+)?<name>`,
    text,
  )[0]?.[1];
  const problems =
    indexed !== undefined && !own.has(indexed)
      ? [`locks ${indexed} while the index is built: say CONCURRENTLY, no-transaction`]
      : [];
  const table = tableOf(text);
  const rewrites =
    /\bADD\s+COLUMN\b.*(?:\b(?:small|big)?serial\b|\b(?:random|gen_random_uuid|clock_timestamp|nextval)\s*\(|\bSTORED\b)/is.test(
      text,
    );
  if (rewrites && !own.has(table)) problems.push(`writes all of ${table} anew under a lock`);
  return problems;
}

/** What may run twice, and leaves nothing behind that the next run does not know. */
function outsideTransaction(text: string): string[] {
  const isRepeatable = [
    /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\b/i,
    /^DROP\s+INDEX\s+CONCURRENTLY\s+IF\s+EXISTS\b/i,
    /\bVALIDATE\s+CONSTRAINT\b/i,
  ].some((pattern) => pattern.test(text));
  return isRepeatable
    ? []
    : [`without a transaction, ${text.split('\n')[0]} must be an index CONCURRENTLY IF [NOT] EXISTS`];
}

/** What a contract takes away, as `table` or `table.column`. */
export function takenAway({ statements }: Migration): string[] {
  return statements.flatMap((text) => {
    const table = tableOf(text);
    const tables = match(String.raw`\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?<name>`, text).map((found) => found[1] ?? '');
    const columns = [
      ...match(String.raw`\bDROP\s+COLUMN\s+(?:IF\s+EXISTS\s+)?<name>`, text),
      ...match(String.raw`\bRENAME\s+COLUMN\s+<name>`, text),
    ].map((found) => `${table}.${found[1]}`);
    const renamed = /\bRENAME\s+TO\b/i.test(text) && table !== undefined ? [table] : [];
    return [...tables, ...columns, ...renamed];
  });
}

/**
 * What a contract takes away from a release that may still run when the contract comes: the one before it.
 */
export function takenFrom(contract: Migration, releases: readonly ReleasedSchema[]): string[] {
  const before = releases.filter(({ level }) => level < contract.level).toSorted((a, b) => b.level - a.level);
  const compatible = before.filter(({ level }, i) => i === 0 || level >= contract.minCompatible);
  return compatible.flatMap((release) => {
    if (release.level < contract.minCompatible)
      return [
        `${release.version}, of level ${release.level}, is the release before, and the contract is after ${contract.minCompatible}`,
      ];
    const uses = (name: string) => {
      const [table = '', column] = name.split('.');
      return column === undefined ? table in release.tables : release.tables[table]?.includes(column);
    };
    return takenAway(contract)
      .filter(uses)
      .map((name) => `${release.version} uses ${name}`);
  });
}
