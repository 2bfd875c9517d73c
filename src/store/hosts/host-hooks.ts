import { and, eq, sql } from 'drizzle-orm';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Queryable } from '../database.ts';
import { hostHooks, hostRepositories } from './host-schema.ts';
import { storableText } from '../storable.ts';
import { newWebhookSecret } from '../webhooks/webhooks.ts';

type HostHookRow = typeof hostHooks.$inferSelect;

/** Replaces the secret that the code host signs deliveries with. @throws Expected `secret_key` */
export async function rotateHostSecret(q: Queryable, box: SecretBox, hostId: string): Promise<string> {
  const secret = newWebhookSecret();
  const { box: sealed, keyId } = box.encrypt(secret, purposeOf(hostId));
  const set = { secret: sealed, keyId };
  await q
    .insert(hostHooks)
    .values({ hostId, ...set })
    .onConflictDoUpdate({ target: hostHooks.hostId, set });
  return secret;
}

/** Null if none was created. @throws Expected `secret_key` */
export async function findHostSecret(q: Queryable, box: SecretBox, hostId: string): Promise<string | null> {
  const row = await findHostHook(q, hostId);
  return row && box.decrypt({ box: row.secret, keyId: row.keyId }, purposeOf(hostId));
}

export async function findHostHook(q: Queryable, hostId: string): Promise<HostHookRow | null> {
  const [row] = await q.select().from(hostHooks).where(eq(hostHooks.hostId, hostId));
  return row ?? null;
}

/**
 * A correctly signed delivery arrived.
 * @param repositories of its events; `incomplete` ones are polled now
 */
export async function noteDelivery(
  tx: Queryable,
  hostId: string,
  { event, repositories, incomplete }: { event: string; repositories: readonly string[]; incomplete: string | null },
): Promise<void> {
  const receivedEvent = storableText(event).slice(0, 200);
  await tx
    .update(hostHooks)
    .set({ receivedAt: sql`now()`, receivedEvent })
    .where(eq(hostHooks.hostId, hostId));
  for (const repositoryId of repositories) {
    await tx
      .update(hostRepositories)
      .set({
        deliveredAt: sql`now()`,
        ...(repositoryId === incomplete ? { pollAt: sql`least(${hostRepositories.pollAt}, now())` } : {}),
      })
      .where(and(eq(hostRepositories.hostId, hostId), eq(hostRepositories.repositoryId, repositoryId)));
  }
}

/** A delivery was refused. @param reason a sentence without anything that the sender chose */
export async function noteRefusal(q: Queryable, hostId: string, reason: string): Promise<void> {
  await q
    .update(hostHooks)
    .set({ refusedAt: sql`now()`, refusedReason: reason })
    .where(eq(hostHooks.hostId, hostId));
}

function purposeOf(hostId: string): string {
  return JSON.stringify(['code host hook', hostId]);
}
