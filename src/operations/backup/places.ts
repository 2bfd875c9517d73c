import path from 'node:path';
import { TEMPORAL } from './archive.ts';
import { SECRET_FILES } from '../../start/home.ts';
import { Expected } from '../../platform/errors.ts';

/** The destination of a backup's entry. */
export type Place =
  | { kind: 'rows'; table: string }
  /** @property mode of files in a repository; others are only readable by the owner */
  | { kind: 'file'; path: string; mode?: number }
  /** It has no place in this target. */
  | { kind: 'nowhere' };

const ROWS = /^tables\/([a-z_]+)\/\d{6}\.gz$/;
const ANALYTICS = /^(?:identity\.json|(?:wal|files|set-aside\/unnamed|set-aside\/unread)\/.+)$/;
/** The files of a home that Docent itself creates. */
const OWN = new Set([
  'analytics',
  'cache',
  'lock',
  'logs',
  ...SECRET_FILES,
  'operator-token',
  'postgres',
  'processes.json',
  'run.json',
  'secret-key',
  'temporal',
]);

/**
 * An entry's target, always below the given folders.
 * @throws Expected `backup_damaged` for an unknown name
 */
export function placeOf(name: string, { home, analyticsRoot }: { home: string | null; analyticsRoot: string }): Place {
  const table = ROWS.exec(name)?.[1];
  if (table !== undefined) return { kind: 'rows', table };
  const [top, ...rest] = name.split('/');
  const inside = rest.join('/');
  if (top === 'analytics' && ANALYTICS.test(inside)) return { kind: 'file', path: insideOf(analyticsRoot, inside) };
  if (top === 'home' && rest[0] !== undefined && (!OWN.has(rest[0]) || name === TEMPORAL)) {
    if (home === null) return { kind: 'nowhere' };
    const at = insideOf(home, inside);
    return inside === 'state.json' || name === TEMPORAL
      ? { kind: 'file', path: at }
      : { kind: 'file', path: at, mode: 0o755 };
  }
  throw new Expected('backup_damaged', `The backup is damaged or forged: unexpected entry ${JSON.stringify(name)}.`);
}

/** @throws Expected `backup_damaged` for a path that leads elsewhere */
export function insideOf(root: string, name: string): string {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part))) {
    throw new Expected('backup_damaged', `The backup is damaged or forged: unexpected file ${JSON.stringify(name)}.`);
  }
  return path.join(root, ...parts);
}
