import { once, findAnswer, type IdempotentRequest, type Once } from '../../jobs/idempotency.ts';
import { holdCodeHost } from '../../store/hosts/code-hosts.ts';
import { findProject, projectNotFound } from '../../store/projects/projects.ts';
import {
  deleteSource as remove,
  insertSource,
  listSources as list,
  type SourceRow,
} from '../../store/projects/sources.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import type { ApiServices } from '../services.ts';
import { checkedSource } from './checked-repository.ts';

type Source = components['schemas']['Source'];
type Created = { status: 201; body: Source };

const createSource: Handler<'createSource'> = async ({ path, body, request }, services) => {
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

const listSources: Handler<'listSources'> = async ({ path }, { db }) => {
  const rows = await list(db, path.projectId);
  if (rows.length === 0 && !(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  return { status: 200, body: { sources: rows.map(presentSource) } };
};

const deleteSource: Handler<'deleteSource'> = async ({ path }, { db }) => {
  if (!(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  await remove(db, path.projectId, path.sourceName);
  return { status: 204 };
};

function presentSource({ name, host, repository, ref, paths, createdAt }: SourceRow): Source {
  return { name, repository, host, ref, paths, createdAt: createdAt.toISOString() };
}

export const sourceRoutes = { createSource, listSources, deleteSource } satisfies Partial<Handlers>;
