/** The creator of a job, as stored in its row. */
export interface JobCreator {
  kind: 'operator' | 'key' | 'automation' | 'person' | 'account';
  /** Null for the operator. For an account of a code host: the host's id and its own. */
  id: string | null;
  name: string;
}

/** The column `created_by`. */
export function creatorText({ kind, id }: Pick<JobCreator, 'kind' | 'id'>): string {
  return id === null ? kind : `${kind}:${id}`;
}

/** Null for a row of a build that did not write it down. */
export function creatorOf(row: { createdBy: string | null; createdByName: string | null }): JobCreator | null {
  const { createdBy, createdByName } = row;
  if (createdBy === null) return null;
  const at = createdBy.indexOf(':');
  const kind = (at === -1 ? createdBy : createdBy.slice(0, at)) as JobCreator['kind'];
  const id = at === -1 ? null : createdBy.slice(at + 1);
  return { kind, id, name: createdByName ?? id ?? kind };
}
