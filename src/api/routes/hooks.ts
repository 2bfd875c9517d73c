import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readDelivery } from '@docent/code-hosts/events/read-delivery';
import { storeHostEvents } from '../../store/automations/store-host-events.ts';
import { verifyDelivery } from '../../jobs/hook-signature.ts';
import { faultPoint } from '../../platform/faults.ts';
import { listHooks, rotateHookSecret } from '../../store/automations/automations.ts';
import { findCodeHost } from '../../store/hosts/code-hosts.ts';
import { findHostSecret, noteDelivery, noteRefusal } from '../../store/hosts/host-hooks.ts';
import { insertTriggerEvent } from '../../store/automations/trigger-events.ts';
import type { Handler } from '../contract/handler.ts';
import { unauthorized } from '../middleware/authenticate.ts';
import { mediaTypeOf, readBytes } from '../middleware/read-body.ts';

/** Headers that are stored with a delivery: useful to people, and no credentials. */
const STORED_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'idempotency-key',
  'x-github-event',
  'x-github-delivery',
  'x-gitea-event',
  'x-gitlab-event',
  'x-gitlab-event-uuid',
];
const MAX_HEADER = 256;

export const createAutomationSecret: Handler<'createAutomationSecret'> = async ({ path }, { db, secrets, urlOf }) => {
  const { projectId, automationId: id } = path;
  const secret = await rotateHookSecret(db, secrets, { projectId, id });
  return { status: 201, body: { url: urlOf(`/v1/hooks/${id}`), secret } };
};

/** Stores the delivery before answering; workers start a run. Does not reveal which automations exist. */
export const receiveDelivery: Handler<'receiveDelivery'> = async ({ path, request }, services) => {
  const { db, secrets, config, limits, addressOf } = services;
  const { incoming: req } = request;
  const body = await readBytes(req, config);
  const hooks = await listHooks(db, secrets, path.automationId);
  for (const { automation, secret } of hooks) {
    const verified = verifyDelivery(req.headers, body, secret);
    if (!verified) continue;
    const { id, projectId } = automation;
    const stored = await insertTriggerEvent(db, {
      source: `webhook:${projectId}/${id}`,
      deliveryId: verified.deliveryId ?? randomUUID(),
      projectId,
      automationId: id,
      headers: shownHeaders(req.headers),
      event: verified.event,
      body,
    });
    faultPoint('event-stored');
    return { status: 202, body: { id: stored.id, duplicate: stored.isDuplicate } };
  }
  const refusal = unauthorized(
    'The signature matches no automation that accepts deliveries. Check the address, the secret and the clock of the sender.',
  );
  throw limits.failedSignIns.failed(addressOf(req), refusal);
};

/** Unknown code hosts get the same answer, so that it does not reveal which exist. */
export const receiveHostDelivery: Handler<'receiveHostDelivery'> = async ({ path, request }, services) => {
  const { db, secrets, config, limits, addressOf } = services;
  const { incoming: req } = request;
  const body = await readBytes(req, config);
  const { hostId } = path;
  const host = await findCodeHost(db, hostId);
  const secret = host && (await findHostSecret(db, secrets, hostId));
  const verified = secret === null ? null : verifyDelivery(req.headers, body, secret);
  if (!host || !verified) {
    const reason =
      'The delivery is not signed with the secret of the code host. Run `docent host connect` again, and check the clock of the sender.';
    await noteRefusal(db, hostId, reason);
    throw limits.failedSignIns.failed(addressOf(req), unauthorized(reason));
  }
  const { event } = verified;
  const isForm = mediaTypeOf(req) === 'application/x-www-form-urlencoded';
  const reading = readDelivery(host.kind, { event, body, isForm });
  const events = 'events' in reading ? reading.events : [];
  const incomplete = 'events' in reading ? (reading.incomplete?.repositoryId ?? null) : null;
  const repositories = [...events.map(({ repository }) => repository.id), ...(incomplete === null ? [] : [incomplete])];
  const added = await db.transaction(async (tx) => {
    await noteDelivery(tx, hostId, { event: event ?? '', repositories: [...new Set(repositories)], incomplete });
    return storeHostEvents(tx, hostId, events, shownHeaders(req.headers));
  });
  faultPoint('event-stored');
  const ignored = 'ignored' in reading ? reading.ignored : null;
  return { status: 202, body: { events: added, duplicates: events.length - added, ignored } };
};

function shownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = STORED_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value.slice(0, MAX_HEADER)]] : [];
  });
  return Object.fromEntries(shown);
}
