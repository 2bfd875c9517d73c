import { AppError } from '../../platform/errors.ts';
import { once } from '../../store/idempotency.ts';
import { createKey as create } from '../../store/keys.ts';
import type { Handler } from '../contract/handler.ts';
import { parseRange, rangeText } from '../middleware/client-address.ts';
import { idempotent, replayHeaders } from '../middleware/idempotency.ts';
import { presentKey } from '../presenters/key.ts';

const DAY_MS = 86_400_000;

export const createKey: Handler<'createKey'> = async ({ body, request }, services) => {
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
      body: { ...record, key: key as string | null },
      storedBody: { ...record, key: null },
    };
  });
  return { ...answer, headers: replayHeaders(answer) };
};

function canonicalRange(text: string, index: number): string {
  const range = parseRange(text);
  if (range) return rangeText(range);
  throw new AppError(
    'bad_request',
    400,
    `\`allowedAddresses[${index}]\` must be an IP address or a CIDR range, such as 203.0.113.7 or 10.0.0.0/8.`,
  );
}
