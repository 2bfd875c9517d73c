import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import {
  createSignInLink as createLink,
  endBrowserSessions,
  hashSecret,
  listBrowserSessions,
  type SessionOwner,
  useSignInLink,
} from '../../store/access/browser-sessions.ts';
import type { Queryable } from '../../store/database.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { type Principal, unauthorized } from '../middleware/authenticate.ts';
import { presentPerson, presentSignIn } from '../presenters/person.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { commonOf } from './tokens.ts';

/** How long a link that signs in may wait. */
const LINK_MINUTES = 10;

export const getSignIn: Handler<'getSignIn'> = async ({ request }, { openId, config, pathOf }) => ({
  status: 200,
  body: {
    openIdConnect: openId && { name: config.openIdName, url: pathOf('/sign-in/openid') },
    signedIn: (await request.identify()) !== null,
  },
});

export const signIn: Handler<'signIn'> = async ({ body, request }, services) => {
  const { db, signIns } = services;
  // A page of someone else's must not sign a browser in as someone else either.
  signIns.cookie.refuseForeign(request.incoming, { isCookieUsed: false });
  const from = { address: services.addressOf(request.incoming), userAgent: request.userAgent };
  const before = await request.identify().catch(() => null);
  const { principal, cookie } = await db.transaction(async (tx) => {
    const owner = await ownerOf(tx, body, services);
    if (owner instanceof AppError) throw services.limits.failedSignIns.failed(from.address, owner);
    faultPoint('link-taken');
    // Ends the browser's previous session, so that its secret is useless.
    if (before) await endBrowserSessions(tx, { personId: before.person?.id ?? null, id: before.sessionId });
    const begun = await signIns.begin(tx, owner, from);
    request.principal = begun.principal;
    await services.audit.begin(request, from.address, tx);
    return begun;
  });
  faultPoint('signed-in');
  signIns.forget();
  request.log.info({ sessionId: principal.sessionId, by: body.link === undefined ? 'token' : 'link' }, 'signed in');
  const caller = { kind: 'person' as const, key: null, token: null, person: presentPerson(principal) };
  return { status: 200, body: { ...caller, ...commonOf(services) }, headers: { 'Set-Cookie': cookie } };
};

/** The owner of the new session. @throws AppError `bad_request` */
async function ownerOf(
  tx: Queryable,
  { link, operatorToken }: components['schemas']['NewSignIn'],
  services: ApiServices,
): Promise<SessionOwner | AppError> {
  if ((link === undefined) === (operatorToken === undefined)) {
    throw new AppError('bad_request', 'Send either `link` or `operatorToken`.');
  }
  if (link !== undefined) {
    const owner = await useSignInLink(tx, link, services.signIns.operatorTokenHashes);
    return (
      owner ??
      unauthorized('This sign-in link is invalid, was already used, or is older than 10 minutes. Create a new one.')
    );
  }
  const token = operatorToken?.trim() ?? '';
  if (!services.isOperatorToken(token)) return unauthorized('This is not the operator token.');
  return { operatorTokenHash: hashSecret(token) };
}

export const createSignInLink: Handler<'createSignInLink'> = async ({ request }, services) => {
  const owner = linkOwnerOf(request.principal, services);
  const { secret, expiresAt } = await createLink(services.db, owner, LINK_MINUTES);
  return {
    status: 201,
    // Behind the #, where browsers keep it to themselves: it comes into no log of a server or proxy.
    body: { url: services.urlOf(`/sign-in#link=${secret}`), expiresAt: expiresAt.toISOString() },
  };
};

function linkOwnerOf(principal: Principal | null, { signIns }: ApiServices): SessionOwner {
  if (principal?.kind === 'person' && principal.person) return { personId: principal.person.id };
  const [operatorTokenHash] = signIns.operatorTokenHashes;
  if (!operatorTokenHash)
    throw new AppError('unavailable', 'This server has no operator token.', { retryAfterSeconds: 60 });
  return { operatorTokenHash };
}

export const signOut: Handler<'signOut'> = async ({ body, request }, { db, signIns }) => {
  const { principal } = request;
  const personId = personIdOf(request);
  if (body?.everywhere) await endBrowserSessions(db, { personId });
  else if (principal?.kind === 'person') await endBrowserSessions(db, { personId, id: principal.sessionId });
  signIns.forget();
  return { status: 204, headers: { 'Set-Cookie': signIns.cookie.clear() } };
};

export const listSignIns: Handler<'listSignIns'> = async ({ request }, { db, signIns }) => {
  const rows = await listBrowserSessions(db, personIdOf(request), signIns);
  const current = request.principal?.kind === 'person' ? request.principal.sessionId : null;
  return { status: 200, body: { sessions: rows.map((row) => presentSignIn(row, current)) } };
};

export const deleteSignIn: Handler<'deleteSignIn'> = async ({ path, request }, { db, signIns }) => {
  await endBrowserSessions(db, { personId: personIdOf(request), id: path.signInId });
  signIns.forget();
  return { status: 204 };
};

/** Null for the operator, in a browser or not. */
function personIdOf({ principal }: RequestContext): string | null {
  return principal?.kind === 'person' ? (principal.person?.id ?? null) : null;
}
