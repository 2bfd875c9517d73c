import { once } from '../../jobs/idempotency.ts';
import { assertCodeTrigger } from '../../jobs/code-trigger.ts';
import { assertFilter } from '../../jobs/payload-filter.ts';
import { assertSchedule } from '../../jobs/schedule-trigger.ts';
import { AppError } from '../../platform/errors.ts';
import type { Trigger } from '../../store/automations/automation-schema.ts';
import {
  automationNotFound,
  deleteAutomation as remove,
  findAutomation,
  insertAutomation,
  listAutomations as list,
  updateAutomation as update,
  type AutomationChange,
  type AutomationRow,
  type NewAutomation,
} from '../../store/automations/automations.ts';
import type { Queryable } from '../../store/database.ts';
import { listProjectSecrets, missingSecret } from '../../store/projects/project-secrets.ts';
import { findProject, projectNotFound } from '../../store/projects/projects.ts';
import type { BodyOf, Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { refuseUnlessMatched, taggedAs } from '../middleware/entity-tag.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { presentAutomation } from '../presenters/automation.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { jobWebhookOf } from './job-webhook.ts';
import { keepingSecret } from './keeping-secret.ts';
import { budgetOf, chosenModel, optionsOf } from './new-job.ts';

/** Throws the error for the missing project or automation. */
export async function withAutomation<T>(q: Queryable, projectId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    const isMissing = err instanceof AppError && err.code === 'automation_not_found';
    if (isMissing && !(await findProject(q, projectId))) throw projectNotFound(projectId);
    throw err;
  }
}

export const createAutomation: Handler<'createAutomation'> = async ({ path, body, request }, services) => {
  const { db, secrets, config } = services;
  const { projectId } = path;
  const given = await automationOf(db, projectId, body, config.privateHosts);
  const model = (await chosenModel(body, projectId, request, services)) ?? null;
  const answer = await keepingSecret(() =>
    once(db, idempotent(request, services, projectId), async (tx) => {
      const row = await insertAutomation(tx, secrets, { ...given, id: body.id, model });
      return { status: 201 as const, body: presentAutomation(row) };
    }),
  );
  return { ...answer, headers: replayHeaders(answer) };
};

/** The automation in a body, before its model is checked. @throws AppError `bad_request` */
export async function automationOf(
  q: Queryable,
  projectId: string,
  body: BodyOf<'createAutomation'>,
  privateHosts: readonly string[],
): Promise<Omit<NewAutomation, 'id' | 'model'>> {
  const { id: _id, name, prompt, enabled, ...job } = body;
  const { foldIntoOpenPullRequest = true, maxRunsPerDay = null, cooldownMinutes = null, instructions = null } = body;
  const limits = { foldIntoOpenPullRequest, maxRunsPerDay, cooldownMinutes, instructions };
  const webhook = await webhookOf(q, projectId, body.webhook, privateHosts);
  const trigger = await triggerOf(q, projectId, body.trigger ?? { type: 'api' });
  return { projectId, name, prompt, ...optionsOf(job), webhook, enabled, trigger, ...limits };
}

export const listAutomations: Handler<'listAutomations'> = async ({ path, query }, { db }) => {
  const { projectId } = path;
  const found = await list(db, { projectId, limit: query.limit + 1, before: readTimeCursor(query.cursor) });
  if (found.length === 0 && !(await findProject(db, projectId))) throw projectNotFound(projectId);
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf);
  return { status: 200, body: { automations: rows.map(presentAutomation), nextCursor } };
};

export const getAutomation: Handler<'getAutomation'> = async ({ path }, { db }) => {
  const { projectId, automationId: id } = path;
  const row = await withAutomation(db, projectId, async () => {
    const found = await findAutomation(db, { projectId, id });
    if (!found) throw automationNotFound(id);
    return found;
  });
  return { status: 200, body: presentAutomation(row) };
};

export const updateAutomation: Handler<'updateAutomation'> = async ({ path, body, request }, services) => {
  const { db, secrets, config } = services;
  const { projectId, automationId: id } = path;
  const { model } = body;
  const change: AutomationChange = {
    name: body.name,
    prompt: body.prompt,
    enabled: body.enabled,
    instructions: body.instructions,
    trigger: body.trigger && (await triggerOf(db, projectId, body.trigger)),
    foldIntoOpenPullRequest: body.foldIntoOpenPullRequest,
    maxRunsPerDay: body.maxRunsPerDay,
    cooldownMinutes: body.cooldownMinutes,
    options: optionChangeOf(body),
    metadata: body.metadata === null ? {} : body.metadata,
    webhook: body.webhook && (await webhookOf(db, projectId, body.webhook, config.privateHosts)),
    model: model && (await chosenModel({ model }, projectId, request, services)),
  };
  const check = (current: AutomationRow) => refuseUnlessMatched(request.ifMatch, presentAutomation(current));
  const row = await withAutomation(db, projectId, () =>
    keepingSecret(() => db.transaction((tx) => update(tx, secrets, { projectId, id }, change, check))),
  );
  const shown = presentAutomation(row);
  return { status: 200, body: shown, headers: taggedAs(shown) };
};

/** @throws AppError `bad_request`, including for the name of a secret that the project does not have */
async function webhookOf(
  q: Queryable,
  projectId: string,
  given: components['schemas']['AutomationWebhook'] | undefined,
  privateHosts: readonly string[],
): Promise<NewAutomation['webhook']> {
  const { secret, secretName } = given ?? {};
  const webhook = jobWebhookOf(given, privateHosts);
  if (webhook === null || secretName === undefined) return webhook;
  const param = 'webhook.secretName';
  if (secret !== undefined) {
    throw new AppError('bad_request', `\`${param}\`: name a secret or send one, not both.`, { param });
  }
  const isSet = (await listProjectSecrets(q, projectId)).some(({ name }) => name === secretName);
  if (!isSet) throw new AppError('bad_request', `\`${param}\`: ${missingSecret(secretName)}`, { param });
  return { ...webhook, secretName };
}

/** The trigger with its defaults. @throws AppError `bad_request` */
async function triggerOf(q: Queryable, projectId: string, given: components['schemas']['Trigger']): Promise<Trigger> {
  if (given.type === 'schedule') {
    const { cron, timezone = 'UTC', jitterMinutes = 0, catchUp = 'one' } = given;
    const schedule = { type: given.type, cron: cron.trim().replaceAll(/\s+/g, ' '), timezone, jitterMinutes, catchUp };
    assertSchedule(schedule);
    return schedule;
  }
  if (given.type === 'code') assertCodeTrigger(given, (await findProject(q, projectId))?.docsDir ?? '');
  if (given.type === 'webhook' && given.filter !== undefined) assertFilter(given.filter);
  return given;
}

/** The options that a change names; null for those that it takes away. */
function optionChangeOf(body: components['schemas']['AutomationChange']): AutomationChange['options'] {
  const { mode, ref, branch, effort, draft, title, budget } = body;
  const said = {
    mode: mode === 'pull-request' ? null : mode,
    ref,
    branch,
    effort,
    draft,
    title,
    budget: budget && (budgetOf(budget) ?? null),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

export const deleteAutomation: Handler<'deleteAutomation'> = async ({ path, request }, { db }) => {
  const { projectId, automationId: id } = path;
  await withAutomation(db, projectId, () =>
    db.transaction(async (tx) => {
      refuseUnlessMatched(request.ifMatch, presentAutomation(await remove(tx, { projectId, id })));
    }),
  );
  return { status: 204 };
};
