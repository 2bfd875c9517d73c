import { and, asc, count, eq, ne, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Queryable } from '../database.ts';
import { holdProject } from './projects.ts';
import { projectSecrets } from './secret-schema.ts';

/** What is shown of a secret. */
export type NamedSecret = Pick<typeof projectSecrets.$inferSelect, 'name' | 'updatedAt'>;

interface SecretAt {
  projectId: string;
  name: string;
}

const MAX_SECRETS = 100;
const SHOWN = { name: projectSecrets.name, updatedAt: projectSecrets.updatedAt };

/**
 * Stores a secret under a name, or replaces it. Safe to repeat.
 * @throws AppError `project_not_found`, `bad_request` if the project has 100; Expected `secret_key`
 */
export async function setProjectSecret(
  tx: Queryable,
  box: SecretBox,
  { projectId, name, value }: SecretAt & { value: string },
): Promise<NamedSecret> {
  await holdProject(tx, projectId);
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:secrets:${projectId}`}, 0))`);
  const others = and(eq(projectSecrets.projectId, projectId), ne(projectSecrets.name, name));
  const [found] = await tx.select({ there: count() }).from(projectSecrets).where(others);
  if ((found?.there ?? 0) >= MAX_SECRETS) {
    throw new AppError('bad_request', `The project has ${MAX_SECRETS} secrets. Remove one first.`);
  }
  const { box: secret, keyId } = box.encrypt(value, purposeOf({ projectId, name }));
  const sealed = { secret, keyId, updatedAt: sql`clock_timestamp()` };
  const [row] = await tx
    .insert(projectSecrets)
    .values({ projectId, name, ...sealed })
    .onConflictDoUpdate({ target: [projectSecrets.projectId, projectSecrets.name], set: sealed })
    .returning(SHOWN);
  if (!row) throw new Error('An upsert returned no row.');
  return row;
}

/** By name. */
export function listProjectSecrets(q: Queryable, projectId: string): Promise<NamedSecret[]> {
  return q
    .select(SHOWN)
    .from(projectSecrets)
    .where(eq(projectSecrets.projectId, projectId))
    .orderBy(asc(projectSecrets.name));
}

/** @throws AppError `secret_not_found` */
export async function deleteProjectSecret(q: Queryable, at: SecretAt): Promise<void> {
  const deleted = await q.delete(projectSecrets).where(isIt(at)).returning(SHOWN);
  if (deleted.length === 0) throw new AppError('secret_not_found', missingSecret(at.name));
}

/** @throws AppError `bad_request` if the project has no such secret; Expected `secret_key` */
export async function readProjectSecret(q: Queryable, box: SecretBox, at: SecretAt): Promise<string> {
  const [row] = await q.select().from(projectSecrets).where(isIt(at));
  if (!row) throw new AppError('bad_request', missingSecret(at.name));
  return box.decrypt({ box: row.secret, keyId: row.keyId }, purposeOf(at));
}

/** @param name letters, digits, `_` and `-` */
export function missingSecret(name: string): string {
  return `The project has no secret ${name}. Set it with \`docent secret set ${name}\`.`;
}

function isIt({ projectId, name }: SecretAt) {
  return and(eq(projectSecrets.projectId, projectId), eq(projectSecrets.name, name));
}

/** A secret opens for its project and name alone. */
function purposeOf({ projectId, name }: SecretAt): string {
  return JSON.stringify(['project secret', projectId, name]);
}
