import type { components, Job } from '@docent/client';
import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT, ServerRefusal, ServerUnreachable } from '@docent/base/terminal/failures';
import { fields, inUtc, print, safe, table } from '@docent/base/terminal/terminal-text';
import { DAY_MS } from '@docent/base/time';
import { bucketFails, judgeDamage, judgeUncounted, RETENTION_RULES } from '../../platform/health.ts';
import { describeCaller } from '@docent/cli/describe-caller';
import { serverOf, withServer, type Server } from '@docent/cli/server';

type Retention = components['schemas']['RetentionHealth'];

/** The retention periods; null if the caller may not see them. */
async function retentionOf({ client, url }: Server): Promise<Retention | null> {
  try {
    return (await answerOf(url, client.GET('/v1/health'))).retention;
  } catch (err) {
    if (err instanceof ServerRefusal) return null;
    throw err;
  }
}

/** More are not counted: see `RetentionHealth` of the contract. */
const MOST_COUNTED = 10_000;

/** A table with a line for each rule, and any problems. */
function retentionLines(retention: Retention | null): string[] {
  if (retention === null || retention.rules.length === 0) return [];
  const rows = retention.rules.map(({ rule, keepDays, waiting, held, lastRunAt, removed, removedInAll }) => [
    RETENTION_RULES[rule],
    keepDays !== null ? `${keepDays} ${keepDays === 1 ? 'day' : 'days'}` : rule === 'temporal' ? 'unknown' : 'forever',
    waiting === null ? '–' : counted(waiting) + (held ? `, ${counted(held)} with an open pull request` : ''),
    rule === 'temporal' ? '–' : `${removed}, ${removedInAll} total`,
    inUtc(lastRunAt),
  ]);
  return [
    '',
    table(['DATA', 'KEPT FOR', 'TO DELETE', 'DELETED', 'LAST RUN'], rows),
    ...retention.rules.flatMap(({ problem }) => (problem === null ? [] : [safe(problem)])),
  ];
}

const counted = (count: number) => (count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count));

type Caller = components['schemas']['Caller'];

/** The most projects that are checked. */
const MOST_PROJECTS = 20;
/** Jobs of one kind that are counted: beyond, there are "more than". */
const MOST_JOBS = 100;
/** How far back the newest page view is looked for. */
const VIEW_DAYS = 30;

interface ProjectStatus {
  id: string;
  /** Null if the key may not know. */
  model: string | null;
  /** Null if the key may not read jobs; each number is at most 100. */
  jobs: { active: number; failedLastDay: number; newest: Pick<Job, 'id' | 'status' | 'updatedAt'> | null } | null;
  /** The newest day (UTC) with a page view of the last 30; null without one, or if it cannot be known. */
  lastView: string | null;
  /** Webhooks that Docent has switched off, with why; null if the key may not know. */
  webhooksOff: { id: string; host: string; reason: string }[] | null;
  /** Automations that paused themselves; null if the key may not see them. */
  paused: { id: string; reason: string }[] | null;
  /** What could not be determined, and why. */
  problems: string[];
}

/** `docent status` */
export function statusCommand(): Command {
  return withServer(new Command('status'))
    .description('show the status of the server, and what its projects are doing')
    .option('--project <id>', 'only this project')
    .addHelpText('after', '\nExit codes: 0 ready, 1 not ready or key rejected, 2 invalid usage, 4 unreachable')
    .action(status);
}

async function status({ project, json }: { project?: string; json?: boolean }, command: Command): Promise<void> {
  const server = serverOf(command);
  const readiness = await readinessOf(server);
  // A problem of the server explains its next answers.
  const caller = await answerOf(server.url, server.client.GET('/v1/me')).catch((err: unknown) => {
    if (readiness.ready || !(err instanceof ServerRefusal)) throw err;
    return null;
  });
  const known = caller === null ? [] : await projectsOf(server, caller, project);
  const projects = await Promise.all(known.slice(0, MOST_PROJECTS).map((each) => statusOf(server, each)));
  const retention = caller?.kind === 'operator' ? await retentionOf(server) : null;
  const { url, context, foundBy, keyFrom } = server;
  const found = {
    url,
    context,
    foundBy,
    keyFrom,
    version: caller?.version ?? null,
    caller,
    readiness,
    projects,
    retention,
  };
  print(json, found, () =>
    [
      fields({
        server: caller ? `${url}, Docent ${caller.version}` : url,
        'found by': foundBy,
        'authenticated with': caller ? `${describeCaller(caller)}, from ${keyFrom}` : null,
        ready: readiness.words,
      }),
      ...(caller === null ? [] : ['', ...projectLines(projects, known.length - projects.length, caller)]),
      ...retentionLines(retention),
      ...projects.flatMap(({ id, webhooksOff }) => (webhooksOff ?? []).map((one) => safe(offText(id, one)))),
      ...projects.flatMap(({ id, paused }) => (paused ?? []).map((one) => safe(pausedText(id, one)))),
      ...projects.flatMap(({ id, problems }) => problems.map((problem) => safe(`${id}: ${problem}`))),
    ].join('\n'),
  );
  if (!readiness.ready) throw new CliFailure('The server is not ready. See the problems above.', EXIT.failed);
}

interface ReadinessFound {
  ready: boolean;
  words: string;
  parts: Record<string, boolean>;
  /** Null if they could not be counted. */
  damagedFiles: number | null;
  setAsideFiles: number | null;
}

async function readinessOf({ client, url }: Server): Promise<ReadinessFound> {
  const { data, error } = await answerOf(
    url,
    // "Not ready" is an answer, too.
    client.GET('/readyz').then(({ data: ready, error: lack }) => ({
      data: { data: ready, error: lack },
      response: new Response(),
    })),
  );
  const said = data ?? error;
  if (typeof said !== 'object' || !('temporal' in said)) {
    throw new ServerUnreachable(`${url} is not a Docent server. Check the address.`);
  }
  const { temporal, database, analyticsFolder, bucket } = said;
  const parts = { temporal, database, analyticsFolder, ...(bucket === null ? {} : { bucket }) };
  const { damagedFiles, setAsideFiles } = data ?? { damagedFiles: null, setAsideFiles: null };
  const toSee = [
    ...(bucket === false ? [bucketFails('the log of the API gives the reason.')] : []),
    judgeDamage(damagedFiles ?? 0),
    judgeUncounted(setAsideFiles ?? 0),
  ].flatMap(({ status: found, what, todo }) => (found === 'ok' ? [] : [`${what} ${todo}`]));
  const words = data ? ['yes: Temporal, database, analytics', ...toSee].join('. ') : safe(error?.error ?? 'no');
  return { ready: data !== undefined, words, parts, damagedFiles, setAsideFiles };
}

/** The projects that the caller may see, with the models of their new jobs. */
async function projectsOf(
  { client, url, defaultProject }: Server,
  { kind, key }: Caller,
  only: string | undefined,
): Promise<Pick<ProjectStatus, 'id' | 'model'>[]> {
  if (kind === 'operator') {
    if (only !== undefined) {
      const params = { path: { projectId: only } };
      return [await answerOf(url, client.GET('/v1/projects/{projectId}', { params }))];
    }
    const { projects } = await answerOf(url, client.GET('/v1/projects', { params: { query: { limit: 100 } } }));
    return projects;
  }
  const ids = only !== undefined ? [only] : (key?.projectIds ?? (defaultProject === undefined ? [] : [defaultProject]));
  return Promise.all(ids.map(async (id) => ({ id, model: await modelOf(client, url, id) })));
}

/** Null if the key may not read the project: a job's model does not show the next job's. */
async function modelOf(client: Server['client'], url: string, projectId: string): Promise<string | null> {
  try {
    const params = { path: { projectId } };
    return (await answerOf(url, client.GET('/v1/projects/{projectId}', { params }))).model;
  } catch (err) {
    if (err instanceof ServerRefusal) return null;
    throw err;
  }
}

async function statusOf(server: Server, { id, model }: Pick<ProjectStatus, 'id' | 'model'>): Promise<ProjectStatus> {
  const problems: string[] = [];
  // One answer that is missing hides none of the others.
  const unless = async <T>(what: string, asked: Promise<T>): Promise<T | null> => {
    try {
      return await asked;
    } catch (err) {
      if (!(err instanceof ServerRefusal)) throw err;
      problems.push(`${what}: ${err.message}`);
      return null;
    }
  };
  const [jobs, lastView, webhooksOff, paused] = await Promise.all([
    unless('jobs unavailable', jobsOf(server, id)),
    unless('page views unavailable', lastViewOf(server, id)),
    unless('webhooks unavailable', webhooksOffOf(server, id)),
    unless('automations unavailable', pausedOf(server, id)),
  ]);
  return { id, model, jobs, lastView, webhooksOff, paused, problems };
}

/** Null if the key may not see webhooks: readers do not need them. */
async function webhooksOffOf({ client, url }: Server, projectId: string): Promise<ProjectStatus['webhooksOff']> {
  try {
    const params = { path: { projectId } };
    const { webhooks } = await answerOf(url, client.GET('/v1/projects/{projectId}/webhooks', { params }));
    return webhooks.flatMap(({ id, url: address, disabledReason: reason }) =>
      reason === null ? [] : [{ id, host: new URL(address).host, reason }],
    );
  } catch (err) {
    if (err instanceof ServerRefusal && err.code === 'forbidden_scope') return null;
    throw err;
  }
}

async function pausedOf({ client, url }: Server, projectId: string): Promise<ProjectStatus['paused']> {
  try {
    const params = { path: { projectId }, query: { limit: 100 } };
    const { automations } = await answerOf(url, client.GET('/v1/projects/{projectId}/automations', { params }));
    return automations.flatMap(({ id, pausedReason: reason }) => (reason === null ? [] : [{ id, reason }]));
  } catch (err) {
    if (err instanceof ServerRefusal && err.code === 'forbidden_scope') return null;
    throw err;
  }
}

const pausedText = (projectId: string, { id, reason }: NonNullable<ProjectStatus['paused']>[number]) =>
  `${projectId}: automation ${id} is paused. ${reason} To resume it: docent automation update ${id} --enable --project ${projectId}`;

const offText = (projectId: string, { id, host, reason }: NonNullable<ProjectStatus['webhooksOff']>[number]) =>
  `${projectId}: webhook ${id} (${host}) is disabled. ${reason} To enable it: docent webhook enable ${id} --project ${projectId}`;

async function jobsOf({ client, url }: Server, projectId: string): Promise<NonNullable<ProjectStatus['jobs']>> {
  const list = async (query: { limit: number; status?: Job['status'] }) => {
    const params = { path: { projectId }, query };
    return (await answerOf(url, client.GET('/v2/agent/{projectId}/jobs', { params }))).jobs;
  };
  const [newest, active, failed] = await Promise.all([
    list({ limit: 1 }),
    list({ limit: MOST_JOBS, status: 'active' }),
    list({ limit: MOST_JOBS, status: 'failed' }),
  ]);
  const since = Date.now() - DAY_MS;
  const [first] = newest;
  return {
    active: active.length,
    failedLastDay: failed.filter(({ updatedAt }) => Date.parse(updatedAt) >= since).length,
    newest: first ? { id: first.id, status: first.status, updatedAt: first.updatedAt } : null,
  };
}

async function lastViewOf({ client, url }: Server, projectId: string): Promise<string | null> {
  const dateFrom = new Date(Date.now() - (VIEW_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const params = { path: { projectId }, query: { dateFrom } };
  const { days } = await answerOf(url, client.GET('/v1/analytics/{projectId}/timeseries', { params }));
  return days.findLast(({ views }) => views.total > 0)?.date ?? null;
}

function projectLines(projects: readonly ProjectStatus[], others: number, { kind, key }: Caller): string[] {
  if (projects.length > 0) {
    const shown = table(
      ['PROJECT', 'ACTIVE', 'FAILED IN 24 H', 'LAST PAGE VIEW', 'MODEL', 'NEWEST JOB'],
      projects.map(({ id, jobs, lastView, model }) => [
        id,
        countText(jobs?.active),
        countText(jobs?.failedLastDay),
        lastView ?? `none in ${VIEW_DAYS} days`,
        model ?? '–',
        jobs?.newest ? `${jobs.newest.id} ${jobs.newest.status} ${inUtc(jobs.newest.updatedAt)}` : 'none yet',
      ]),
      { right: [1, 2] },
    );
    return others > 0 ? [shown, `${others} more projects: docent project list`] : [shown];
  }
  if (kind === 'key' && key?.projectIds === null)
    return ['This key has access to all projects. Specify one with --project.'];
  return ['No projects yet. Create one: docent project create ID --repository URL'];
}

const countText = (count: number | undefined) =>
  count === undefined ? '–' : count >= MOST_JOBS ? `${MOST_JOBS} or more` : String(count);
