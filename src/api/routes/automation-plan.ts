import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../platform/errors.ts';
import {
  assertBranchPattern,
  deleteAutomation,
  insertAutomation,
  listAutomations,
  lockAutomationsOf,
  MAX_AUTOMATIONS,
  noteApplied,
  releaseNames,
  updateAutomation,
  type AutomationChange,
  type AutomationRow,
  type NewAutomation,
} from '../../store/automations/automations.ts';
import { databaseNow, type Queryable } from '../../store/database.ts';
import { readAutomationFile, AUTOMATIONS_FOLDER, type AutomationFile, type FileProblem } from '../automation-file.ts';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched } from '../middleware/entity-tag.ts';
import type { components } from '@docent/client';
import { presentDefinition } from '../presenters/automation.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { automationOf } from './automations.ts';
import { checkedSource } from './checked-repository.ts';
import { chosenModel } from './new-job.ts';
import { requireProject } from '../../store/projects/projects.ts';

type Plan = components['schemas']['AutomationPlan'];
type Change = components['schemas']['AutomationPlanChange'];
type Definition = NewAutomation & { id: string; file: string };

/** The base branch's files, at its head. */
interface Files {
  ref: string;
  commit: string;
  read: (AutomationFile | FileProblem[])[];
}

export const planAutomations: Handler<'planAutomations'> = async ({ path: { projectId }, request }, services) => {
  const files = await readFiles(projectId, request, services);
  return { status: 200, body: (await difference(services.db, projectId, files, services)).plan };
};

/** How often the files are read that another call applies in the meantime. */
const TRIES = 3;

export const applyAutomations: Handler<'applyAutomations'> = async (input, services) => {
  for (let tries = 0; tries < TRIES; tries++) {
    const plan = await applied(input, services);
    if (plan) return { status: 200, body: plan };
  }
  throw new AppError('unavailable', 'Others apply automations of this project, too. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
};

/** Null if another call has applied files in the meantime: this one's may be of an older commit. */
async function applied(
  { path: { projectId }, body, request }: Parameters<typeof applyAutomations>[0],
  services: ApiServices,
): Promise<Plan | null> {
  const { db, secrets } = services;
  const readSince = await databaseNow(db);
  const files = await readFiles(projectId, request, services);
  if (files.commit !== body.commit) {
    throw new AppError(
      'precondition_failed',
      `The branch ${files.ref} is at ${files.commit.slice(0, 10)}, but this plan was made for another commit. Plan again.`,
    );
  }
  const { definitions, plan: before } = await difference(db, projectId, files, services);
  refuseProblems(before);
  // A worker checks models: slow, and so outside of the transaction.
  for (const { id } of before.changes) {
    const path = definitions.get(id)?.file;
    const file = files.read.find((one): one is AutomationFile => !Array.isArray(one) && one.file === path);
    if (file)
      await chosenModel(file.body, projectId, request, services).catch((err: unknown) => refuseModel(file, err));
  }
  return db.transaction(async (tx) => {
    await lockAutomationsOf(tx, projectId);
    if (!(await noteApplied(tx, projectId, readSince))) return null;
    const found = await difference(tx, projectId, files, services);
    refuseUnlessMatched(request.ifMatch, found.plan, 'The automations have changed since this plan. Plan again.');
    refuseProblems(found.plan);
    // Two automations may swap their names.
    const renamed = found.plan.changes.filter(({ fields }) => fields.some(({ field }) => field === 'name'));
    await releaseNames(tx, { projectId, ids: renamed.map(({ id }) => id) });
    for (const action of ['delete', 'update', 'create'] as const) {
      for (const change of found.plan.changes.filter((one) => one.action === action)) {
        const at = { projectId, id: change.id };
        const definition = found.definitions.get(change.id);
        if (!definition) await deleteAutomation(tx, at);
        else if (action === 'create') await insertAutomation(tx, secrets, definition);
        else await updateAutomation(tx, secrets, at, changeOf(definition, change));
      }
    }
    return found.plan;
  });
}

/** Nothing is applied while a file has a problem. @throws AppError `bad_request` */
function refuseProblems({ problems: [problem] }: Plan): void {
  if (problem) throw fileRefused(problem);
}

function fileRefused({ file, line, message }: FileProblem): AppError {
  return new AppError('bad_request', `${file}:${line}: ${message}`, { param: null });
}

function refuseModel(file: AutomationFile, err: unknown): never {
  throw err instanceof AppError && err.code === 'bad_request' ? fileRefused(file.problemOf(err)) : err;
}

/** A worker reads one file more than a project may have automations: see check-repository.ts. */
const TOO_MANY: FileProblem = {
  file: AUTOMATIONS_FOLDER,
  line: 1,
  message: `The folder has more than ${MAX_AUTOMATIONS} files, and the rest was not read. Remove some.`,
};

async function readFiles(projectId: string, request: RequestContext, services: ApiServices): Promise<Files> {
  const project = await requireProject(services.db, projectId);
  const { host, repository, repositoryId, ref } = project;
  const at = { host, repository, repositoryId, ref, caller: request.caller, readFolder: AUTOMATIONS_FOLDER };
  const { commit, files } = await checkedSource(services, at);
  // Never treated as an empty folder, which would delete all automations that have files.
  if (!files) throw new AppError('unavailable', 'The files could not be read. Try again in a moment.');
  const read: Files['read'] = [];
  for (const file of files) {
    // A hostile file takes a tenth of a second: others are served between.
    await setImmediate();
    read.push(readAutomationFile(file));
  }
  return { ref, commit, read: files.length > MAX_AUTOMATIONS ? [...read, [TOO_MANY]] : read };
}

/** What `apply` would do, without checking models. */
async function difference(
  q: Queryable,
  projectId: string,
  { ref, commit, read }: Files,
  { config }: Pick<ApiServices, 'config'>,
): Promise<{ plan: Plan; definitions: Map<string, Definition> }> {
  const rows = await listAutomations(q, { projectId, limit: MAX_AUTOMATIONS });
  const idOf = idsOfFiles(read, rows);
  const problems: FileProblem[] = [];
  const definitions = new Map<string, Definition>();
  const ids = new Set(read.flatMap((one) => (Array.isArray(one) ? [] : idOf(one))));
  // Automations that files neither define nor delete.
  const others = rows.filter(({ id, file }) => file === null && !ids.has(id));
  const names = new Map(others.map(({ id, name }) => [name.toLowerCase(), `The automation ${id}`]));
  for (const one of read) {
    if (Array.isArray(one)) {
      problems.push(...one);
      continue;
    }
    const { file, body } = one;
    const id = idOf(one);
    try {
      const definition = await automationOf(q, projectId, body, config.privateHosts);
      assertBranchPattern(definition.options.branch);
      const other = definitions.get(id)?.file ?? names.get(definition.name.toLowerCase());
      if (other !== undefined) {
        throw new AppError('bad_request', `\`name\`: ${other} has the same ID or name. Change one of them.`, {
          param: 'name',
        });
      }
      names.set(definition.name.toLowerCase(), file);
      definitions.set(id, { ...definition, id, file, model: body.model ?? null });
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      problems.push(one.problemOf(err));
    }
  }
  if (others.length + definitions.size > MAX_AUTOMATIONS) {
    const message = `The project would have ${others.length + definitions.size} automations. The limit is ${MAX_AUTOMATIONS}. Remove some.`;
    problems.push({ file: AUTOMATIONS_FOLDER, line: 1, message });
  }
  const files = new Set([...problems, ...definitions.values()].map(({ file }) => file));
  const changes = [
    ...[...definitions.values()].flatMap((definition) => {
      const row = rows.find(({ id }) => id === definition.id);
      const fields = fieldsOf(row ?? null, definition);
      const { id, name, file } = definition;
      return fields.length === 0
        ? []
        : [{ action: row ? ('update' as const) : ('create' as const), id, name, file, fields }];
    }),
    ...rows.flatMap(({ id, name, file }): Change[] =>
      file === null || files.has(file) || definitions.has(id) ? [] : [{ action: 'delete', id, name, file, fields: [] }],
    ),
  ];
  return { plan: { ref, commit, changes, problems }, definitions };
}

/**
 * The id of the automation that a file defines: of the one that it defined before, or of its name. A new file
 * with the `name` of an automation whose file is gone is that file, renamed: names are unique, and the runs
 * stay.
 */
function idsOfFiles(
  read: Files['read'],
  rows: readonly Pick<AutomationRow, 'id' | 'name' | 'file'>[],
): (file: AutomationFile) => string {
  const there = new Set(read.flatMap((one) => (Array.isArray(one) ? one.map(({ file }) => file) : [one.file])));
  const ids = new Set(rows.map(({ id }) => id));
  const fileIds = new Set(read.flatMap((one) => (Array.isArray(one) ? [] : [one.id])));
  const isGone = ({ id, file }: (typeof rows)[number]) => file !== null && !there.has(file) && !fileIds.has(id);
  return ({ file, id, body }) => {
    const before = rows.find((row) => row.file === file);
    if (before || ids.has(id)) return before?.id ?? id;
    const renamed = rows.find((row) => isGone(row) && row.name.toLowerCase() === body.name.toLowerCase());
    return renamed?.id ?? id;
  };
}

/** The fields that differ; for a new automation, those that are set. */
function fieldsOf(row: AutomationRow | null, definition: Definition): Change['fields'] {
  const wanted: Record<string, unknown> = presentDefinition({
    ...definition,
    // Files contain no secrets: that of the automation stays.
    webhookSecret: definition.webhook && (row?.webhookSecret ?? null),
  });
  const present: Record<string, unknown> = row === null ? {} : presentDefinition(row);
  return Object.keys(wanted)
    .filter((field) => !isDeepStrictEqual(present[field] ?? null, wanted[field] ?? null))
    .map((field) => ({ field, before: present[field] ?? null, after: wanted[field] ?? null }));
}

/** Only what differs: an automation that paused itself stays paused, unless a file enables it. */
function changeOf(definition: Definition, { fields }: Change): AutomationChange {
  const { name, prompt, instructions, model, metadata, trigger, options, webhook, file } = definition;
  const { foldIntoOpenPullRequest, maxRunsPerDay, cooldownMinutes, enabled } = definition;
  const differs = (field: string) => fields.some((one) => one.field === field);
  const none = { mode: null, ref: null, branch: null, title: null, effort: null, draft: null, budget: null };
  return {
    name,
    prompt,
    instructions,
    model,
    metadata,
    foldIntoOpenPullRequest,
    maxRunsPerDay,
    cooldownMinutes,
    file,
    options: { ...none, ...options },
    ...(differs('trigger') && { trigger }),
    ...(differs('webhook') && { webhook: webhook && fileWebhookOf(webhook) }),
    ...(differs('enabled') && { enabled }),
  };
}

/** Files contain no secrets: without a name, that of the automation stays. */
function fileWebhookOf({ url, events, secretName }: NonNullable<Definition['webhook']>) {
  return { url, events, ...(secretName === undefined ? {} : { secretName }) };
}
