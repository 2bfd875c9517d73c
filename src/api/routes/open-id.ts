import { AppError } from '../../platform/errors.ts';
import { endBrowserSessions } from '../../store/access/browser-sessions.ts';
import { keepPerson } from '../../store/access/people.ts';
import type { Handler } from '../contract/handler.ts';
import { OPEN_ID_PROBLEMS, OpenIdProblem } from '../open-id/problem.ts';
import { grantOf } from '../open-id/roles.ts';
import type { OpenIdSignIn } from '../open-id/sign-in.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';

const CALLBACK = '/sign-in/openid/callback';

type Sent = { status: 303; headers: Record<string, string> };

export const startOpenIdSignIn: Handler<'startOpenIdSignIn'> = ({ query, request }, services) =>
  orSignInError(request, services, async () => {
    const { provider, attempts } = used(services);
    const { attempt, cookie } = attempts.begin(nextPath(query.next));
    const url = await provider.authorizationUrl(attempt, services.urlOf(CALLBACK));
    request.addCookie(cookie);
    return sentTo(url);
  });

export const finishOpenIdSignIn: Handler<'finishOpenIdSignIn'> = ({ query, request }, services) =>
  orSignInError(request, services, async () => {
    const { provider, attempts, returns } = used(services);
    const address = services.addressOf(request.incoming);
    const attempt = attempts.find(request.incoming.headers.cookie, query.state ?? '');
    if (!attempt) throw new OpenIdProblem('openid_expired');
    const sentence = 'Rate limit reached: too many sign-ins from your address. Try again later.';
    returns.pass('sign-ins', address ?? '', sentence);
    const callback = new URL(services.urlOf(CALLBACK));
    callback.search = request.sentQuery;
    const identity = await provider.identify(callback, attempt);
    const cookie = await signedIn(provider.issuer, identity, request, services);
    request.addCookie(cookie);
    request.addCookie(attempts.clear(attempt.state));
    // Checked again: others may be able to set cookies, so the attempt may be theirs.
    return sentTo(services.pathOf(nextPath(attempt.next)));
  });

type Identity = Awaited<ReturnType<OpenIdSignIn['provider']['identify']>>;

/** Signs the browser in. @returns its cookie @throws OpenIdProblem for people without access */
async function signedIn(
  issuer: string,
  identity: Identity,
  request: RequestContext,
  services: ApiServices,
): Promise<string> {
  const { db, signIns, config, audit, addressOf } = services;
  const { subject, name, email, hasUnverifiedEmail } = identity;
  const from = { address: addressOf(request.incoming), userAgent: request.userAgent };
  const grant = grantOf(identity, config);
  const before = await request.identify().catch(() => null);
  const begun = await db.transaction(async (tx) => {
    const person = await keepPerson(tx, { issuer, subject, name, email, grant });
    if (person === 'disabled') return 'person_disabled' as const;
    if (person === 'no_role') return hasUnverifiedEmail ? ('email_not_verified' as const) : person;
    // Ends the browser's previous session, so that its secret is useless.
    if (before) await endBrowserSessions(tx, { personId: before.person?.id ?? null, id: before.sessionId });
    const session = await signIns.begin(tx, { personId: person.id }, from);
    request.principal = session.principal;
    await audit.begin(request, from.address, tx);
    return session;
  });
  signIns.forget();
  if (typeof begun === 'string') throw new OpenIdProblem(begun);
  request.log.info({ sessionId: begun.principal.sessionId, by: 'openid' }, 'signed in');
  return begun.cookie;
}

function used({ openId }: ApiServices): OpenIdSignIn {
  if (!openId) throw new OpenIdProblem('openid_off');
  return openId;
}

/** Browsers are redirected to the sign-in page, which shows the problem; programs get the envelope. */
async function orSignInError(
  request: RequestContext,
  { pathOf, config }: ApiServices,
  work: () => Promise<Sent>,
): Promise<Sent> {
  try {
    return await work();
  } catch (err) {
    if (!(err instanceof OpenIdProblem)) throw err;
    const { code, sentence } = OPEN_ID_PROBLEMS[err.problem];
    if (err.cause !== undefined) {
      request.log.warn({ err: err.cause, issuer: config.openIdIssuer, problem: err.problem }, 'a sign-in failed');
    }
    if (!request.wantsHtml) {
      throw new AppError(
        code,
        sentence,
        code === 'unavailable' ? { retryAfterSeconds: 30, cause: err } : { cause: err },
      );
    }
    request.errorCode = code;
    return sentTo(pathOf(`/sign-in?error=${err.problem}`));
  }
}

function sentTo(location: string): Sent {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } };
}

/** One slash only: `//host` and `/\host` name another server. No control characters, which browsers drop. */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Where a browser continues after signing in: a path of this server, else `/`.
 * @param next from an address, so untrusted
 */
export function nextPath(next: string | null | undefined): string {
  if (!next || next.length > 2_000 || !PATH.test(next)) return '/';
  const base = 'http://docent.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  // Dot segments may leave a second slash: `/.//host` is `//host`.
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/';
}
