import { findProject, projectNotFound, updateProject as update } from '../../store/projects.ts';
import { identityOf } from '../../store/repository-identity.ts';
import type { Handler } from '../contract/handler.ts';
import { presentProject } from '../presenters/project.ts';
import { checkedRepository, siteOf, type Checked } from './checked-repository.ts';
import { knownModel } from './known-model.ts';
import { settingsIn } from './project-settings.ts';

export const updateProject: Handler<'updateProject'> = async ({ path, body, request }, services) => {
  const { db } = services;
  const current = await findProject(db, path.projectId);
  if (!current) throw projectNotFound(path.projectId);
  if (body.model !== undefined) await knownModel(services, body.model, request.caller);
  const checked =
    body.repository === undefined && body.ref === undefined && body.settings?.site === undefined
      ? null
      : await checkedRepository(services, {
          // A URL that is given names what is there now; without one, the project's own repository is meant.
          ...(body.repository === undefined ? identityOf(current) : { repository: body.repository }),
          ref: body.ref ?? current.ref,
          host: body.repository === undefined && current.host !== 'local' ? current.host : undefined,
          caller: request.caller,
          docsDir: body.docsDir ?? current.docsDir,
          site: body.settings?.site === undefined ? current.settings.site : body.settings.site,
        });
  const project = await db.transaction((tx) =>
    update(tx, path.projectId, {
      ...(body.repository !== undefined && checked ? newRepository(checked) : {}),
      ref: checked?.ref,
      docsDir: body.docsDir,
      model: body.model,
      settings: body.settings && settingsIn(body.settings),
    }),
  );
  return { status: 200, body: { ...presentProject(project), ...(checked && { site: siteOf(checked) }) } };
};

function newRepository({ host, repository, repositoryId }: Checked) {
  return { host, repository, repositoryId: repositoryId ?? null };
}
