import { classify } from '@docent/access-log/agents/classify';
import {
  MAX_FEEDBACK_BYTES,
  readAgentFeedback,
  readFeedback,
  readSearch,
} from '../../analytics/ingest/script/reader-reports.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { findProject, requireProject } from '../../store/projects/projects.ts';
import { FEEDBACK_STATUSES, type FeedbackStatus } from '../../store/analytics/reader-reports-schema.ts';
import {
  addFeedback,
  addSearch,
  countSearches,
  feedbackByPage as byPage,
  type FeedbackRow,
  listFeedback as list,
  listSearches,
  type SearchTerm,
  updateFeedback as update,
  visitorColumn,
} from '../../store/analytics/reader-reports.ts';
import { readRange } from '../analytics-range.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { mediaTypeOf, readBody } from '../middleware/read-body.ts';
import { badCursor, pageOf, timePage } from '../presenters/cursor.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { collectHeaders, noteUnknownProject, requireOrigin, takeFromAddress } from './page-script.ts';

type Kind = 'feedback' | 'searches';

type Form = 'text/plain' | 'application/json';

/**
 * A reader's feedback from a page or an agent, after site and address are allowed. Null if no project has the
 * id: it is dropped. Pages send text. Browsers prevent pages of other sites from sending JSON, so JSON needs
 * no origin.
 */
async function collected<T extends { isAnonymous: boolean }>(
  projectId: string,
  { kind, form, read }: { kind: Kind; form: Form; read: (body: string, origin: string) => T },
  request: RequestContext,
  services: ApiServices,
): Promise<{ origin: string; said: T; visitor: bigint | null } | { origin: string; said: null }> {
  const { incoming } = request;
  const { db, config, limits } = services;
  const address = takeFromAddress(services, services.addressOf(incoming));
  const project = await findProject(db, projectId);
  const isAgent = form === 'application/json' && incoming.headers.origin === undefined;
  const origin = isAgent ? '*' : requireOrigin(incoming, project);
  const body = await readBody(incoming, form, { maxBodyBytes: MAX_FEEDBACK_BYTES, bodyMs: config.bodyMs });
  const said = read(body.toString('utf8'), origin);
  if (!project) {
    noteUnknownProject(services, projectId, origin);
    return { origin, said: null };
  }
  limits[kind].pass(kind, projectId, 'Too many requests from readers of this site. Try again in a moment.');
  const userAgent = incoming.headers['user-agent'] ?? '';
  // Readers' signals count people, not programs, and each declared agent once.
  const isCounted = form === 'application/json' || classify({ userAgent, format: 'html' }).class === 'human';
  const visitor =
    said.isAnonymous || !isCounted
      ? null
      : visitorColumn(await services.analytics().ingestor.visitorNow(projectId, address, userAgent));
  return { origin, said, visitor };
}

export const collectFeedback: Handler<'collectFeedback'> = async ({ path: { projectId }, request }, services) => {
  const form = mediaTypeOf(request.incoming) === 'application/json' ? 'application/json' : 'text/plain';
  const read = form === 'application/json' ? readAgentFeedback : readFeedback;
  const found = await collected(projectId, { kind: 'feedback', form, read }, request, services);
  if (found.said) {
    const { isAnonymous: _, ...said } = found.said;
    await addFeedback(services.db, { ...said, projectId, visitor: found.visitor });
    faultPoint('reader-heard');
  }
  return { status: 202, body: { accepted: 1 }, headers: collectHeaders(found.origin) };
};

export const collectSearch: Handler<'collectSearch'> = async ({ path: { projectId }, request }, services) => {
  const asked = { kind: 'searches', form: 'text/plain', read: readSearch } as const;
  const found = await collected(projectId, asked, request, services);
  if (found.said) {
    const { query, clickedPath } = found.said;
    await addSearch(services.db, { projectId, query, clickedPath, visitor: found.visitor });
  }
  return { status: 202, body: { accepted: 1 }, headers: collectHeaders(found.origin) };
};

export const getFeedback: Handler<'getFeedback'> = async ({ path: { projectId }, query }, { db }) => {
  await requireProject(db, projectId);
  const filter = { projectId, range: readRange(query), source: query.source, statuses: statusesOf(query.status) };
  const { rows, nextCursor } = await timePage(query, (at) => list(db, { ...filter, ...at }));
  return { status: 200, body: { feedback: rows.map(presentFeedback), nextCursor, hasMore: nextCursor !== null } };
};

export const updateFeedback: Handler<'updateFeedback'> = async (
  { path: { projectId, feedbackId: id }, body },
  { db },
) => {
  const row = await update(db, { projectId, id }, body);
  if (row) return { status: 200, body: presentFeedback(row) };
  throw new AppError('feedback_not_found', `Feedback ${id} does not exist in this project.`);
};

export const getFeedbackByPage: Handler<'getFeedbackByPage'> = async ({ path: { projectId }, query }, { db }) => {
  await requireProject(db, projectId);
  const { source, limit } = query;
  const filter = { projectId, range: readRange(query), source, statuses: statusesOf(query.status) };
  const rows = await byPage(db, { ...filter, limit: limit + 1 });
  return { status: 200, body: { feedback: rows.slice(0, limit), hasMore: rows.length > limit } };
};

export const getSearches: Handler<'getSearches'> = async ({ path: { projectId }, query }, { db }) => {
  await requireProject(db, projectId);
  const range = readRange(query);
  const after = readTermCursor(query.cursor);
  const [found, totalSearches] = await Promise.all([
    listSearches(db, { projectId, range, limit: query.limit + 1, after }),
    countSearches(db, { projectId, range }),
  ]);
  const { rows, nextCursor } = pageOf(found, query.limit, ({ hits, searchQuery }) => `${hits} ${searchQuery}`);
  return { status: 200, body: { searches: rows.map(presentTerm), totalSearches, nextCursor } };
};

/** @throws AppError `bad_request` */
function statusesOf(list: string | undefined): FeedbackStatus[] | undefined {
  return list?.split(',').map((name) => {
    const status = FEEDBACK_STATUSES.find((known) => known === name.trim());
    if (status) return status;
    throw new AppError(
      'bad_request',
      `\`status\` must be one or more of ${FEEDBACK_STATUSES.join(', ')}, separated by commas.`,
    );
  });
}

/** @throws AppError `bad_request` for a text that no page gave out */
function readTermCursor(cursor: string | undefined): { hits: number; query: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, hits, query] = /^(\d{1,10}) ([^\0]+)$/s.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (query === undefined || Number(hits) > 2_147_483_647) {
    throw badCursor();
  }
  return { hits: Number(hits), query };
}

function presentFeedback(row: FeedbackRow): components['schemas']['Feedback'] {
  const { id, path, comment, source, status, notes, helpful, contact, code, filename, lang } = row;
  return {
    id,
    path,
    comment,
    createdAt: row.createdAt.toISOString(),
    source,
    status,
    notes,
    // The fields depend on the source.
    ...(source === 'code_snippet' ? { code: code ?? '', filename, lang } : {}),
    ...(helpful === null ? {} : { helpful }),
    ...(source === 'contextual' ? { contact } : {}),
  };
}

function presentTerm({ searchQuery, hits, clicks, topClickedPage, lastSearchedAt }: SearchTerm) {
  return { searchQuery, hits, ctr: Math.min(1, clicks / hits), topClickedPage, lastSearchedAt };
}
