import { revokeKey as revoke } from '../../store/keys.ts';
import type { Handler } from '../contract/handler.ts';
import { presentKey } from '../presenters/key.ts';

export const revokeKey: Handler<'revokeKey'> = async ({ path }, { db }) => {
  return { status: 200, body: presentKey(await revoke(db, path.keyId)) };
};
