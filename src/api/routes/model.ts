import { AppError } from '../../platform/errors.ts';
import {
  findInstallationModel,
  type InstallationModel,
  setInstallationModel,
} from '../../store/installation/installation-model.ts';
import { fitsHeader, UNFIT_FOR_HEADER, withoutMargins } from '@docent/base/net/header-value';
import {
  deleteModelKey as deleteStoredKey,
  encryptModelKey,
  listModelKeys as listStoredKeys,
  putModelKey,
  type StoredModelKey,
} from '../../store/installation/model-keys.ts';
import type { components } from '@docent/client';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { knownModel } from './known-model.ts';

export const getModel: Handler<'getModel'> = async (_input, { db, config }) => ({
  status: 200,
  body: await findInstallationModel(db, config.model),
});

export const setModel: Handler<'setModel'> = async ({ body, request }, services) => {
  const { db, config } = services;
  if (config.model !== undefined) {
    throw new AppError(
      'model_in_environment',
      `DOCENT_MODEL is set to ${config.model} in this server’s environment, which takes precedence. ` +
        'Change or remove it there and restart the server.',
    );
  }
  const check = (current: InstallationModel) => refuseUnlessMatched(request.ifMatch, current);
  // Checked again under the lock. This saves a call of the model.
  check(await findInstallationModel(db, config.model));
  if (body.model !== null) await knownModel(services, body.model, request.caller);
  return tagged(await db.transaction((tx) => setInstallationModel(tx, body.model, check)));
};

export const testModel: Handler<'testModel'> = async ({ body, request }, { db, config, workflows }) => {
  const model = body.model ?? (await findInstallationModel(db, config.model)).model;
  const result = await workflows.testModel({ model }, request.caller);
  if (!result.ok) {
    const { code, message } = result;
    const nothing = { ms: null, inputTokens: null, outputTokens: null, costUsd: null };
    return { status: 200, body: { model, ok: false, code, message, ...nothing } };
  }
  return { status: 200, body: { model, code: null, message: null, ...result } };
};

export const listModelKeys: Handler<'listModelKeys'> = async (_input, { db }) => ({
  status: 200,
  body: { keys: (await listStoredKeys(db)).map(presentKey) },
});

export const setModelKey: Handler<'setModelKey'> = async ({ path: { provider }, body }, { db, secrets }) => {
  const key = withoutMargins(body.key);
  if (key === '' || !fitsHeader(key)) {
    throw new AppError('bad_request', `\`key\` ${UNFIT_FOR_HEADER}.`, { param: 'key' });
  }
  const baseUrl = body.baseUrl?.replace(/\/+$/, '') ?? null;
  if ((baseUrl !== null) !== (provider === 'openai-compatible')) {
    const problem =
      baseUrl === null ? 'is missing. Enter the address of the server' : 'is only valid for openai-compatible';
    throw new AppError('bad_request', `\`baseUrl\` ${problem}.`, { param: 'baseUrl' });
  }
  const encrypted = encryptModelKey(secrets, provider, baseUrl, key);
  return { status: 200, body: presentKey(await putModelKey(db, provider, baseUrl, encrypted)) };
};

export const deleteModelKey: Handler<'deleteModelKey'> = async ({ path }, { db }) => {
  await deleteStoredKey(db, path.provider);
  return { status: 204 };
};

function presentKey({ provider, baseUrl, updatedAt }: StoredModelKey): components['schemas']['StoredModelKey'] {
  return { provider, baseUrl, updatedAt: updatedAt.toISOString() };
}
