import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_MODEL } from '../../config/models.ts';
import type { Queryable } from '../database.ts';
import { installation, type projects } from '../schema.ts';

/** The model of projects that set none, and its origin: the environment wins over an operator's choice. */
export interface InstallationModel {
  model: string;
  from: 'environment' | 'setting' | 'default';
}

/** @param environment `DOCENT_MODEL` of the server that is asked */
export async function findInstallationModel(q: Queryable, environment: string | undefined): Promise<InstallationModel> {
  const [row] = await q.select({ model: installation.model }).from(installation);
  return installationModelOf(environment, row?.model ?? null);
}

/** The same from a value that was read before. @param stored the result of {@link storedModel} */
export function installationModelOf(environment: string | undefined, stored: string | null): InstallationModel {
  if (environment !== undefined) return { model: environment, from: 'environment' };
  if (stored !== null) return { model: stored, from: 'setting' };
  return { model: DEFAULT_MODEL, from: 'default' };
}

/** The operator's setting, as an expression for a SELECT. */
export const storedModel: SQL<string | null> = sql<string | null>`(SELECT ${installation.model} FROM ${installation})`;

/**
 * Sets the model; null restores the default. Needs the installation's row, which every process creates at its
 * start. For servers whose environment names no model.
 * @param check gets the locked previous value, and throws if it may not be changed
 * @returns the new state
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
