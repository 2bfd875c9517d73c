import { AppError } from '../../platform/errors.ts';
import { findInstallationModel, type InstallationModel, setInstallationModel } from '../../store/installation-model.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import { refuseUnlessMatched, taggedAs } from '../middleware/entity-tag.ts';
import { knownModel } from './known-model.ts';

const getModel: Handler<'getModel'> = async (_input, { db, config }) => ({
  status: 200,
  body: await findInstallationModel(db, config.model),
});

const setModel: Handler<'setModel'> = async ({ body, request }, services) => {
  const { db, config } = services;
  if (config.model !== undefined) {
    throw new AppError(
      'model_in_environment',
      `DOCENT_MODEL is set to ${config.model} in this server’s environment, which takes precedence. Change or remove it there and restart the server.`,
    );
  }
  const check = (current: InstallationModel) => refuseUnlessMatched(request.ifMatch, current);
  // Looked at again under the lock: this spares the look at the model.
  check(await findInstallationModel(db, config.model));
  if (body.model !== null) await knownModel(services, body.model, request.caller);
  const shown = await db.transaction((tx) => setInstallationModel(tx, body.model, check));
  return { status: 200, body: shown, headers: taggedAs(shown) };
};

const testModel: Handler<'testModel'> = async ({ body, request }, { db, config, workflows }) => {
  const model = body.model ?? (await findInstallationModel(db, config.model)).model;
  const result = await workflows.testModel({ model }, request.caller);
  if (!result.ok) {
    const { code, message } = result;
    const nothing = { ms: null, inputTokens: null, outputTokens: null, costUsd: null };
    return { status: 200, body: { model, ok: false, code, message, ...nothing } };
  }
  return { status: 200, body: { model, code: null, message: null, ...result } };
};

export const modelRoutes = { getModel, setModel, testModel } satisfies Partial<Handlers>;
