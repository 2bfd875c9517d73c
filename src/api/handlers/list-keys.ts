import { listKeys as list } from '../../store/keys.ts';
import type { Handler } from '../contract/handler.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { presentKey } from '../presenters/key.ts';

export const listKeys: Handler<'listKeys'> = async ({ query }, { db }) => {
  const found = await list(db, {
    projectId: query.projectId,
    limit: query.limit + 1,
    before: readTimeCursor(query.cursor),
  });
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf);
  return { status: 200, body: { keys: rows.map(presentKey), nextCursor } };
};
