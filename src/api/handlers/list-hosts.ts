import { listCodeHosts } from '../../store/code-hosts.ts';
import type { Handler } from '../contract/handler.ts';
import { presentHost } from '../presenters/host.ts';

export const listHosts: Handler<'listHosts'> = async (_input, { db }) => ({
  status: 200,
  body: { hosts: (await listCodeHosts(db)).map(presentHost) },
});
