import type { FileRow } from '../../store/analytics/manifest.ts';
import type { FileFamily } from '../../store/analytics/analytics-schema.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import type { LocalPaths, StoredFile } from './local-paths.ts';

const EVENT = {
  id: 'UUID',
  time: 'TIMESTAMP',
  path: 'VARCHAR',
  visitor: 'UBIGINT',
  class: 'VARCHAR',
  class_given: 'BOOLEAN',
  user_agent: 'VARCHAR',
  agent: 'VARCHAR',
  format: 'VARCHAR',
  referrer: 'VARCHAR',
  not_found: 'BOOLEAN',
  classifier: 'INTEGER',
  verified: 'BOOLEAN',
  verified_by: 'VARCHAR',
} as const;

/** The columns of each family's files. */
export const COLUMNS = {
  unmerged: EVENT,
  events: EVENT,
  /** Each row once. Path '' is the site; pages only have visitors that count, and no agent. */
  presence: {
    visitor: 'UBIGINT',
    path: 'VARCHAR',
    class: 'VARCHAR',
    agent: 'VARCHAR',
    verified: 'BOOLEAN',
    day: 'INTEGER',
  },
  /** `n` visitors were of that kind on that day, and before it last on `prev`. */
  cube: { path: 'VARCHAR', kind: 'VARCHAR', day: 'INTEGER', prev: 'INTEGER', n: 'BIGINT' },
  /** `visitor` was there as that kind on `day`, and last on `prev`. Every day but the first has a row. */
  revisits: { path: 'VARCHAR', kind: 'VARCHAR', day: 'INTEGER', prev: 'INTEGER', visitor: 'UBIGINT' },
  views: { path: 'VARCHAR', kind: 'VARCHAR', day: 'INTEGER', n: 'BIGINT' },
} as const satisfies Record<FileFamily, Record<string, string>>;

/**
 * Files keep the first 64 bits of an event's id (of 128), as the last ones of a UUID that begins with zeros.
 * The id must be unique within a project and day, and half of it compresses to nothing. Of 100 million events
 * of a day, two are equal with a chance of 1 in 3,700. This is the UUID in files for 32 hexadecimal digits.
 */
export const shortId = (digits: string): string => `lpad(left(${digits}, 16), 32, '0')::UUID`;

export const EVENT_COLUMNS = Object.keys(COLUMNS.events).join(', ');

/** The day of a TIMESTAMP column. */
export const dayExpression = (time: string): string => `(epoch_ms(${time}) // 86400000)::INTEGER`;

/** A bound number of milliseconds as a TIMESTAMP. */
export const instantExpression = (parameter: string): string => `make_timestamp(${parameter} * 1000)`;

/** A relation over files of one family, possibly none. Bind the files under `parameter`. */
export function relation(family: FileFamily, files: readonly unknown[], parameter: string): string {
  const columns = COLUMNS[family];
  const names = Object.keys(columns).join(', ');
  if (files.length > 0) return `(SELECT ${names} FROM read_parquet($${parameter}))`;
  const nulls = Object.entries(columns).map(([name, type]) => `NULL::${type} AS ${name}`);
  return `(SELECT ${nulls.join(', ')} WHERE false)`;
}

export const ofFamily = <F extends Pick<FileRow, 'family'>>(files: readonly F[], family: FileFamily): F[] =>
  files.filter((file) => file.family === family);

export const rowsOf = (files: readonly Pick<FileRow, 'rows'>[]): number =>
  files.reduce((sum, file) => sum + file.rows, 0);

export const overlapping = (files: readonly FileRow[], fromDay: number, toDay: number): FileRow[] =>
  files.filter((file) => file.maxDay >= fromDay && file.minDay <= toDay);

/**
 * The files as a bound value: see {@link LocalPaths}. The largest comes first: DuckDB assumes that all have
 * the size of the first, and keeps the side of a join that it assumes to be smaller in memory. With a small
 * file first, that was once 30 million rows of presence. Unmerged files stay in their order, in which the
 * first occurrence counts.
 */
export function absolutePaths(
  folder: AnalyticsFolder,
  files: readonly (StoredFile & Pick<FileRow, 'family' | 'rows'>)[],
): LocalPaths {
  const isOrdered = files.some(({ family }) => family === 'unmerged');
  return folder.localPaths(isOrdered ? files : files.toSorted((a, b) => b.rows - a.rows));
}
