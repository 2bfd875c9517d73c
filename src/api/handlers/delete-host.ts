import { deleteCodeHost } from '../../store/code-hosts.ts';
import type { Handler } from '../contract/handler.ts';

export const deleteHost: Handler<'deleteHost'> = async ({ path }, { db }) => {
  await db.transaction((tx) => deleteCodeHost(tx, path.hostId));
  return { status: 204 };
};
