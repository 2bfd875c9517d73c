import { deleteProject as remove } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';

export const deleteProject: Handler<'deleteProject'> = async ({ path }, { db, bell, background }) => {
  const deleted = await db.transaction((tx) => remove(tx, path.projectId));
  // Their workflows wait for messages: rung, they find no row and end. One that is missed ends when it has been idle for long.
  background('telling the workflows of deleted jobs', async () => {
    for (const job of deleted) await bell.ring(job, { reason: 'check' });
  });
  return { status: 204 };
};
