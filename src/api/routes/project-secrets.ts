import {
  deleteProjectSecret as remove,
  listProjectSecrets as list,
  setProjectSecret as set,
  type NamedSecret,
} from '../../store/projects/project-secrets.ts';
import type { Handler } from '../contract/handler.ts';
import { checkedWebhookSecret } from './webhook-url.ts';
import { requireProject } from '../../store/projects/projects.ts';

export const listProjectSecrets: Handler<'listProjectSecrets'> = async ({ path: { projectId } }, { db }) => {
  const rows = await list(db, projectId);
  if (rows.length === 0) await requireProject(db, projectId);
  return { status: 200, body: { secrets: rows.map(presentSecret) } };
};

export const setProjectSecret: Handler<'setProjectSecret'> = async ({ path, body }, { db, secrets }) => {
  const { projectId, secretName: name } = path;
  const value = checkedWebhookSecret(body.value, 'value');
  const row = await db.transaction((tx) => set(tx, secrets, { projectId, name, value }));
  return { status: 200, body: presentSecret(row) };
};

export const deleteProjectSecret: Handler<'deleteProjectSecret'> = async ({ path }, { db }) => {
  const { projectId, secretName: name } = path;
  await remove(db, { projectId, name });
  return { status: 204 };
};

function presentSecret({ name, updatedAt }: NamedSecret) {
  return { name, updatedAt: updatedAt.toISOString() };
}
