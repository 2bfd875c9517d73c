import { DAY_MS } from '@docent/base/time';
import { AppError } from '../../platform/errors.ts';
import { holdCodeHost } from '../../store/hosts/code-hosts.ts';
import {
  findInstallationModel,
  modelOfProject,
  type InstallationModel,
} from '../../store/installation/installation-model.ts';
import {
  createProject as create,
  deleteProject as remove,
  findProject,
  identityOf,
  listProjects as list,
  projectExists,
  type ProjectRow,
  refuseReservedId,
  updateProject as update,
  repositoryUrl,
  requireProject,
} from '../../store/projects/projects.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { projectsOf, refuseUnlessOfAll } from '../middleware/authorize.ts';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { pageOf, readIdCursor } from '../presenters/cursor.ts';
import type { ApiServices } from '../services.ts';
import { dollarSetting, knownModel } from './known-model.ts';
import {
  changesWhatIsChecked,
  type Checked,
  checkedRepository,
  refuseAbsent,
  refuseUnverified,
  settingsToCheck,
} from './checked-repository.ts';
import { DEFAULT_SALTS } from '../../store/analytics-settings.ts';
import { completeSettings } from '../../store/projects/project-settings.ts';
import { checkThenAnswerOnce } from '../middleware/idempotency.ts';

export function presentProject(project: ProjectRow, installed: InstallationModel): components['schemas']['Project'] {
  return {
    id: project.id,
    host: project.host,
    repository: project.repository,
    repositoryUrl: repositoryUrl(project),
    ref: project.ref,
    docsDir: project.docsDir,
    ...modelOfProject(project, installed),
    settings: completeSettings(project.settings),
    analyticsSalts: (project.settings.analyticsSalts ?? DEFAULT_SALTS).map(({ policy, fromDay }) => ({
      policy,
      from: fromDay === null ? null : new Date(fromDay * DAY_MS).toISOString().slice(0, 10),
    })),
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  };
}

type Created = { status: 201; body: components['schemas']['Project'] };

export const createProject: Handler<'createProject'> = async ({ body, request }, services) => {
  const answer = await checkThenAnswerOnce<Created>(request, services, '*', async () => {
    const { db, config } = services;
    const { caller } = request;
    refuseReservedId(body.id);
    if (await findProject(db, body.id)) throw projectExists(body.id);
    const installed = await findInstallationModel(db, config.model);
    await knownModel(services, body.model ?? installed.model, caller, { dollars: dollarSetting(body.settings ?? {}) });
    const checked = await checkedRepository(services, {
      repository: body.repository,
      ref: body.ref ?? null,
      host: body.host,
      caller,
      docsDir: body.docsDir ?? '',
      settings: body.settings ?? {},
    });
    refuseAbsent(checked);
    await refuseUnverified(db, checked.host, body.settings ?? {});
    return async (tx) => {
      if (checked.host !== 'local') await holdCodeHost(tx, checked.host);
      const project = await create(tx, {
        id: body.id,
        host: checked.host,
        repository: checked.repository,
        repositoryId: checked.repositoryId,
        ref: checked.ref,
        followsDefaultBranch: typeof body.ref !== 'string',
        docsDir: body.docsDir ?? '',
        model: body.model ?? null,
        settings: body.settings,
      });
      return { status: 201, body: { ...presentProject(project, installed), site: checked.site } };
    };
  });
  const location = services.pathOf(`/v1/projects/${answer.body.id}`);
  return { ...answer, headers: { Location: location, ...answer.headers } };
};

export const listProjects: Handler<'listProjects'> = async ({ query, request }, { db, config }) => {
  const installed = await findInstallationModel(db, config.model);
  const found = await list(db, {
    limit: query.limit + 1,
    after: readIdCursor(query.cursor),
    only: projectsOf(request.principal),
  });
  const { rows, nextCursor } = pageOf(found, query.limit, (last) => last.id);
  return { status: 200, body: { projects: rows.map((row) => presentProject(row, installed)), nextCursor } };
};

export const getProject: Handler<'getProject'> = async ({ path }, { db, config }) => {
  const project = await requireProject(db, path.projectId);
  return { status: 200, body: presentProject(project, await findInstallationModel(db, config.model)) };
};

/** Read from the base branch now: the next job reads the same, unless there is a commit in between. */
export const getProjectInstructions: Handler<'getProjectInstructions'> = async ({ path, request }, services) => {
  const project = await requireProject(services.db, path.projectId);
  const { ref, commit, instructions } = await checkedRepository(services, {
    ...identityOf(project),
    ref: baseOf(project),
    host: hostOf(project),
    docsDir: project.docsDir,
    // A missing site is reported elsewhere.
    settings: { ...settingsToCheck(project.settings), site: null },
    caller: request.caller,
  });
  if (!instructions) {
    throw new AppError('unavailable', 'The repository could not be read in time. Try again.', {
      retryAfterSeconds: 10,
    });
  }
  const includedCharacters = instructions.reduce((sum, file) => sum + file.includedCharacters, 0);
  return { status: 200, body: { ref, commit, includedCharacters, files: instructions } };
};

export const updateProject: Handler<'updateProject'> = async ({ path, body, request }, services) => {
  const { db, config } = services;
  // The installation decides what Docent can reach: a project's admin cannot choose another repository.
  if (namesRepository(body)) refuseUnlessOfAll(request.principal);
  const current = await requireProject(db, path.projectId);
  const installed = await findInstallationModel(db, config.model);
  // Checked again under the lock. This saves a request to the repository.
  refuseUnlessMatched(request.ifMatch, presentProject(current, installed));
  await checkModelChange(services, current, body, request.caller);
  const checked = isPlaceChanged(current, body) ? await checkedChange(services, current, body, request.caller) : null;
  if (checked) refuseAbsent(checked);
  if (checked || body.settings?.verifiedCommits !== undefined) {
    await refuseUnverified(db, checked?.host ?? current.host, { ...current.settings, ...body.settings });
  }
  const project = await db.transaction(async (tx) => {
    const moved = newPlace(body, checked);
    if (moved.host !== undefined && moved.host !== 'local') await holdCodeHost(tx, moved.host);
    const change = {
      ...moved,
      ref: body.ref === undefined ? undefined : checked?.ref,
      docsDir: body.docsDir,
      model: body.model,
      settings: body.settings,
    };
    return update(tx, path.projectId, change, {
      check: (row) => refuseUnlessMatched(request.ifMatch, presentProject(row, installed)),
    });
  });
  const shown = presentProject(project, installed);
  return tagged({ ...shown, ...(checked && { site: checked.site }) }, shown);
};

/** A new model, or a model with a new budget in dollars. */
async function checkModelChange(services: ApiServices, current: ProjectRow, body: Change, caller: string) {
  const isNew = typeof body.model === 'string';
  if (!isNew && dollarSetting(body.settings ?? {}) === null) return;
  const installed = await findInstallationModel(services.db, services.config.model);
  const { model } = modelOfProject({ model: body.model === undefined ? current.model : body.model }, installed);
  await knownModel(services, model, caller, { dollars: dollarSetting({ ...current.settings, ...body.settings }) });
}

type Change = components['schemas']['ProjectChange'];

/** Whether the location of the project's work changes and must be checked again. */
function isPlaceChanged(current: ProjectRow, { ref, docsDir, settings, ...body }: Change): boolean {
  const isElsewhere = docsDir !== undefined && docsDir !== current.docsDir;
  return namesRepository(body) || ref !== undefined || isElsewhere || changesWhatIsChecked(settings);
}

function namesRepository({ repository, host }: Change): boolean {
  return repository !== undefined || host !== undefined;
}

/** A given URL or host means the repository that is there now; else the project's own is used. */
function checkedChange(services: ApiServices, current: ProjectRow, body: Change, caller: string): Promise<Checked> {
  const { settings } = current;
  const isOwn = !namesRepository(body);
  return checkedRepository(services, {
    ...(isOwn ? identityOf(current) : { repository: body.repository ?? current.repository }),
    ref: body.ref ?? baseOf(current),
    host: isOwn ? hostOf(current) : body.host,
    caller,
    docsDir: body.docsDir ?? current.docsDir,
    settings: settingsToCheck(settings, body.settings),
  });
}

/** Null for a project that follows the repository's default branch, which may have been renamed. */
function baseOf({ ref, settings }: ProjectRow): string | null {
  return settings.followsDefaultBranch ? null : ref;
}

function hostOf({ host }: ProjectRow): string | undefined {
  return host === 'local' ? undefined : host;
}

type Place = Partial<Pick<ProjectRow, 'host' | 'repository' | 'repositoryId'>>;

function newPlace(body: Change, checked: Checked | null): Place {
  if (checked === null || !namesRepository(body)) return {};
  const { host, repository, repositoryId } = checked;
  return { host, repository, repositoryId };
}

export const deleteProject: Handler<'deleteProject'> = async ({ path, request }, services) => {
  const { db, config, jobWorkflows, background } = services;
  const installed = await findInstallationModel(db, config.model);
  const check = (row: ProjectRow) => refuseUnlessMatched(request.ifMatch, presentProject(row, installed));
  const deleted = await db.transaction((tx) => remove(tx, path.projectId, check));
  // Open runs find no row when they are signaled, and end. A missed one ends later on its own.
  background('telling the workflows of deleted jobs', async () => {
    for (const job of deleted) await jobWorkflows.signalOpen(job, { reason: 'check' });
  });
  return { status: 204 };
};
