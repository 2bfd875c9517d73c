import { AppError } from '../../platform/errors.ts';
import { VERSION } from '../../platform/version.ts';
import { rangeText, readIpRange } from '../../platform/net/ip-address.ts';
import { once } from '../../jobs/idempotency.ts';
import { createKey as create, listKeys as list, revokeKey as revoke } from '../../store/keys.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { pageOf, readTimeCursor, timeCursorOf } from '../presenters/cursor.ts';
import { presentKey } from '../presenters/key.ts';

const DAY_MS = 86_400_000;

const createKey: Handler<'createKey'> = async ({ body, request }, services) => {
  const { db, config } = services;
  const allowedAddresses = body.allowedAddresses?.map(canonicalRange) ?? null;
  const answer = await once(db, idempotent(request, services, '*'), async (tx) => {
    const { row, key } = await create(tx, {
      name: body.name,
      scopes: body.scopes,
      projectIds: body.projectIds,
      allowedAddresses,
      expiresAt: body.expiresInDays === null ? null : new Date(Date.now() + body.expiresInDays * DAY_MS),
      prefix: config.keyPrefix,
    });
    const record = presentKey(row);
    return {
      status: 201 as const,
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the answer to a replay is of this type, too
      body: { ...record, key: key as string | null },
      storedBody: { ...record, key: null },
    };
  });
  return { ...answer, headers: replayHeaders(answer) };
};

function canonicalRange(text: string, index: number): string {
  const range = readIpRange(text);
  if (range?.bits === 0) {
    throw new AppError(
      'bad_request',
      `\`allowedAddresses[${index}]\` is the range of all addresses, which limits nothing. Give the addresses that are meant, or leave \`allowedAddresses\` out.`,
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

const listKeys: Handler<'listKeys'> = async ({ query }, { db }) => {
  const found = await list(db, {
    projectId: query.projectId,
    limit: query.limit + 1,
    before: readTimeCursor(query.cursor),
  });
  const { rows, nextCursor } = pageOf(found, query.limit, timeCursorOf);
  return { status: 200, body: { keys: rows.map(presentKey), nextCursor } };
};

const revokeKey: Handler<'revokeKey'> = async ({ path }, { db }) => {
  return { status: 200, body: presentKey(await revoke(db, path.keyId)) };
};

const getCaller: Handler<'getCaller'> = async ({ request: { principal } }) => {
  const key = principal?.kind === 'key' ? presentKey(principal.key) : null;
  return { status: 200, body: { kind: key ? 'key' : 'operator', key, version: VERSION } };
};

export const keyRoutes = { createKey, listKeys, revokeKey, getCaller } satisfies Partial<Handlers>;
