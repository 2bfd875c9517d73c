import { AppError } from '../../platform/errors.ts';
import {
  deleteCodeHost,
  findCodeHost,
  insertCodeHost,
  sealCredential,
  type CodeHostSettings,
} from '../../store/code-hosts.ts';
import { findAnswer, once } from '../../store/idempotency.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { presentHost } from '../presenters/host.ts';
import type { ApiServices } from '../services.ts';
import { checkedAccount, mustSeal } from './checked-account.ts';

type NewHost = components['schemas']['NewHost'];
type Created = { status: 201; body: components['schemas']['CheckedHost'] };

const PUBLIC_URLS = { github: 'https://github.com', gitlab: 'https://gitlab.com', gitea: null };

export const createHost: Handler<'createHost'> = async ({ body, request }, services) => {
  const key = idempotent(request, services, '*');
  const repeated = key && (await findAnswer<Created>(services.db, key));
  if (repeated) return { ...repeated, headers: replayHeaders(repeated) };
  const settings = settingsOf(body);
  const account = await addAndCheck(settings, body.credential.trim(), services, request.caller);
  const answer = await once<Created>(services.db, key, async (tx) => {
    const row = await findCodeHost(tx, settings.id);
    if (!row) throw new AppError('host_not_found', 404, `The code host ${settings.id} was removed meanwhile.`);
    return { status: 201, body: { ...presentHost(row), account } };
  });
  return { ...answer, headers: replayHeaders(answer) };
};

/** The worker that checks it reads it from the database: it is added first, and taken away again if it is refused. */
async function addAndCheck(
  settings: CodeHostSettings,
  credential: string,
  services: ApiServices,
  caller: string,
): Promise<string | null> {
  const { db, secrets } = services;
  const sealed = mustSeal(() => sealCredential(secrets, settings, credential));
  await insertCodeHost(db, settings, sealed);
  try {
    return await checkedAccount(services, settings.id, caller);
  } catch (err) {
    await db.transaction((tx) => deleteCodeHost(tx, settings.id));
    throw err;
  }
}

function settingsOf({ id, kind, url, apiUrl, appId = null }: NewHost): CodeHostSettings {
  if (appId !== null && kind !== 'github') {
    throw new AppError('bad_request', 400, '`appId`: only GitHub has Apps.');
  }
  const webUrl = cleanUrl(url ?? PUBLIC_URLS[kind], 'url');
  return {
    id,
    kind,
    webUrl,
    apiUrl: apiUrl === undefined ? usualApi(kind, webUrl) : cleanUrl(apiUrl, 'apiUrl'),
    appId,
  };
}

function cleanUrl(given: string | null, field: string): string {
  if (given === null) throw new AppError('bad_request', 400, `\`${field}\` is missing: where is this code host?`);
  if (!URL.canParse(given)) throw new AppError('bad_request', 400, `\`${field}\` is no address.`);
  return new URL(given).href.replace(/\/+$/, '');
}

function usualApi(kind: NewHost['kind'], webUrl: string): string {
  if (kind === 'gitlab') return `${webUrl}/api/v4`;
  if (kind === 'gitea') return `${webUrl}/api/v1`;
  return webUrl === PUBLIC_URLS.github ? 'https://api.github.com' : `${webUrl}/api/v3`;
}
