import type { IncomingMessage } from 'node:http';
import { HOUR_MS } from '@docent/base/time';
import { normalizePath } from '@docent/access-log/pages/normalize-path';
import { type OriginRefusal, refusedOrigin } from '../../analytics/ingest/script/allowed-origin.ts';
import type { PathKind } from '../../analytics/ingest/script/new-path-limit.ts';
import { MAX_COLLECTED_BYTES, readCollectedView } from '../../analytics/ingest/script/collected-view.ts';
import { PAGE_SCRIPT } from '../../analytics/ingest/script/generated/page-script.ts';
import { AppError } from '../../platform/errors.ts';
import { findProject, type ProjectRow } from '../../store/projects/projects.ts';
import type { Handler } from '../contract/handler.ts';
import { readBody } from '../middleware/read-body.ts';
import type { ApiServices } from '../services.ts';

const HEADERS = {
  // One more day while a new one is fetched, or while this server is unavailable.
  'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=86400',
  // Without it, sites that isolate themselves (COEP) cannot load it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The same for every id, so that it does not reveal which projects exist. */
export const getPageScript: Handler<'getPageScript'> = async () => ({
  status: 200,
  type: 'text/javascript',
  text: PAGE_SCRIPT,
  headers: HEADERS,
});

const REFUSALS: Record<OriginRefusal, string> = {
  no_origin: 'Views must come from a page of a site, but the Origin header has no site.',
  not_listed: 'This site is not among the origins of the project. Add it with `docent project update --origin`.',
  local: 'Views of local pages are counted only if the project lists their exact origin.',
  preview: 'Views of previews are counted only if the project lists their exact origin.',
};

export const collectView: Handler<'collectView'> = async ({ path, request }, services) => {
  const { projectId } = path;
  const { incoming } = request;
  const address = takeFromAddress(services, services.addressOf(incoming));
  const { ingestor } = services.analytics();
  const project = await findProject(services.db, projectId);
  const origin = requireOrigin(incoming, project);

  const { bodyMs } = services.config;
  const body = await readBody(incoming, 'text/plain', { maxBodyBytes: MAX_COLLECTED_BYTES, bodyMs });
  const view = readCollectedView(body.toString('utf8'), origin);
  const page = view && normalizePath(view.url);
  if (!view || !page) throw notOfTheScript('The body is not in the format of the page script.');
  const taken = {
    status: 202,
    body: { accepted: 1 },
    headers: collectHeaders(origin),
  } as const;
  if (!project) {
    // As for a project that takes views of every site. A wrong id in a page is seen in the log.
    noteUnknownProject(services, projectId, origin);
    return taken;
  }
  await admitPath(services, projectId, page.path, view.notFound ? 'missing' : 'page');
  const { url, referrer, notFound } = view;
  const userAgent = incoming.headers['user-agent'] ?? '';
  const event = { timestamp: Date.now(), url, ip: address, userAgent, referrer, notFound };
  const { rejected } = await ingestor.ingest(projectId, [event]);
  if (rejected[0]) throw notOfTheScript(rejected[0].error);
  return taken;
};

export const collectHeaders = (origin: string) => ({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin' });

/** The sending page's origin. @throws AppError `forbidden_origin` if the project does not accept it */
export function requireOrigin(incoming: IncomingMessage, project: ProjectRow | null): string {
  const { origin = '' } = incoming.headers;
  const refusal = refusedOrigin(origin, project?.settings.analyticsOrigins ?? null);
  if (refusal) throw new AppError('forbidden_origin', REFUSALS[refusal]);
  return origin;
}

const NOTE_EVERY_MS = 60_000;

export function noteUnknownProject({ limits, log }: ApiServices, projectId: string, origin: string): void {
  const now = performance.now();
  if (now - limits.unknownNotedAt < NOTE_EVERY_MS) return;
  limits.unknownNotedAt = now;
  log.warn({ projectId, origin }, 'dropped page script views for an unknown project');
}

/** Before anything is read or looked up: a flood must cost little. */
export function takeFromAddress({ limits }: ApiServices, address: string | null): string {
  if (address === null) throw notOfTheScript('The client has no valid IP address.');
  const sentence = 'Rate limit reached: too many views from this address. Try again in a moment.';
  limits.views.pass('views', address, sentence);
  return address;
}

async function admitPath(
  { analytics, limits }: ApiServices,
  projectId: string,
  path: string,
  kind: PathKind,
): Promise<void> {
  const isKnown = await analytics().knowsPath(projectId, path);
  const now = Date.now();
  if (limits.newPaths.admits(projectId, path, kind, isKnown, now)) return;
  throw new AppError('rate_limited', 'Rate limit reached: too many new paths in this hour.', {
    retryAfterSeconds: Math.ceil((HOUR_MS - (now % HOUR_MS)) / 1_000),
  });
}

const notOfTheScript = (message: string) => new AppError('bad_request', message);
