import { codeHostNotFound, findCodeHost, replaceCredential, sealCredential } from '../../store/code-hosts.ts';
import type { Handler } from '../contract/handler.ts';
import { presentHost } from '../presenters/host.ts';
import { checkedAccount, mustSeal } from './checked-account.ts';

export const updateHost: Handler<'updateHost'> = async ({ path, body, request }, services) => {
  const { db, secrets } = services;
  const before = await findCodeHost(db, path.hostId);
  if (!before) throw codeHostNotFound(path.hostId);
  const sealed = mustSeal(() => sealCredential(secrets, before, body.credential.trim()));
  const row = await replaceCredential(db, before.id, sealed);
  try {
    const account = await checkedAccount(services, before.id, request.caller);
    return { status: 200, body: { ...presentHost(row), account } };
  } catch (err) {
    await replaceCredential(db, before.id, { box: before.credential, keyId: before.keyId });
    throw err;
  }
};
