import { AppError } from '../../platform/errors.ts';
import {
  findDelivery,
  insertPing,
  listAttempts,
  listDeliveries,
  redeliver,
  type DeliveryRow,
} from '../../store/webhooks/webhook-deliveries.ts';
import { targetOf } from '../../store/webhooks/webhook-outbox.ts';
import { WEBHOOK_EVENTS } from '@docent/client';
import {
  deleteWebhook as remove,
  findWebhook,
  insertWebhook,
  listWebhooks as list,
  moveWaiting,
  newWebhookSecret,
  rotateSecret,
  updateWebhook as update,
} from '../../store/webhooks/webhooks.ts';
import type { Handler } from '../contract/handler.ts';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { presentDelivery, presentDeliveryDetails, presentWebhook } from '../presenters/webhook.ts';
import type { ApiServices } from '../services.ts';
import { checkedWebhookSecret, checkedWebhookUrl } from './webhook-url.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { answerOnce, shownOnce } from '../middleware/idempotency.ts';
import { timePage } from '../presenters/cursor.ts';

export const createWebhook: Handler<'createWebhook'> = async ({ path, body, request }, services) => {
  const { secrets, config } = services;
  const url = checkedWebhookUrl(body.url, 'url', config.privateHosts);
  const secret = body.secret === undefined ? newWebhookSecret() : checkedWebhookSecret(body.secret, 'secret');
  return answerOnce(request, services, path.projectId, async (tx) => {
    const row = await insertWebhook(tx, secrets, {
      projectId: path.projectId,
      url,
      secret,
      events: body.events ?? [...WEBHOOK_EVENTS],
      description: body.description,
      enabled: body.enabled,
    });
    return { status: 201 as const, ...shownOnce(secret, (shown) => ({ ...presentWebhook(row), secret: shown })) };
  });
};

export const listWebhooks: Handler<'listWebhooks'> = async ({ path, query }, { db }) => {
  const rows = await list(db, path.projectId, query.jobId ?? null);
  if (rows.length === 0) await requireProject(db, path.projectId);
  return { status: 200, body: { webhooks: rows.map(presentWebhook) } };
};

export const getWebhook: Handler<'getWebhook'> = async ({ path }, services) => ({
  status: 200,
  body: presentWebhook(await findWebhook(services.db, path.projectId, path.webhookId)),
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
  const row = await db.transaction(async (tx) => {
    const changed = await update(tx, { projectId: path.projectId, id: path.webhookId }, change, (current) =>
      refuseUnlessMatched(request.ifMatch, presentWebhook(current)),
    );
    if (change.url !== undefined) await moveWaiting(tx, changed.id, targetOf(change.url));
    return changed;
  });
  return tagged(presentWebhook(row));
};

export const deleteWebhook: Handler<'deleteWebhook'> = async ({ path, request }, { db }) => {
  await db.transaction(async (tx) => {
    refuseUnlessMatched(request.ifMatch, presentWebhook(await remove(tx, path.projectId, path.webhookId)));
  });
  return { status: 204 };
};

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ path, request }, services) => {
  const { projectId, webhookId: id } = path;
  const secret = newWebhookSecret();
  return answerOnce(request, services, projectId, async (tx) => {
    const row = await rotateSecret(tx, services.secrets, { projectId, id, secret });
    return { status: 200 as const, ...shownOnce(secret, (shown) => ({ ...presentWebhook(row), secret: shown })) };
  });
};

export const testWebhook: Handler<'testWebhook'> = async ({ path, request }, services) => {
  const { db, workflows } = services;
  const webhook = await findWebhook(services.db, path.projectId, path.webhookId);
  takeTurn(services, path.projectId);
  const { id } = await insertPing(db, webhook);
  await workflows.testWebhook({ deliveryId: id }, request.caller);
  return { status: 200, body: await detailsOf(services, await findDelivery(db, webhook.id, id)) };
};

/** Prevents flooding a webhook's address through this server. @throws AppError `rate_limited` */
function takeTurn({ limits, config }: ApiServices, projectId: string): void {
  limits.webhookMessages.pass(
    'webhook-messages',
    projectId,
    `Rate limit reached: ${config.webhookMessagesPerMinute} requested webhook messages per minute. Wait, then try again.`,
  );
}

async function detailsOf(services: ApiServices, row: DeliveryRow) {
  return presentDeliveryDetails(row, await listAttempts(services.db, row.id), services);
}

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ path, query }, services) => {
  const { id: webhookId } = await findWebhook(services.db, path.projectId, path.webhookId);
  const { state } = query;
  const { rows, nextCursor } = await timePage(query, (at) => listDeliveries(services.db, { webhookId, state, ...at }));
  return { status: 200, body: { deliveries: rows.map(presentDelivery), nextCursor } };
};

export const getWebhookDelivery: Handler<'getWebhookDelivery'> = async ({ path }, services) => {
  const webhook = await findWebhook(services.db, path.projectId, path.webhookId);
  return {
    status: 200,
    body: await detailsOf(services, await findDelivery(services.db, webhook.id, path.deliveryId)),
  };
};

export const redeliverWebhook: Handler<'redeliverWebhook'> = async ({ path, request }, services) => {
  const { projectId, webhookId, deliveryId } = path;
  const webhook = await findWebhook(services.db, path.projectId, path.webhookId);
  return answerOnce(request, services, projectId, async (tx) => {
    await findDelivery(tx, webhook.id, deliveryId);
    if (!webhook.enabled) {
      throw new AppError('webhook_disabled', `The webhook ${webhookId} is disabled. Enable it first.`);
    }
    takeTurn(services, projectId);
    return { status: 200 as const, body: presentDelivery(await redeliver(tx, webhook, deliveryId)) };
  });
};
