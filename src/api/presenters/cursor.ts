import { AppError } from '../../platform/errors.ts';

/** Where a page that is newest first ended. */
export interface TimeCursor {
  createdAt: Date;
  id: string;
}

const TIME_CURSOR = /^(\d{1,14})\.([0-9A-Za-z_-]{1,64})$/;
const ID_CURSOR = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** @throws AppError `bad_request` for a text that no page gave out */
export function readTimeCursor(cursor: string | undefined): TimeCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, time, id] = TIME_CURSOR.exec(decode(cursor)) ?? [];
  const createdAt = new Date(Number(time));
  if (id === undefined || Number.isNaN(createdAt.getTime())) throw badCursor();
  return { createdAt, id };
}

/** @throws AppError `bad_request` for a text that no page gave out */
export function readIdCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = decode(cursor);
  if (!ID_CURSOR.test(id)) throw badCursor();
  return id;
}

/**
 * Cuts off the row that was read beyond the limit to see whether there are more.
 * @param rows up to `limit + 1` of them
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { rows: readonly Row[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { rows, nextCursor: null };
  return { rows: rows.slice(0, limit), nextCursor: encode(cursorOf(last)) };
}

export function timeCursorOf(row: TimeCursor): string {
  return `${row.createdAt.getTime()}.${row.id}`;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

function badCursor(): AppError {
  return new AppError('bad_request', '`cursor` is not a `nextCursor` of this list.', { param: 'cursor' });
}
