import { findProject, projectNotFound, updateProject as update } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';
import { presentProject } from '../presenters/project.ts';
import { checkedRepository } from './checked-repository.ts';
import { knownModel } from './known-model.ts';
import { settingsIn } from './project-settings.ts';

export const updateProject: Handler<'updateProject'> = async ({ path, body }, services) => {
  const { db } = services;
  const current = await findProject(db, path.projectId);
  if (!current) throw projectNotFound(path.projectId);
  if (body.model !== undefined) await knownModel(services, body.model);
  const checked =
    body.repository === undefined && body.ref === undefined
      ? null
      : await checkedRepository(services, {
          repository: body.repository ?? current.repository,
          ref: body.ref ?? current.ref,
          host: body.repository === undefined && current.host !== 'local' ? current.host : undefined,
        });
  const project = await db.transaction((tx) =>
    update(tx, path.projectId, {
      host: checked?.host,
      repository: checked?.repository,
      ref: checked?.ref,
      docsDir: body.docsDir,
      model: body.model,
      settings: body.settings && settingsIn(body.settings),
    }),
  );
  return { status: 200, body: presentProject(project) };
};
