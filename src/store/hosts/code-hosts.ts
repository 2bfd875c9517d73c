import { asc, eq, gt } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Encrypted, SecretBox } from '../../platform/secret-box.ts';
import type { Queryable } from '../database.ts';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';
import { codeHosts, projects } from '../schema.ts';
import { sources } from '../projects/source-schema.ts';

export type CodeHostRow = typeof codeHosts.$inferSelect;

/** Everything about a code host but its credential. */
export interface CodeHostSettings {
  id: string;
  kind: CodeHostKind;
  webUrl: string;
  apiUrl: string;
  appId: string | null;
}

/** A code host with its encrypted credential: an existing or a future row. */
export type CodeHostAccess = CodeHostSettings & Pick<CodeHostRow, 'credential' | 'keyId'>;

export async function findCodeHost(q: Queryable, id: string): Promise<CodeHostRow | null> {
  const [row] = await q.select().from(codeHosts).where(eq(codeHosts.id, id));
  return row ?? null;
}

/** By id; `after` is the last id of the previous page. */
export function listCodeHosts(q: Queryable, page: { limit?: number; after?: string } = {}): Promise<CodeHostRow[]> {
  const list = q
    .select()
    .from(codeHosts)
    .where(page.after === undefined ? undefined : gt(codeHosts.id, page.after))
    .orderBy(asc(codeHosts.id))
    .$dynamic();
  return page.limit === undefined ? list : list.limit(page.limit);
}

/** @throws AppError `host_exists` */
export async function insertCodeHost(
  q: Queryable,
  settings: CodeHostSettings,
  credential: Encrypted,
): Promise<CodeHostRow> {
  const [row] = await q
    .insert(codeHosts)
    .values({ ...settings, credential: credential.box, keyId: credential.keyId })
    .onConflictDoNothing()
    .returning();
  if (row) return row;
  throw codeHostExists(settings.id);
}

/**
 * @param check gets the locked row before the change, and throws to prevent it
 * @throws AppError `host_not_found`
 */
export async function replaceCredential(
  tx: Queryable,
  id: string,
  credential: Encrypted,
  check: (current: CodeHostRow) => void = () => {},
): Promise<CodeHostRow> {
  const [current] = await tx.select().from(codeHosts).where(eq(codeHosts.id, id)).for('update');
  if (!current) throw codeHostNotFound(id);
  check(current);
  const [row] = await tx
    .update(codeHosts)
    .set({ credential: credential.box, keyId: credential.keyId, updatedAt: new Date() })
    .where(eq(codeHosts.id, id))
    .returning();
  if (!row) throw codeHostNotFound(id);
  return row;
}

/**
 * @param check gets the locked row, and throws to prevent it
 * @throws AppError `host_not_found`, `host_in_use`
 */
export async function deleteCodeHost(tx: Queryable, id: string, check: (current: CodeHostRow) => void): Promise<void> {
  const [row] = await tx.select().from(codeHosts).where(eq(codeHosts.id, id)).for('update');
  if (!row) throw codeHostNotFound(id);
  check(row);
  const [user] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.host, id)).limit(1);
  if (user) {
    throw new AppError('host_in_use', `The project ${user.id} uses this code host. Delete its projects first.`);
  }
  const [reader] = await tx.select({ id: sources.projectId }).from(sources).where(eq(sources.host, id)).limit(1);
  if (reader) {
    throw new AppError('host_in_use', `A source of the project ${reader.id} is on this code host. Remove it first.`);
  }
  await tx.delete(codeHosts).where(eq(codeHosts.id, id));
}

/** Keeps the code host from being deleted until the transaction ends. @throws AppError `host_not_found` */
export async function holdCodeHost(tx: Queryable, id: string): Promise<void> {
  const [row] = await tx.select({ id: codeHosts.id }).from(codeHosts).where(eq(codeHosts.id, id)).for('share');
  if (!row) throw codeHostNotFound(id);
}

export function codeHostExists(id: string): AppError {
  return new AppError('host_exists', `Code host ${id} already exists. Choose another name.`);
}

export function codeHostNotFound(id: string): AppError {
  return new AppError('host_not_found', `Code host ${id} does not exist. \`docent host list\` shows them.`);
}

/** Bound to the host and its addresses: a changed row cannot send the credential elsewhere. */
export function encryptCredential(box: SecretBox, settings: CodeHostSettings, credential: string): Encrypted {
  return box.encrypt(credential, purposeOf(settings));
}

/** @throws Expected `secret_key` */
export function decryptCredential(box: SecretBox, row: CodeHostAccess): string {
  return box.decrypt({ box: row.credential, keyId: row.keyId }, purposeOf(row));
}

function purposeOf({ id, kind, webUrl, apiUrl, appId }: CodeHostSettings): string {
  return JSON.stringify(['code host', id, kind, webUrl, apiUrl, appId]);
}
