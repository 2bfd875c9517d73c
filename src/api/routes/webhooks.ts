import { AppError } from '../../platform/errors.ts';
import { minuteQuota } from '../../platform/net/address-limit.ts';
import { once, type IdempotentRequest } from '../../jobs/idempotency.ts';
import { findProject, projectNotFound } from '../../store/projects/projects.ts';
import {
  findDelivery,
  insertPing,
  listAttempts,
  listDeliveries,
  redeliver,
  type DeliveryRow,
} from '../../store/webhooks/webhook-deliveries.ts';
import { targetOf } from '../../store/webhooks/webhook-outbox.ts';
import { WEBHOOK_EVENTS, type components } from '@docent/client';
import {
  deleteWebhook as remove,
  findWebhook,
  insertWebhook,
  listWebhooks as list,
  moveWaiting,
  newWebhookSecret,
  rotateSecret,
  updateWebhook as update,
  type WebhookRow,
} from '../../store/webhooks/webhooks.ts';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched, taggedAs } from '../middleware/entity-tag.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { presentDelivery, presentDeliveryDetails, presentWebhook } from '../presenters/webhook.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { keepingSecret } from './keeping-secret.ts';
import { checkedWebhookSecret, checkedWebhookUrl } from './webhook-url.ts';

interface Path {
  projectId: string;
  webhookId: string;
}

/** A webhook of the project. @throws AppError for a missing project or webhook */
async function webhookOf({ db }: ApiServices, { projectId, webhookId }: Path): Promise<WebhookRow> {
  return orMissingProject(db, projectId, () => findWebhook(db, projectId, webhookId));
}

async function orMissingProject<T>(db: ApiServices['db'], projectId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    const isMissing = err instanceof AppError && err.code === 'webhook_not_found';
    if (isMissing && !(await findProject(db, projectId))) throw projectNotFound(projectId);
    throw err;
  }
}

/** A key is bound to its request, not only to the operation. */
function idempotentFor(
  request: RequestContext,
  services: ApiServices,
  projectId: string,
  ids: string,
): IdempotentRequest | null {
  const key = idempotent(request, services, projectId);
  return key && { ...key, route: `${key.route} ${ids}` };
}

type Created = components['schemas']['CreatedWebhook'];

/** The answer that shows a secret, and the answer to a repeat. */
function showingSecret(row: WebhookRow, secret: string): { body: Created; storedBody: Created } {
  const shown = presentWebhook(row);
  return { body: { ...shown, secret }, storedBody: { ...shown, secret: null } };
}

export const createWebhook: Handler<'createWebhook'> = async ({ path, body, request }, services) => {
  const { db, secrets, config } = services;
  const url = checkedWebhookUrl(body.url, 'url', config.privateHosts);
  const secret = body.secret === undefined ? newWebhookSecret() : checkedWebhookSecret(body.secret, 'secret');
  const answer = await keepingSecret(() =>
    once(db, idempotent(request, services, path.projectId), async (tx) => {
      const row = await insertWebhook(tx, secrets, {
        projectId: path.projectId,
        url,
        secret,
        events: body.events ?? [...WEBHOOK_EVENTS],
        description: body.description,
        enabled: body.enabled,
      });
      return { status: 201 as const, ...showingSecret(row, secret) };
    }),
  );
  return { ...answer, headers: replayHeaders(answer) };
};

export const listWebhooks: Handler<'listWebhooks'> = async ({ path, query }, { db }) => {
  const rows = await list(db, path.projectId, query.jobId ?? null);
  if (rows.length === 0 && !(await findProject(db, path.projectId))) throw projectNotFound(path.projectId);
  return { status: 200, body: { webhooks: rows.map(presentWebhook) } };
};

export const getWebhook: Handler<'getWebhook'> = async ({ path }, services) => ({
  status: 200,
  body: presentWebhook(await webhookOf(services, path)),
});

export const updateWebhook: Handler<'updateWebhook'> = async ({ path, body, request }, services) => {
  const { db, config } = services;
  const { url, events, description, enabled } = body;
  const change = {
    ...(url === undefined ? {} : { url: checkedWebhookUrl(url, 'url', config.privateHosts) }),
    ...(events === undefined ? {} : { events }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
  };
  const row = await orMissingProject(db, path.projectId, () =>
    db.transaction(async (tx) => {
      const changed = await update(tx, { projectId: path.projectId, id: path.webhookId }, change, (current) =>
        refuseUnlessMatched(request.ifMatch, presentWebhook(current)),
      );
      if (change.url !== undefined) await moveWaiting(tx, changed.id, targetOf(change.url));
      return changed;
    }),
  );
  const shown = presentWebhook(row);
  return { status: 200, body: shown, headers: taggedAs(shown) };
};

export const deleteWebhook: Handler<'deleteWebhook'> = async ({ path, request }, { db }) => {
  await orMissingProject(db, path.projectId, () =>
    db.transaction(async (tx) => {
      refuseUnlessMatched(request.ifMatch, presentWebhook(await remove(tx, path.projectId, path.webhookId)));
    }),
  );
  return { status: 204 };
};

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ path, request }, services) => {
  const { db, secrets } = services;
  const { projectId, webhookId: id } = path;
  const secret = newWebhookSecret();
  const answer = await orMissingProject(db, projectId, () =>
    keepingSecret(() =>
      once(db, idempotentFor(request, services, projectId, id), async (tx) => {
        const row = await rotateSecret(tx, secrets, { projectId, id, secret });
        return { status: 200 as const, ...showingSecret(row, secret) };
      }),
    ),
  );
  return { ...answer, headers: replayHeaders(answer) };
};

export const testWebhook: Handler<'testWebhook'> = async ({ path, request }, services) => {
  const { db, workflows } = services;
  const webhook = await webhookOf(services, path);
  takeTurn(services, path.projectId);
  const { id } = await insertPing(db, webhook);
  await workflows.testWebhook({ deliveryId: id }, request.caller);
  return { status: 200, body: await detailsOf(services, await findDelivery(db, webhook.id, id)) };
};

/** Prevents flooding a webhook's address through this server. @throws AppError `rate_limited` */
function takeTurn({ limits, config }: ApiServices, projectId: string): void {
  const retryAfterSeconds = limits.webhookMessages.take(projectId);
  if (retryAfterSeconds === 0) return;
  const { webhookMessagesPerMinute: limit } = config;
  throw new AppError(
    'rate_limited',
    `Rate limit reached: ${limit} requested webhook messages per minute. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, quota: minuteQuota('webhook-messages', limit, retryAfterSeconds) },
  );
}

async function detailsOf(services: ApiServices, row: DeliveryRow) {
  return presentDeliveryDetails(row, await listAttempts(services.db, row.id), services);
}

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ path, query }, services) => {
  const webhook = await webhookOf(services, path);
  const found = await listDeliveries(services.db, {
    webhookId: webhook.id,
    state: query.state,
    limit: query.limit + 1,
    before: readTimeCursor(query.cursor),
  });
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf);
  return { status: 200, body: { deliveries: rows.map(presentDelivery), nextCursor } };
};

export const getWebhookDelivery: Handler<'getWebhookDelivery'> = async ({ path }, services) => {
  const webhook = await webhookOf(services, path);
  return {
    status: 200,
    body: await detailsOf(services, await findDelivery(services.db, webhook.id, path.deliveryId)),
  };
};

export const redeliverWebhook: Handler<'redeliverWebhook'> = async ({ path, request }, services) => {
  const { projectId, webhookId, deliveryId } = path;
  const webhook = await webhookOf(services, path);
  const key = idempotentFor(request, services, projectId, `${webhookId} ${deliveryId}`);
  const answer = await once(services.db, key, async (tx) => {
    await findDelivery(tx, webhook.id, deliveryId);
    if (!webhook.enabled) {
      throw new AppError('webhook_disabled', `The webhook ${webhookId} is disabled. Enable it first.`);
    }
    takeTurn(services, projectId);
    return { status: 200 as const, body: presentDelivery(await redeliver(tx, webhook, deliveryId)) };
  });
  return { ...answer, headers: replayHeaders(answer) };
};
