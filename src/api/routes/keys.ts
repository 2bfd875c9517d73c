import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { rangeText, readIpRange } from '@docent/base/net/ip-address';
import { DAY_MS } from '@docent/base/time';
import type { Queryable } from '../../store/database.ts';
import { formerSecretsOf, rotateKey as rotate } from '../../store/access/key-secrets.ts';
import {
  createKey as create,
  findKey,
  type KeyRow,
  listKeys as list,
  revokeKey as revoke,
  updateKey as update,
} from '../../store/access/keys.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { projectsOf, refuseBeyond, refuseKeyBeyond } from '../middleware/authorize.ts';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { presentKey } from '../presenters/key.ts';
import type { RequestContext } from '../request-context.ts';
import { answerOnce, shownOnce } from '../middleware/idempotency.ts';
import { timePage } from '../presenters/cursor.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;

export const createKey: Handler<'createKey'> = async ({ body, request }, services) => {
  const { config } = services;
  refuseBeyond(request.principal, body.projectIds);
  const allowedAddresses = body.allowedAddresses?.map(canonicalRange) ?? null;
  return answerOnce(request, services, '*', async (tx) => {
    const { row, key } = await create(tx, {
      name: body.name,
      scopes: body.scopes,
      projectIds: body.projectIds,
      allowedAddresses,
      expiresAt: expiryIn(body.expiresInDays),
      prefix: config.keyPrefix,
    });
    return { status: 201 as const, ...shownOnce(key, (shown) => ({ ...presentKey(row), key: shown })) };
  });
};

function canonicalRange(text: string, index: number): string {
  const range = readIpRange(text);
  if (range?.bits === 0) {
    throw new AppError(
      'bad_request',
      `\`allowedAddresses[${index}]\` covers all addresses, which restricts nothing. List specific addresses, or omit \`allowedAddresses\`.`,
      { param: `allowedAddresses[${index}]` },
    );
  }
  if (range) return rangeText(range);
  throw new AppError(
    'bad_request',
    `\`allowedAddresses[${index}]\` must be an IP address or a CIDR range, such as 203.0.113.7 or 10.0.0.0/8.`,
    { param: `allowedAddresses[${index}]` },
  );
}

export const listKeys: Handler<'listKeys'> = async ({ query, request }, { db }) => {
  const { projectId } = query;
  const within = projectsOf(request.principal);
  const { rows, nextCursor } = await timePage(query, (at) => list(db, { projectId, within, ...at }), { projectId });
  const former = await formerSecretsOf(
    db,
    rows.map(({ id }) => id),
  );
  return { status: 200, body: { keys: rows.map((row) => presentKey(row, former)), nextCursor } };
};

export const getKey: Handler<'getKey'> = async ({ path, request }, { db }) => {
  const row = await findKey(db, path.keyId);
  refuseKeyBeyond(request.principal, row);
  return taggedKey(await presented(db, row));
};

export const updateKey: Handler<'updateKey'> = async ({ path, body, request }, { db }) => {
  const { name, allowedAddresses, expiresInDays } = body;
  const change = {
    name,
    allowedAddresses: allowedAddresses === undefined ? undefined : (allowedAddresses?.map(canonicalRange) ?? null),
    expiresAt: expiresInDays === undefined ? undefined : expiryIn(expiresInDays),
  };
  return db.transaction(async (tx) =>
    taggedKey(await presented(tx, await update(tx, path.keyId, change, checkFor(request, tx)))),
  );
};

type Key = components['schemas']['Key'];

/** A key's tag ignores its uses: otherwise a change to a busy key would always come too late. */
const taggedKey = ({ body }: { body: Key }) => tagged(body, withoutUses(body));

function withoutUses(key: Key): object {
  return { ...key, lastUsedAt: null, secrets: key.secrets.map((secret) => ({ ...secret, lastUsedAt: null })) };
}

export const rotateKey: Handler<'rotateKey'> = async ({ path, body, request }, services) => {
  const { db, config } = services;
  const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body ?? {};
  refuseKeyBeyond(request.principal, await findKey(db, path.keyId));
  const answer = await answerOnce(request, services, '*', async (tx) => {
    const { row, key } = await rotate(tx, path.keyId, { overlapSeconds, prefix: config.keyPrefix });
    const { body: record } = await presented(tx, row);
    return { status: 200 as const, ...shownOnce(key, (shown) => ({ ...record, key: shown })) };
  });
  faultPoint('key-rotated');
  return answer;
};

export const revokeKey: Handler<'revokeKey'> = ({ path, request }, { db }) =>
  db.transaction(async (tx) => presented(tx, await revoke(tx, path.keyId, checkFor(request, tx))));

/** Refuses a change to a key that the caller may not change, or has not seen as it is now. */
const checkFor = (request: RequestContext, tx: Queryable) => async (row: KeyRow) => {
  refuseKeyBeyond(request.principal, row);
  refuseUnlessMatched(request.ifMatch, withoutUses((await presented(tx, row)).body));
};

async function presented(q: Queryable, row: KeyRow): Promise<{ status: 200; body: components['schemas']['Key'] }> {
  return { status: 200, body: presentKey(row, await formerSecretsOf(q, [row.id])) };
}

/** The end of what is created now. */
export const expiryIn = (days: number | null) => (days === null ? null : new Date(Date.now() + days * DAY_MS));
