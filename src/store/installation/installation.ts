import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { installation } from '../schema.ts';

/** This installation's id: made on first use, the same ever after, for all processes on the database. */
export async function installationId(q: Queryable): Promise<string> {
  await q
    .insert(installation)
    .values({ singleton: true, id: newId(8) })
    .onConflictDoNothing();
  const [row] = await q.select({ id: installation.id }).from(installation);
  if (!row) throw new Error('The installation id could not be read back.');
  return row.id;
}

/** This installation's id, or null if it was never used. Makes none. */
export async function findInstallationId(q: Queryable): Promise<string | null> {
  const [row] = await q.select({ id: installation.id }).from(installation);
  return row?.id ?? null;
}
