import { AppError } from '../../platform/errors.ts';
import {
  deletePerson as remove,
  findPerson,
  listPeople as list,
  type PersonRow,
  updatePerson as update,
} from '../../store/access/people.ts';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { presentPersonRecord } from '../presenters/person.ts';
import { timePage } from '../presenters/cursor.ts';

export const listPeople: Handler<'listPeople'> = async ({ query }, { db }) => {
  const { rows, nextCursor } = await timePage(query, (at) => list(db, at));
  return { status: 200, body: { people: rows.map(presentPersonRecord), nextCursor } };
};

export const getPerson: Handler<'getPerson'> = async ({ path }, { db }) => {
  return tagged(presentPersonRecord(await findPerson(db, path.personId)));
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
  return tagged(presentPersonRecord(row));
};

export const deletePerson: Handler<'deletePerson'> = async ({ path, request }, { db, signIns }) => {
  await db.transaction(async (tx) => {
    refuseUnlessMatched(request.ifMatch, presentPersonRecord(await remove(tx, path.personId)));
  });
  signIns.forget();
  return { status: 204 };
};
