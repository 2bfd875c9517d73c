import { AppError } from '../../platform/errors.ts';
import { holdCodeHost } from '../../store/code-hosts.ts';
import { findInstallationModel } from '../../store/installation-model.ts';
import { findAnswer, type IdempotentRequest, once, type Once } from '../../jobs/idempotency.ts';
import {
  createProject as create,
  deleteProject as remove,
  findProject,
  identityOf,
  listProjects as list,
  projectExists,
  projectNotFound,
  refuseReservedId,
  updateProject as update,
} from '../../store/projects.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { pageOf, readIdCursor } from '../presenters/cursor.ts';
import { presentProject } from '../presenters/project.ts';
import type { ApiServices } from '../services.ts';
import { knownModel } from './known-model.ts';
import { changedDocsSettings, type Checked, checkedRepository, refuseAbsent } from './checked-repository.ts';

type Created = { status: 201; body: components['schemas']['Project'] };

const createProject: Handler<'createProject'> = async ({ body, request }, services) => {
  const key = idempotent(request, services, '*');
  // Looking at the repository is slow: it happens before the transaction, and not at all for a repeat.
  const repeated = key && (await findAnswer<Created>(services.db, key));
  const answer = repeated ?? (await checkAndCreate(body, key, services, request.caller));
  const location = services.pathOf(`/v1/projects/${answer.body.id}`);
  return { ...answer, headers: { Location: location, ...replayHeaders(answer) } };
};

async function checkAndCreate(
  body: components['schemas']['NewProject'],
  key: IdempotentRequest | null,
  services: ApiServices,
  caller: string,
): Promise<Once<Created>> {
  const { db, config } = services;
  refuseReservedId(body.id);
  if (await findProject(db, body.id)) throw projectExists(body.id);
  const installed = await findInstallationModel(db, config.model);
  const model = await knownModel(services, body.model ?? installed.model, caller);
  const checked = await checkedRepository(services, {
    repository: body.repository,
    ref: body.ref ?? null,
    host: body.host,
    caller,
    docsDir: body.docsDir ?? '',
    settings: body.settings ?? {},
  });
  refuseAbsent(checked);
  return once<Created>(db, key, async (tx) => {
    if (checked.host !== 'local') await holdCodeHost(tx, checked.host);
    const project = await create(tx, {
      id: body.id,
      host: checked.host,
      repository: checked.repository,
      repositoryId: checked.repositoryId,
      ref: checked.ref,
      docsDir: body.docsDir ?? '',
      model,
      namesModel: typeof body.model === 'string',
      settings: body.settings,
    });
    return { status: 201, body: { ...presentProject(project, installed), site: checked.site } };
  });
}

const listProjects: Handler<'listProjects'> = async ({ query }, { db, config }) => {
  const installed = await findInstallationModel(db, config.model);
  const found = await list(db, { limit: query.limit + 1, after: readIdCursor(query.cursor) });
  const { rows, nextCursor } = pageOf(found, query.limit, (last) => last.id);
  return { status: 200, body: { projects: rows.map((row) => presentProject(row, installed)), nextCursor } };
};

const getProject: Handler<'getProject'> = async ({ path }, { db, config }) => {
  const project = await findProject(db, path.projectId);
  if (!project) throw projectNotFound(path.projectId);
  return { status: 200, body: presentProject(project, await findInstallationModel(db, config.model)) };
};

/** Looked up on the base branch when it is asked for: the next job reads the same there, unless somebody commits. */
const getProjectInstructions: Handler<'getProjectInstructions'> = async ({ path, request }, services) => {
  const project = await findProject(services.db, path.projectId);
  if (!project) throw projectNotFound(path.projectId);
  const { ref, commit, instructions } = await checkedRepository(services, {
    ...identityOf(project),
    ref: project.ref,
    host: project.host === 'local' ? undefined : project.host,
    docsDir: project.docsDir,
    // A site that is not there any more is another question.
    settings: { ...project.settings, site: null },
    caller: request.caller,
  });
  if (!instructions) {
    throw new AppError('unavailable', 'The repository could not be read in time. Try again.', {
      retryAfterSeconds: 10,
    });
  }
  const toldCharacters = instructions.reduce((sum, file) => sum + file.toldCharacters, 0);
  return { status: 200, body: { ref, commit, toldCharacters, files: instructions } };
};

const updateProject: Handler<'updateProject'> = async ({ path, body, request }, services) => {
  const { db, config } = services;
  const current = await findProject(db, path.projectId);
  if (!current) throw projectNotFound(path.projectId);
  const installed = await findInstallationModel(db, config.model);
  if (typeof body.model === 'string') await knownModel(services, body.model, request.caller);
  const docsSettings = changedDocsSettings(current.settings, body.settings);
  const checked =
    body.repository === undefined && body.ref === undefined && docsSettings === undefined
      ? null
      : await checkedRepository(services, {
          // A URL that is given names what is there now; without one, the project's own repository is meant.
          ...(body.repository === undefined ? identityOf(current) : { repository: body.repository }),
          ref: body.ref ?? current.ref,
          host: body.repository === undefined && current.host !== 'local' ? current.host : undefined,
          caller: request.caller,
          docsDir: body.docsDir ?? current.docsDir,
          settings: docsSettings ?? current.settings,
        });
  if (checked) refuseAbsent(checked);
  const project = await db.transaction((tx) =>
    update(tx, path.projectId, {
      ...(body.repository !== undefined && checked ? newRepository(checked) : {}),
      ref: checked?.ref,
      docsDir: body.docsDir,
      ...(body.model === undefined ? {} : { model: body.model ?? installed.model, namesModel: body.model !== null }),
      settings: body.settings,
    }),
  );
  return { status: 200, body: { ...presentProject(project, installed), ...(checked && { site: checked.site }) } };
};

function newRepository({ host, repository, repositoryId }: Checked) {
  return { host, repository, repositoryId };
}

const deleteProject: Handler<'deleteProject'> = async ({ path }, { db, jobWorkflows, background }) => {
  const deleted = await db.transaction((tx) => remove(tx, path.projectId));
  // Their workflows wait for messages: signalled, they find no row and end. One that is missed ends when it has been idle for long.
  background('telling the workflows of deleted jobs', async () => {
    for (const job of deleted) await jobWorkflows.signal(job, { reason: 'check' });
  });
  return { status: 204 };
};

export const projectRoutes = {
  createProject,
  listProjects,
  getProject,
  getProjectInstructions,
  updateProject,
  deleteProject,
} satisfies Partial<Handlers>;
