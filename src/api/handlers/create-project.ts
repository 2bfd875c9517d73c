import { holdCodeHost } from '../../store/code-hosts.ts';
import { findAnswer, once, type IdempotentRequest, type Once } from '../../store/idempotency.ts';
import { createProject as create, findProject, projectExists, refuseReservedId } from '../../store/projects.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { presentProject } from '../presenters/project.ts';
import type { ApiServices } from '../services.ts';
import { checkedRepository, siteOf } from './checked-repository.ts';
import { knownModel } from './known-model.ts';
import { settingsIn } from './project-settings.ts';

type Created = { status: 201; body: components['schemas']['Project'] };

export const createProject: Handler<'createProject'> = async ({ body, request }, services) => {
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
  const model = await knownModel(services, body.model ?? config.defaultModel, caller);
  const checked = await checkedRepository(services, {
    repository: body.repository,
    ref: body.ref ?? null,
    host: body.host,
    caller,
    docsDir: body.docsDir ?? '',
    site: body.settings?.site,
  });
  return once<Created>(db, key, async (tx) => {
    if (checked.host !== 'local') await holdCodeHost(tx, checked.host);
    const project = await create(tx, {
      id: body.id,
      host: checked.host,
      repository: checked.repository,
      repositoryId: checked.repositoryId ?? null,
      ref: checked.ref,
      docsDir: body.docsDir ?? '',
      model,
      settings: body.settings && settingsIn(body.settings),
    });
    return { status: 201, body: { ...presentProject(project), site: siteOf(checked) } };
  });
}
