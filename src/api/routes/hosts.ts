import { hookEventsOf } from '@docent/code-hosts/events/hook-events';
import { AppError } from '../../platform/errors.ts';
import { fitsHeader, UNFIT_FOR_HEADER, withoutMargins } from '@docent/base/net/header-value';
import type { Encrypted } from '../../platform/secret-box.ts';
import {
  codeHostExists,
  codeHostNotFound,
  type CodeHostRow,
  type CodeHostSettings,
  deleteCodeHost,
  findCodeHost,
  insertCodeHost,
  listCodeHosts,
  replaceCredential,
  encryptCredential,
} from '../../store/hosts/code-hosts.ts';
import { findHostHook, rotateHostSecret } from '../../store/hosts/host-hooks.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { pageOf, readIdCursor } from '../presenters/cursor.ts';
import type { ApiServices } from '../services.ts';
import { checkThenAnswerOnce } from '../middleware/idempotency.ts';

function presentHost(row: CodeHostRow): components['schemas']['Host'] {
  return {
    id: row.id,
    kind: row.kind,
    url: row.webUrl,
    apiUrl: row.apiUrl,
    appId: row.appId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Has a worker try an unsaved credential, and returns its account.
 * @throws AppError `host_refused` (400) with the reasons, `unavailable` (503)
 */
async function checkedAccount(
  services: ApiServices,
  { id, ...settings }: CodeHostSettings,
  { box, keyId }: Encrypted,
  caller: string,
): Promise<string | null> {
  const candidate = { ...settings, credential: box.toString('base64'), keyId };
  const checked = await services.workflows.checkHost({ host: id, candidate, repository: null, ref: null }, caller);
  if (!checked.ok) throw new AppError('host_refused', checked.problems.join(' '));
  return checked.account;
}

/**
 * The credential without what copying adds. An App's key has several lines.
 * @throws AppError `bad_request` if no request can carry it
 */
function checkedCredential(given: string, { appId }: Pick<CodeHostSettings, 'appId'>): string {
  const credential = withoutMargins(given);
  const fits = appId === null ? fitsHeader(credential) : fitsHeader(credential.replaceAll(/[\r\n\t]/g, ''));
  if (fits) return credential;
  const problem = appId === null ? UNFIT_FOR_HEADER : 'must be the private key as PEM';
  throw new AppError('bad_request', `\`credential\` ${problem}.`, { param: 'credential' });
}

type NewHost = components['schemas']['NewHost'];
type Created = { status: 201; body: components['schemas']['CheckedHost'] };

const PUBLIC_URLS = { github: 'https://github.com', gitlab: 'https://gitlab.com', gitea: null };

export const createHost: Handler<'createHost'> = ({ body, request }, services) =>
  checkThenAnswerOnce<Created>(request, services, '*', async () => {
    const { db, secrets } = services;
    const settings = settingsOf(body);
    const credential = checkedCredential(body.credential, settings);
    if (await findCodeHost(db, settings.id)) throw codeHostExists(settings.id);
    const encrypted = encryptCredential(secrets, settings, credential);
    const account = await checkedAccount(services, settings, encrypted, request.caller);
    return async (tx) => {
      const row = await insertCodeHost(tx, settings, encrypted);
      return { status: 201, body: { ...presentHost(row), account } };
    };
  });

function settingsOf({ id, kind, url, apiUrl, appId = null }: NewHost): CodeHostSettings {
  if (appId !== null && kind !== 'github') {
    throw new AppError('bad_request', '`appId` is only valid for GitHub.');
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
  if (given === null)
    throw new AppError('bad_request', `\`${field}\` is missing. Enter the URL of the code host.`, { param: field });
  if (!URL.canParse(given)) throw new AppError('bad_request', `\`${field}\` is not a valid URL.`, { param: field });
  return new URL(given).href.replace(/\/+$/, '');
}

function usualApi(kind: NewHost['kind'], webUrl: string): string {
  if (kind === 'gitlab') return `${webUrl}/api/v4`;
  if (kind === 'gitea') return `${webUrl}/api/v1`;
  return webUrl === PUBLIC_URLS.github ? 'https://api.github.com' : `${webUrl}/api/v3`;
}

export const listHosts: Handler<'listHosts'> = async ({ query }, { db }) => {
  const found = await listCodeHosts(db, { limit: query.limit + 1, after: readIdCursor(query.cursor) });
  const { rows, nextCursor } = pageOf(found, query.limit, (last) => last.id);
  return { status: 200, body: { hosts: rows.map(presentHost), nextCursor } };
};

export const getHost: Handler<'getHost'> = async ({ path }, { db }) => {
  const row = await findCodeHost(db, path.hostId);
  if (!row) throw codeHostNotFound(path.hostId);
  return { status: 200, body: presentHost(row) };
};

export const updateHost: Handler<'updateHost'> = async ({ path, body, request }, services) => {
  const { db, secrets } = services;
  const before = await findCodeHost(db, path.hostId);
  if (!before) throw codeHostNotFound(path.hostId);
  const check = (row: CodeHostRow) => refuseUnlessMatched(request.ifMatch, presentHost(row));
  // Checked again under the lock. This saves a request to the code host.
  check(before);
  const credential = checkedCredential(body.credential, before);
  const encrypted = encryptCredential(secrets, before, credential);
  const { id, kind, webUrl, apiUrl, appId } = before;
  const account = await checkedAccount(services, { id, kind, webUrl, apiUrl, appId }, encrypted, request.caller);
  const shown = presentHost(await db.transaction((tx) => replaceCredential(tx, id, encrypted, check)));
  return tagged({ ...shown, account }, shown);
};

export const deleteHost: Handler<'deleteHost'> = async ({ path, request }, { db }) => {
  const check = (row: CodeHostRow) => refuseUnlessMatched(request.ifMatch, presentHost(row));
  await db.transaction((tx) => deleteCodeHost(tx, path.hostId, check));
  return { status: 204 };
};

export const checkHost: Handler<'checkHost'> = async ({ path, body, request }, { db, workflows }) => {
  if (!(await findCodeHost(db, path.hostId))) throw codeHostNotFound(path.hostId);
  const { ok, account, problems } = await workflows.checkHost(
    { host: path.hostId, candidate: null, repository: body.repository ?? null, ref: body.ref ?? null },
    request.caller,
  );
  const hook = await findHostHook(db, path.hostId);
  const deliveries = hook && {
    lastReceivedAt: hook.receivedAt?.toISOString() ?? null,
    lastEvent: hook.receivedEvent,
    lastRefusedAt: hook.refusedAt?.toISOString() ?? null,
    lastRefusal: hook.refusedReason,
  };
  return { status: 200, body: { ok, account, problems, deliveries } };
};

/** The secret is a row before any host has it: a repeat gives the hosts the same one. */
export const connectHost: Handler<'connectHost'> = async ({ path, body, request }, services) => {
  const { db, secrets, workflows, urlOf } = services;
  const { hostId } = path;
  const host = await findCodeHost(db, hostId);
  if (!host) throw codeHostNotFound(hostId);
  const isNew = body.newSecret === true || (await findHostHook(db, hostId)) === null;
  const secret = isNew ? await rotateHostSecret(db, secrets, hostId) : null;
  const url = urlOf(`/v1/hosts/${hostId}/hook`);
  const input = { host: hostId, candidate: null, repository: null, ref: null, hookUrl: url };
  const { problems, hooks = [] } = await workflows.checkHost(input, request.caller);
  return { status: 200, body: { url, secret, events: hookEventsOf(host.kind), problems, repositories: hooks } };
};
