import { assertCodeTrigger } from '../../jobs/code-trigger.ts';
import { assertFilter } from '../../jobs/payload-filter.ts';
import { assertSchedule } from '../../jobs/schedule-trigger.ts';
import { AppError } from '../../platform/errors.ts';
import type { Trigger } from '../../store/automations/automation-schema.ts';
import {
  deleteAutomation as remove,
  insertAutomation,
  listAutomations as list,
  updateAutomation as update,
  type AutomationChange,
  type AutomationRow,
  type NewAutomation,
  requireAutomation,
} from '../../store/automations/automations.ts';
import type { Queryable } from '../../store/database.ts';
import { listProjectSecrets, missingSecret } from '../../store/projects/project-secrets.ts';
import { findProject, requireProject } from '../../store/projects/projects.ts';
import type { BodyOf, Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { presentAutomation } from '../presenters/automation.ts';
import { jobWebhookOf } from './job-webhook.ts';
import { budgetOf, chosenModel, optionsOf } from './new-job.ts';
import { answerOnce } from '../middleware/idempotency.ts';
import { timePage } from '../presenters/cursor.ts';

export const createAutomation: Handler<'createAutomation'> = async ({ path, body, request }, services) => {
  const { db, secrets, config } = services;
  const { projectId } = path;
  const given = await automationOf(db, projectId, body, config.privateHosts);
  const model = (await chosenModel(body, projectId, request, services)) ?? null;
  return answerOnce(request, services, projectId, async (tx) => {
    const row = await insertAutomation(tx, secrets, { ...given, id: body.id, model });
    return { status: 201 as const, body: presentAutomation(row) };
  });
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
  const { rows, nextCursor } = await timePage(query, (at) => list(db, { projectId, ...at }));
  if (rows.length === 0) await requireProject(db, projectId);
  return { status: 200, body: { automations: rows.map(presentAutomation), nextCursor } };
};

export const getAutomation: Handler<'getAutomation'> = async ({ path }, { db }) => {
  const { projectId, automationId: id } = path;
  return { status: 200, body: presentAutomation(await requireAutomation(db, { projectId, id })) };
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
  const row = await db.transaction((tx) => update(tx, secrets, { projectId, id }, change, check));
  return tagged(presentAutomation(row));
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
  await db.transaction(async (tx) => {
    refuseUnlessMatched(request.ifMatch, presentAutomation(await remove(tx, { projectId, id })));
  });
  return { status: 204 };
};
