import { createHash } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';

/** The end of a page of a newest-first list. */
export interface TimeCursor {
  createdAt: Date;
  id: string;
}

const TIME_CURSOR = /^(\d{1,14})\.([0-9A-Za-z_-]{1,64})$/;
const STEP_CURSOR = /^(\d{1,9})\.(\d{1,9})$/;
const ID_CURSOR = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The filters of a list's query. Absent and undefined are the same. */
export type ListFilters = Readonly<Record<string, unknown>>;

/** @throws AppError `bad_request` for an invalid cursor, or one of a list with other filters */
export function readTimeCursor(cursor: string | undefined, filters: ListFilters = {}): TimeCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, time, id] = TIME_CURSOR.exec(ofFilters(decode(cursor), filters)) ?? [];
  const createdAt = new Date(Number(time));
  if (id === undefined || Number.isNaN(createdAt.getTime())) throw badCursor();
  return { createdAt, id };
}

/** The same for rows with numeric ids. @throws AppError `bad_request` as there */
export function readNumberedTimeCursor(cursor: string | undefined, filters: ListFilters = {}): TimeCursor | undefined {
  const read = readTimeCursor(cursor, filters);
  if (read && !/^\d{1,15}$/.test(read.id)) throw badCursor();
  return read;
}

/** @throws AppError `bad_request` for a text that no page gave out */
export function readIdCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = decode(cursor);
  if (!ID_CURSOR.test(id)) throw badCursor();
  return id;
}

/** The end of a page of steps. @throws AppError `bad_request` for an invalid cursor */
export function readStepCursor(cursor: string | undefined): { turnNo: number; stepNo: number } | null {
  if (cursor === undefined) return null;
  const [, turnNo, stepNo] = STEP_CURSOR.exec(decode(cursor)) ?? [];
  if (stepNo === undefined) throw badCursor();
  return { turnNo: Number(turnNo), stepNo: Number(stepNo) };
}

export function stepCursorOf({ turnNo, stepNo }: { turnNo: number; stepNo: number }): string {
  return `${turnNo}.${stepNo}`;
}

/** @throws AppError `bad_request` for a text that no page gave out */
export function readNumberCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const number = decode(cursor);
  if (!/^\d{1,9}$/.test(number)) throw badCursor();
  return Number(number);
}

/**
 * Cuts off the row beyond the limit.
 * @param rows up to `limit + 1`
 * @param filters that the cursor is bound to
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
  filters: ListFilters = {},
): { rows: readonly Row[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: null };
  return { rows: rows.slice(0, limit), nextCursor: encode(`${cursorOf(last)}${tagOf(filters)}`) };
}

/** A page of a newest-first list. @param filters that its cursors are bound to */
export async function timePage<Row extends TimeCursor>(
  { limit, cursor }: { limit: number; cursor?: string },
  read: (at: { limit: number; before: TimeCursor | undefined }) => Promise<readonly Row[]>,
  filters: ListFilters = {},
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> {
  const found = await read({ limit: limit + 1, before: readTimeCursor(cursor, filters) });
  return pageOf(found, limit, timeCursorOf, filters);
}

export function timeCursorOf(row: TimeCursor): string {
  return `${row.createdAt.getTime()}.${row.id}`;
}

/** A cursor's end: `~` and the filters' hash, or '' without filters. */
function tagOf(filters: ListFilters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  const words = JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `~${createHash('sha256').update(words).digest('base64url').slice(0, 16)}`;
}

function ofFilters(text: string, filters: ListFilters): string {
  const at = text.lastIndexOf('~');
  const [said, tag] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
  if (tag === tagOf(filters)) return said;
  throw new AppError(
    'bad_request',
    '`cursor` belongs to a list with other filters. Send the same filters, or start without it.',
  );
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

export function badCursor(): AppError {
  return new AppError('bad_request', '`cursor` is not a `nextCursor` of this list.');
}
