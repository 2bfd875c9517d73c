import { codeHostNotFound, findCodeHost } from '../../store/code-hosts.ts';
import type { Handler } from '../contract/handler.ts';

export const checkHost: Handler<'checkHost'> = async ({ path, body, request }, { db, workflows }) => {
  if (!(await findCodeHost(db, path.hostId))) throw codeHostNotFound(path.hostId);
  const { ok, account, problems } = await workflows.checkHost(
    { host: path.hostId, repository: body.repository ?? null, ref: body.ref ?? null },
    request.caller,
  );
  return { status: 200, body: { ok, account, problems } };
};
