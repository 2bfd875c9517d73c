import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_MODEL } from '../../config/models.ts';
import type { Queryable } from '../database.ts';
import { installation, type projects } from '../schema.ts';

/**
 * The model of projects that name none, and who says so: the server's environment, before what an operator
 * has set.
 */
export interface InstallationModel {
  model: string;
  from: 'environment' | 'setting' | 'default';
}

/** @param environment `DOCENT_MODEL` of the server that is asked */
export async function findInstallationModel(q: Queryable, environment: string | undefined): Promise<InstallationModel> {
  const [row] = await q.select({ model: installation.model }).from(installation);
  return installationModelOf(environment, row?.model ?? null);
}

/** The same of what was read before. @param stored what {@link storedModel} gives */
export function installationModelOf(environment: string | undefined, stored: string | null): InstallationModel {
  if (environment !== undefined) return { model: environment, from: 'environment' };
  if (stored !== null) return { model: stored, from: 'setting' };
  return { model: DEFAULT_MODEL, from: 'default' };
}

/** What an operator has set, as an expression for a SELECT. */
export const storedModel: SQL<string | null> = sql<string | null>`(SELECT ${installation.model} FROM ${installation})`;

/**
 * Null takes it back to the default. Needs the installation's row, which every process makes when it starts.
 * For servers whose environment names no model.
 * @param check looks at what it was, locked, and throws where it may not be changed
 * @returns what it is now
 */
export async function setInstallationModel(
  tx: Queryable,
  model: string | null,
  check: (current: InstallationModel) => void = () => {},
): Promise<InstallationModel> {
  const [row] = await tx.select({ model: installation.model }).from(installation).for('update');
  check(installationModelOf(undefined, row?.model ?? null));
  await tx.update(installation).set({ model });
  return findInstallationModel(tx, undefined);
}

/** The model of a project's new jobs, and whether the project names it. */
export function modelOfProject(
  { model }: Pick<typeof projects.$inferSelect, 'model'>,
  { model: installed }: InstallationModel,
): { model: string; modelFrom: 'project' | 'installation' } {
  return model === null ? { model: installed, modelFrom: 'installation' } : { model, modelFrom: 'project' };
}
