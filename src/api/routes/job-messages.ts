import { setImmediate as afterOthers } from 'node:timers/promises';
import { findSecrets, withoutSecrets } from '@docent/find-secrets/find-secrets';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { AppError } from '../../platform/errors.ts';
import { attachmentsById } from '../../store/jobs/attachments.ts';
import { readConversation, type ConversationEntry } from '../../store/jobs/conversation.ts';
import type { Db } from '../../store/database.ts';
import { findProject } from '../../store/projects/projects.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { presentAttachment } from '../presenters/attachment.ts';
import { pageOf, readNumberCursor } from '../presenters/cursor.ts';
import { requireJob } from '../../store/jobs/jobs.ts';

export const listJobMessages: Handler<'listJobMessages'> = async ({ path, query }, { db }) => {
  await requireJob(db, path.projectId, path.id);
  const { order, limit } = query;
  const after = readNumberCursor(query.cursor);
  const found = await readConversation(db, path.id, { order, after, limit: limit + 1 });
  const { rows, nextCursor } = pageOf(found, limit, ({ no }) => String(no));
  return { status: 200, body: { messages: await present(db, path.projectId, rows), nextCursor } };
};

export const getJobMessage: Handler<'getJobMessage'> = async ({ path }, { db }) => {
  await requireJob(db, path.projectId, path.id);
  const no = Number(path.no);
  const [found] = await readConversation(db, path.id, { order: 'asc', after: no - 1, limit: 1 });
  const [message] = found ? await present(db, path.projectId, [found]) : [];
  if (!message) throw new AppError('message_not_found', `The job has no message ${no}.`);
  return { status: 200, body: message };
};

async function present(
  db: Db,
  projectId: string,
  said: readonly ConversationEntry[],
): Promise<components['schemas']['JobMessage'][]> {
  const project = await findProject(db, projectId);
  const { allowedSecrets: allowed } = effectiveSettings(project?.settings);
  const files = await attachmentsById(
    db,
    said.flatMap(({ attachments }) => attachments),
  );
  const presented: components['schemas']['JobMessage'][] = [];
  // One after the other: scanning the longest takes about 20 ms, and other requests get their turn in
  // between.
  for (const { no, id, role, text, state, turn, outcome, attachments, createdAt } of said) {
    await afterOthers();
    const secrets = (await findSecrets(text)).filter((secret) => !allowed.includes(secret.id));
    presented.push({
      no,
      id,
      role,
      text: withoutSecrets(text, secrets),
      state,
      turn,
      outcome,
      attachments: attachments.flatMap((one) => {
        const file = files.get(one);
        return file ? [presentAttachment(file)] : [];
      }),
      createdAt: createdAt.toISOString(),
    });
  }
  return presented;
}
