import { AppError } from '../../platform/errors.ts';
import { findProject, requireProject } from '../../store/projects/projects.ts';
import { findSession, listSessions as list } from '../../store/jobs/sessions.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { presentSession } from '../presenters/session.ts';
import { readableStream } from '../streams/readable-stream.ts';
import { sessionStream } from '../streams/session-stream.ts';
import type { ApiServices } from '../services.ts';
import { createJob } from './jobs.ts';
import { jobNotFound } from '../../store/jobs/jobs.ts';

/** For proxies: do not cache, change or buffer it. The last header names the stream format for the AI SDK. */
const STREAM_HEADERS = {
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
};

/** Creates and streams a job as in version 1. Takes a stream slot before creating the job. */
export const createSession: Handler<'createSession'> = async (input, services) => {
  const leave = services.limits.streams.take(input.request.caller);
  try {
    return await createAndTell(input, services, leave);
  } catch (err) {
    leave();
    throw err;
  }
};

async function createAndTell(
  { path, body, request }: Parameters<typeof createSession>[0],
  services: ApiServices,
  leave: () => void,
): ReturnType<typeof createSession> {
  const { db, config } = services;
  const { projectId } = path;
  const { branch, asDraft } = body;
  const options = { ...(branch === undefined ? {} : { branch }), ...(asDraft ? { draft: true } : {}) };
  const made = await createJob(
    { path, query: {}, body: { prompt: promptOf(body.messages), ...options }, request },
    services,
  );
  // Refusals of a job are thrown.
  if (made.status !== 201) throw new Error(`A job was answered with ${made.status}.`);
  const {
    headers,
    body: { id },
  } = made;
  const [session, project] = await Promise.all([findSession(db, projectId, id), findProject(db, projectId)]);
  if (!session) throw jobNotFound(id);
  const name = session.job.branch ?? branch ?? `${project?.settings.branchPrefix ?? config.branchPrefix}/${id}`;
  const { authorizeAgain, signal, log } = request;
  const { heartbeatMs, authorizeMs, stallMs } = config;
  const watch = services.feed.watch(session.job, { words: false });
  const onError = (err: unknown) => log.warn({ err }, 'the stream of a job ended early');
  const parts = sessionStream({
    db,
    projectId,
    jobId: id,
    watch,
    signal,
    authorizeAgain,
    onError,
    heartbeatMs,
    authorizeMs,
  });
  const close = () => {
    watch.end();
    leave();
  };
  return {
    status: 200,
    type: 'text/event-stream',
    stream: readableStream(parts, { stallMs, close }),
    // Names of branches may have letters that a header cannot.
    headers: { ...headers, ...STREAM_HEADERS, 'X-Session-Id': id, 'X-Branch-Name': encodeURI(name) },
  };
}

/**
 * One prompt from several messages: users' messages with example answers between, then system messages.
 * @throws AppError `bad_request` without a user message, or above the limit
 */
function promptOf(messages: readonly components['schemas']['SessionMessage'][]): string {
  const said = messages.filter(({ content }) => content.trim() !== '');
  if (!said.some(({ role }) => role === 'user')) {
    throw new AppError('bad_request', '`messages` must contain a message with the role "user".');
  }
  const turns = said.flatMap(({ role, content }) => {
    if (role === 'system') return [];
    return role === 'user' ? content : `For example, you would answer:\n\n${content}`;
  });
  const further = said.flatMap(({ role, content }) => (role === 'system' ? `Mind this as well:\n\n${content}` : []));
  const prompt = [...turns, ...further].join('\n\n');
  if (prompt.length <= MAX_PROMPT) return prompt;
  throw new AppError(
    'bad_request',
    `\`messages\` is too long. Allowed: ${MAX_PROMPT.toLocaleString('en-US')} characters in total.`,
  );
}

const MAX_PROMPT = 32_768;

export const getSession: Handler<'getSession'> = async ({ path }, { db }) => {
  const session = await findSession(db, path.projectId, path.id);
  if (!session) throw jobNotFound(path.id);
  return { status: 200, body: presentSession(session) };
};

export const listSessions: Handler<'listSessions'> = async ({ path, query }, { db }) => {
  const found = await list(db, { projectId: path.projectId, ...query });
  if (found.length === 0) await requireProject(db, path.projectId);
  return { status: 200, body: { allSessions: found.map(presentSession) } };
};
