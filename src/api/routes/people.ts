import { AppError } from '../../platform/errors.ts';
import {
  deletePerson as remove,
  findPerson,
  listPeople as list,
  type PersonRow,
  updatePerson as update,
} from '../../store/access/people.ts';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched, taggedAs } from '../middleware/entity-tag.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { presentPersonRecord } from '../presenters/person.ts';

export const listPeople: Handler<'listPeople'> = async ({ query }, { db }) => {
  const found = await list(db, { limit: query.limit + 1, before: readTimeCursor(query.cursor) });
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf);
  return { status: 200, body: { people: rows.map(presentPersonRecord), nextCursor } };
};

export const getPerson: Handler<'getPerson'> = async ({ path }, { db }) => {
  const shown = presentPersonRecord(await findPerson(db, path.personId));
  return { status: 200, body: shown, headers: taggedAs(shown) };
};

export const updatePerson: Handler<'updatePerson'> = async ({ path, body, request }, { db, signIns }) => {
  if (body.roleFromProvider && (body.role !== undefined || body.projectIds !== undefined)) {
    throw new AppError('bad_request', 'Send either `roleFromProvider`, or `role` and `projectIds`.', {
      param: 'roleFromProvider',
    });
  }
  const check = (before: PersonRow) => refuseUnlessMatched(request.ifMatch, presentPersonRecord(before));
  const row = await db.transaction((tx) => update(tx, path.personId, body, check));
  signIns.forget();
  const shown = presentPersonRecord(row);
  return { status: 200, body: shown, headers: taggedAs(shown) };
};

export const deletePerson: Handler<'deletePerson'> = async ({ path, request }, { db, signIns }) => {
  await db.transaction(async (tx) => {
    refuseUnlessMatched(request.ifMatch, presentPersonRecord(await remove(tx, path.personId)));
  });
  signIns.forget();
  return { status: 204 };
};
