import { AppError } from '../../platform/errors.ts';
import {
  findNewestPullRequest,
  findPullRequestById,
  type PullRequestRow,
} from '../../store/pull-requests/pull-requests.ts';
import type { ChangePullRequestResult } from '../../workflows/contract.ts';
import type { Handler, QueryOf } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { callerOf } from '../middleware/actor.ts';
import { type Principal, unauthorized } from '../middleware/authenticate.ts';
import { hasRole } from '../middleware/authorize.ts';
import { mergeCommand, type Notice, pullRequestPage } from '@docent/pages/pull-request-page';
import { presentPullRequest } from '../presenters/pull-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { listPullRequests as list, type PullRequestFilter } from '../../store/pull-requests/list-pull-requests.ts';
import { readRangeOf } from '../analytics-range.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { requireJob } from '../../store/jobs/jobs.ts';
import { timePage } from '../presenters/cursor.ts';

export const listPullRequests: Handler<'listPullRequests'> = async ({ path, query }, services) => {
  const { db } = services;
  const filter = filterOf(query);
  const { projectId } = path;
  const { rows, nextCursor } = await timePage(query, (at) => list(db, { ...filter, projectId, ...at }), filter);
  if (rows.length === 0) await requireProject(db, projectId);
  return { status: 200, body: { pullRequests: rows.map((row) => presentPullRequest(row, services)), nextCursor } };
};

/** Normalized, because cursors are bound to it. @throws AppError `bad_request` that names the parameter */
function filterOf(query: QueryOf<'listPullRequests'>): { [K in keyof PullRequestFilter]: PullRequestFilter[K] } {
  const created = readRangeOf('created', query.createdFrom, query.createdTo);
  const merged = readRangeOf('merged', query.mergedFrom, query.mergedTo);
  return {
    state: query.state && [...new Set(query.state)].toSorted(),
    createdFrom: dateOf(created.from),
    createdTo: dateOf(created.to),
    mergedFrom: dateOf(merged.from),
    mergedTo: dateOf(merged.to),
  };
}

const dateOf = (instant: number | null): Date | undefined => (instant === null ? undefined : new Date(instant));

export const showPullRequest: Handler<'showPullRequest'> = async ({ path, query, request }, services) => {
  const row = await findPullRequestById(services.db, path.prId);
  if (!row) throw pullRequestNotFound();
  // The notice depends on the state, not on the address.
  const notice: Notice | null =
    query.done === row.state ? { tone: 'ok', text: `The pull request is ${row.state}.` } : null;
  return { status: 200, type: 'text/html', text: await shown(row, await request.identify(), services, notice) };
};

/** The page, with the actions that its reader may take. */
async function shown(
  row: PullRequestRow,
  principal: Principal | null,
  { pathOf }: ApiServices,
  notice: Notice | null,
): Promise<string> {
  const changes = `/projects/${encodeURIComponent(row.projectId)}/jobs/${encodeURIComponent(row.jobId)}/changes`;
  const reader = {
    changesPath: pathOf(changes),
    signInPath: pathOf(`/sign-in?next=${encodeURIComponent(changes)}`),
    may: principal === null ? null : mayChange(principal, row),
  };
  return pullRequestPage(row, reader, notice);
}

/** The page's link opens it to readers. Its project belongs to its editors. */
function mayChange(principal: Principal, { projectId }: PullRequestRow): boolean {
  return principal.kind === 'operator' || (principal.kind === 'person' && hasRole(principal, 'editor', projectId));
}

function pullRequestNotFound(): AppError {
  return new AppError('pull_request_not_found', 'This pull request does not exist. Its project may have been deleted.');
}

type JobPath = { projectId: string; id: string };

/** A job's newest pull request. @throws AppError for a missing project, job or pull request */
async function newestOf(path: JobPath, { db }: ApiServices): Promise<PullRequestRow> {
  await requireJob(db, path.projectId, path.id);
  const row = await findNewestPullRequest(db, path.id);
  if (row) return row;
  throw new AppError(
    'pull_request_not_found',
    `The job ${path.id} has no pull request, because nothing was published.`,
  );
}

export const getPullRequest: Handler<'getPullRequest'> = async ({ path, query, request }, services) => {
  const row = await newestOf(path, services);
  if (!query.refresh) return { status: 200, body: presentPullRequest(row, services) };
  const looked = await services.workflows.refreshPullRequest({ pullRequestId: row.id }, request.caller);
  if (!looked.ok) {
    const sentence = `The pull request's host could not be asked. ${looked.message}`;
    throw new AppError('unavailable', sentence, { retryAfterSeconds: 30 });
  }
  return { status: 200, body: presentPullRequest((await findPullRequestById(services.db, row.id)) ?? row, services) };
};

async function changeJobPullRequest(
  action: 'merge' | 'close',
  { path, request }: { path: JobPath; request: RequestContext },
  services: ApiServices,
): Promise<{ status: 200; body: components['schemas']['PullRequest'] }> {
  const row = await newestOf(path, services);
  const result = await services.workflows.changePullRequest({ pullRequestId: row.id, action }, request.caller);
  if (!result.ok) throw errorOf(result);
  request.log.info({ action, state: result.state }, 'pull request changed');
  return { status: 200, body: presentPullRequest((await findPullRequestById(services.db, row.id)) ?? row, services) };
}

export const mergeJobPullRequest: Handler<'mergeJobPullRequest'> = (input, services) =>
  changeJobPullRequest('merge', input, services);

export const closeJobPullRequest: Handler<'closeJobPullRequest'> = (input, services) =>
  changeJobPullRequest('close', input, services);

type Refusal = Extract<ChangePullRequestResult, { ok: false }>;
type PageAnswer<Status extends number> = { status: Status; type: 'text/html'; text: string };
type Sent = { status: 303; headers: { Location: string } };

const DONE = { merge: 'merged', close: 'closed' } as const;

/** Has a worker merge or close; shows the page with refusals, or the JSON envelope. Idempotent. */
async function changePullRequest(
  action: 'merge' | 'close',
  input: { path: { prId: string }; request: RequestContext },
  services: ApiServices,
): Promise<PageAnswer<200> | PageAnswer<401> | PageAnswer<403> | PageAnswer<409> | Sent> {
  const { path, request } = input;
  const principal = await changerOf(request, services);
  const row = await findPullRequestById(services.db, path.prId);
  if (!row) throw pullRequestNotFound();
  request.audit.concerns = { projectId: row.projectId, id: row.jobId };
  const show = (current: PullRequestRow, notice: Notice) => shown(current, principal, services, notice);
  if (principal === null || !mayChange(principal, row)) {
    const refusal = refusalOf(principal);
    if (!request.wantsHtml) throw refusal;
    request.errorCode = refusal.code;
    const text = await show(row, { tone: 'bad', text: refusal.message });
    return { status: principal === null ? 401 : 403, type: 'text/html', text };
  }
  request.principal = principal;
  await services.audit.begin(request, services.addressOf(request.incoming));
  const result = await services.workflows.changePullRequest({ pullRequestId: row.id, action }, callerOf(principal));
  const current = (await findPullRequestById(services.db, row.id)) ?? row;
  if (result.ok) {
    request.log.info({ action, state: result.state }, 'pull request changed');
    if (request.wantsHtml) return sentTo(services, row.id, DONE[action]);
    const text =
      row.state === DONE[action]
        ? `This pull request was ${DONE[action]} before.`
        : `The pull request is ${DONE[action]}.`;
    return { status: 200, type: 'text/html', text: await show(current, { tone: 'ok', text }) };
  }

  const error = errorOf(result);
  if (error.code === 'unavailable' || !request.wantsHtml) throw error;
  request.errorCode = error.code;
  return { status: 409, type: 'text/html', text: await show(current, refusalNotice(current, result)) };
}

/** Authenticates by token or cookie. @throws AppError `unauthorized`, `rate_limited`, `forbidden_origin` */
async function changerOf(request: RequestContext, services: ApiServices): Promise<Principal | null> {
  if (request.bearer === null) return request.identify();
  if (services.isOperatorToken(request.bearer)) return { kind: 'operator' };
  const refusal = unauthorized('This is not the operator token. Nothing was changed.');
  throw services.limits.failedSignIns.failed(services.addressOf(request.incoming), refusal);
}

function refusalOf(principal: Principal | null): AppError {
  if (principal === null) return unauthorized('Sign in first. Nothing was changed.');
  return new AppError('forbidden_scope', 'This requires the editor role in the project. Nothing was changed.');
}

function errorOf({ code, message }: Refusal): AppError {
  if (code === 'unavailable') return new AppError('unavailable', message, { retryAfterSeconds: 30 });
  return new AppError(code, message);
}

function refusalNotice(row: PullRequestRow, refusal: Refusal): Notice {
  // If the refusal ends with a command, the command gets its own line for copying.
  const [, text, command] = /^(.*?):\s+(git .+)$/s.exec(refusal.message) ?? [];
  if (text !== undefined && command !== undefined) return { tone: 'bad', text: `${text}:`, command };
  const isMerge = refusal.code === 'merge_conflict' || refusal.code === 'branch_checked_out';
  return {
    tone: 'bad',
    text: refusal.message,
    command: isMerge ? mergeCommand(row, refusal.code === 'branch_checked_out') : undefined,
  };
}

/** A page that a browser may load again. */
function sentTo({ pathOf }: ApiServices, id: string, done?: 'merged' | 'closed'): Sent {
  const query = done === undefined ? '' : `?done=${done}`;
  return { status: 303, headers: { Location: pathOf(`/pull-requests/${id}${query}`) } };
}

/** The address of a sent form, if a browser reloads it. The page reports whether the pull request exists. */
export const returnMergeForm: Handler<'returnMergeForm'> = async ({ path }, services) => sentTo(services, path.prId);

export const returnCloseForm: Handler<'returnCloseForm'> = async ({ path }, services) => sentTo(services, path.prId);

export const mergePullRequest: Handler<'mergePullRequest'> = (input, services) =>
  changePullRequest('merge', input, services);

export const closePullRequest: Handler<'closePullRequest'> = (input, services) =>
  changePullRequest('close', input, services);
