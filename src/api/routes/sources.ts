import { holdCodeHost } from '../../store/hosts/code-hosts.ts';
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
import { checkedSource } from './checked-repository.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { checkThenAnswerOnce } from '../middleware/idempotency.ts';

type Source = components['schemas']['Source'];
type Created = { status: 201; body: Source };

export const createSource: Handler<'createSource'> = ({ path: { projectId }, body, request }, services) =>
  checkThenAnswerOnce<Created>(request, services, projectId, async () => {
    await requireProject(services.db, projectId);
    const checked = await checkedSource(services, {
      repository: body.repository,
      ref: body.ref ?? null,
      host: body.host,
      caller: request.caller,
    });
    return async (tx) => {
      if (checked.host !== 'local') await holdCodeHost(tx, checked.host);
      const { host, repository, repositoryId, ref } = checked;
      const paths = [...new Set(body.paths ?? [])];
      const row = await insertSource(tx, { projectId, name: body.name, host, repository, repositoryId, ref, paths });
      return { status: 201, body: presentSource(row) };
    };
  });

export const listSources: Handler<'listSources'> = async ({ path }, { db }) => {
  const rows = await list(db, path.projectId);
  if (rows.length === 0) await requireProject(db, path.projectId);
  return { status: 200, body: { sources: rows.map(presentSource) } };
};

/** A new branch is checked before it is kept: slow, and so outside of a transaction. */
export const updateSource: Handler<'updateSource'> = async ({ path, body, request }, services) => {
  const { db } = services;
  const { projectId, sourceName: name } = path;
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
  await remove(db, path.projectId, path.sourceName);
  return { status: 204 };
};

function presentSource({ name, host, repository, ref, paths, createdAt }: SourceRow): Source {
  return { name, repository, host, ref, paths, createdAt: createdAt.toISOString() };
}
