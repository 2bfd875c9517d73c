import { once, findAnswer, type IdempotentRequest, type Once } from '../../jobs/idempotency.ts';
import { holdCodeHost } from '../../store/hosts/code-hosts.ts';
import { findProject, projectNotFound } from '../../store/projects/projects.ts';
import {
  deleteSource as remove,
  findSource,
  insertSource,
  listSources as list,
  updateSource as change,
  type SourceRow,
} from '../../store/projects/sources.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import type { ApiServices } from '../services.ts';
import { checkedSource } from './checked-repository.ts';

type Source = components['schemas']['Source'];
type Created = { status: 201; body: Source };

export const createSource: Handler<'createSource'> = async ({ path, body, request }, services) => {
  const key = idempotent(request, services, path.projectId);
  const repeated = key && (await findAnswer<Created>(services.db, key));
  const answer = repeated ?? (await checkAndCreate(path.projectId, body, { key, caller: request.caller }, services));
  return { ...answer, headers: replayHeaders(answer) };
};

/** Checking the repository is slow: it happens before the transaction. */
async function checkAndCreate(
  projectId: string,
  body: components['schemas']['NewSource'],
  { key, caller }: { key: IdempotentRequest | null; caller: string },
  services: ApiServices,
): Promise<Once<Created>> {
  const { db } = services;
  if (!(await findProject(db, projectId))) throw projectNotFound(projectId);
  const checked = await checkedSource(services, {
    repository: body.repository,
    ref: body.ref ?? null,
    host: body.host,
    caller,
  });
  return once<Created>(db, key, async (tx) => {
    if (checked.host !== 'local') await holdCodeHost(tx, checked.host);
    const { host, repository, repositoryId, ref } = checked;
    const paths = [...new Set(body.paths ?? [])];
    const row = await insertSource(tx, { projectId, name: body.name, host, repository, repositoryId, ref, paths });
    return { status: 201, body: presentSource(row) };
  });
}

export const listSources: Handler<'listSources'> = async ({ path }, { db }) => {
  const rows = await list(db, path.projectId);
  if (rows.length === 0 && !(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  return { status: 200, body: { sources: rows.map(presentSource) } };
};

/** A new branch is checked before it is kept: slow, and so outside of a transaction. */
export const updateSource: Handler<'updateSource'> = async ({ path, body, request }, services) => {
  const { db } = services;
  const { projectId, sourceName: name } = path;
  if (!(await findProject(db, projectId))) throw projectNotFound(projectId);
  const { host, repository, repositoryId } = await findSource(db, projectId, name);
  const checked =
    body.ref === undefined
      ? null
      : await checkedSource(services, { host, repository, repositoryId, ref: body.ref, caller: request.caller });
  const row = await change(
    db,
    { projectId, name },
    { ...(checked && { ref: checked.ref }), ...(body.paths && { paths: [...new Set(body.paths)] }) },
  );
  return { status: 200, body: presentSource(row) };
};

export const deleteSource: Handler<'deleteSource'> = async ({ path }, { db }) => {
  if (!(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  await remove(db, path.projectId, path.sourceName);
  return { status: 204 };
};

function presentSource({ name, host, repository, ref, paths, createdAt }: SourceRow): Source {
  return { name, repository, host, ref, paths, createdAt: createdAt.toISOString() };
}
