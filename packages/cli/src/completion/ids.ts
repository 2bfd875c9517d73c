import { answerOf } from '@docent/base/terminal/api-answer';
import type { LocalHome } from '../local-home.ts';
import { findServer, type Server } from '../server.ts';
import { LOCAL, readContexts } from '../contexts.ts';
import type { Candidate, IdKind, Wanted } from './candidates.ts';

/** Someone waits with a finger on a key. */
const PATIENCE_MS = 1_500;
const MOST = 50;

/** The server that a command line names. */
export interface Asked {
  given: Wanted['given'];
  local: LocalHome;
}

/** A kind's ids, from the server of the command line. @throws if it does not answer in time */
export async function idsOf(kind: IdKind, { given, local }: Asked, env: NodeJS.ProcessEnv): Promise<Candidate[]> {
  if (kind === 'contexts') {
    const { contexts } = readContexts(env);
    const local = { value: LOCAL, description: 'the Docent on this machine' };
    return [local, ...Object.entries(contexts).map(([value, { url }]) => ({ value, description: url }))];
  }
  const { url = env.DOCENT_URL || undefined, home, context } = given;
  const server = findServer({ url, home, context, local }, env, given.url !== undefined);
  return LISTS[kind](server, AbortSignal.timeout(PATIENCE_MS), given.project ?? server.defaultProject);
}

type List = (server: Server, signal: AbortSignal, projectId: string | undefined) => Promise<Candidate[]>;

/** Lists nothing without a project. */
const inProject =
  (list: (server: Server, signal: AbortSignal, path: { projectId: string }) => Promise<Candidate[]>): List =>
  async (server, signal, projectId) =>
    projectId === undefined ? [] : list(server, signal, { projectId });

const query = { limit: MOST };
const all = { limit: 100 };

const LISTS: Record<Exclude<IdKind, 'contexts'>, List> = {
  async projects({ client, url }, signal) {
    const caller = await answerOf(url, client.GET('/v1/me', { signal }));
    if (caller.kind !== 'operator') {
      const opened = caller.token ? [caller.token.projectId] : (caller.key?.projectIds ?? []);
      return opened.map((value) => ({ value, description: '' }));
    }
    const { projects } = await answerOf(url, client.GET('/v1/projects', { params: { query: all }, signal }));
    return projects.map(({ id, repository }) => ({ value: id, description: repository }));
  },
  jobs: inProject(async ({ client, url }, signal, path) => {
    const params = { path, query };
    const { jobs } = await answerOf(url, client.GET('/v2/agent/{projectId}/jobs', { params, signal }));
    return jobs.map(({ id, status, title }) => ({ value: id, description: `${status}: ${title}` }));
  }),
  attachments: inProject(async ({ client, url }, signal, path) => {
    const params = { path, query };
    const page = await answerOf(url, client.GET('/v2/agent/{projectId}/attachments', { params, signal }));
    return page.attachments.map(({ id, name }) => ({ value: id, description: name }));
  }),
  webhooks: inProject(async ({ client, url }, signal, path) => {
    const request = client.GET('/v1/projects/{projectId}/webhooks', { params: { path }, signal });
    const { webhooks } = await answerOf(url, request);
    return webhooks.map((webhook) => ({ value: webhook.id, description: new URL(webhook.url).host }));
  }),
  sources: inProject(async ({ client, url }, signal, path) => {
    const request = client.GET('/v1/projects/{projectId}/sources', { params: { path }, signal });
    const { sources } = await answerOf(url, request);
    return sources.map(({ name, repository }) => ({ value: name, description: repository }));
  }),
  secrets: inProject(async ({ client, url }, signal, path) => {
    const request = client.GET('/v1/projects/{projectId}/secrets', { params: { path }, signal });
    const { secrets } = await answerOf(url, request);
    return secrets.map(({ name }) => ({ value: name, description: '' }));
  }),
  automations: inProject(async ({ client, url }, signal, path) => {
    const params = { path, query: all };
    const page = await answerOf(url, client.GET('/v1/projects/{projectId}/automations', { params, signal }));
    return page.automations.map(({ id, name }) => ({ value: id, description: name }));
  }),
  async keys({ client, url }, signal) {
    const { keys } = await answerOf(url, client.GET('/v1/keys', { params: { query: all }, signal }));
    return keys.filter((key) => key.revokedAt === null).map(({ id, name }) => ({ value: id, description: name }));
  },
  async hosts({ client, url }, signal) {
    const { hosts } = await answerOf(url, client.GET('/v1/hosts', { signal }));
    return hosts.map((host) => ({ value: host.id, description: host.url }));
  },
};
