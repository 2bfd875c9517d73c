import { answerOf } from '@docent/base/terminal/api-answer';
import { findServer, type Server } from '../commands/server.ts';
import { LOCAL, readContexts } from '../contexts.ts';
import type { Candidate, IdKind, Wanted } from './candidates.ts';

/** Someone waits with a finger on a key. */
const PATIENCE_MS = 1_500;
const MOST = 50;

/** A kind's ids, from the server of the command line. @throws if it does not answer in time */
export async function idsOf(kind: IdKind, given: Wanted['given'], env: NodeJS.ProcessEnv): Promise<Candidate[]> {
  if (kind === 'contexts') {
    const { contexts } = readContexts(env);
    const local = { value: LOCAL, description: 'the Docent on this machine' };
    return [local, ...Object.entries(contexts).map(([value, { url }]) => ({ value, description: url }))];
  }
  const { url = env.DOCENT_URL || undefined, home, context } = given;
  const options = { ...(url ? { url } : {}), ...(home ? { home } : {}), ...(context ? { context } : {}) };
  return ASK[kind](findServer(options, env, given.url !== undefined), given);
}

const ASK: Record<Exclude<IdKind, 'contexts'>, (server: Server, given: Wanted['given']) => Promise<Candidate[]>> = {
  async projects({ client, url }) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const caller = await answerOf(url, client.GET('/v1/me', { signal }));
    if (caller.kind !== 'operator') {
      const opened = caller.token ? [caller.token.projectId] : (caller.key?.projectIds ?? []);
      return opened.map((value) => ({ value, description: '' }));
    }
    const query = { limit: 100 };
    const { projects } = await answerOf(url, client.GET('/v1/projects', { params: { query }, signal }));
    return projects.map(({ id, repository }) => ({ value: id, description: repository }));
  },
  async jobs({ client, url, defaultProject }, { project }) {
    const projectId = project ?? defaultProject;
    if (projectId === undefined) return [];
    const params = { path: { projectId }, query: { limit: MOST } };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { jobs } = await answerOf(url, client.GET('/v2/agent/{projectId}/jobs', { params, signal }));
    return jobs.map(({ id, status, title }) => ({ value: id, description: `${status}: ${title}` }));
  },
  async attachments({ client, url, defaultProject }, { project }) {
    const projectId = project ?? defaultProject;
    if (projectId === undefined) return [];
    const params = { path: { projectId }, query: { limit: MOST } };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const page = await answerOf(url, client.GET('/v2/agent/{projectId}/attachments', { params, signal }));
    return page.attachments.map(({ id, name }) => ({ value: id, description: name }));
  },
  async webhooks({ client, url, defaultProject }, { project }) {
    const projectId = project ?? defaultProject;
    if (projectId === undefined) return [];
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const request = client.GET('/v1/projects/{projectId}/webhooks', { params: { path: { projectId } }, signal });
    const { webhooks } = await answerOf(url, request);
    return webhooks.map((webhook) => ({ value: webhook.id, description: new URL(webhook.url).host }));
  },
  async sources({ client, url, defaultProject }, { project }) {
    const projectId = project ?? defaultProject;
    if (projectId === undefined) return [];
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const request = client.GET('/v1/projects/{projectId}/sources', { params: { path: { projectId } }, signal });
    const { sources } = await answerOf(url, request);
    return sources.map(({ name, repository }) => ({ value: name, description: repository }));
  },
  async secrets({ client, url, defaultProject }, { project }) {
    const projectId = project ?? defaultProject;
    if (projectId === undefined) return [];
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const request = client.GET('/v1/projects/{projectId}/secrets', { params: { path: { projectId } }, signal });
    const { secrets } = await answerOf(url, request);
    return secrets.map(({ name }) => ({ value: name, description: '' }));
  },
  async automations({ client, url, defaultProject }, { project }) {
    const projectId = project ?? defaultProject;
    if (projectId === undefined) return [];
    const params = { path: { projectId }, query: { limit: 100 } };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const page = await answerOf(url, client.GET('/v1/projects/{projectId}/automations', { params, signal }));
    return page.automations.map(({ id, name }) => ({ value: id, description: name }));
  },
  async keys({ client, url }) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { keys } = await answerOf(url, client.GET('/v1/keys', { params: { query: { limit: 100 } }, signal }));
    return keys.filter((key) => key.revokedAt === null).map(({ id, name }) => ({ value: id, description: name }));
  },
  async hosts({ client, url }) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { hosts } = await answerOf(url, client.GET('/v1/hosts', { signal }));
    return hosts.map((host) => ({ value: host.id, description: host.url }));
  },
};
