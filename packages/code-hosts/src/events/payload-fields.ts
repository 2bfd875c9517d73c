import { z } from 'zod';
import type { HostEvent, HostRepository } from './host-event.ts';

/** The result of reading a delivery. */
export type Reading =
  | {
      events: HostEvent[];
      /** The delivery is incomplete: request the rest from the repository with this id. */
      incomplete?: { repositoryId: string; path: string };
    }
  /** Why it is of no interest, in a sentence for people. */
  | { ignored: string };

/** A host's own number of something, as text. */
export const id = z.union([z.int(), z.string().min(1)]).transform(String);

export const sha = z.string().regex(/^[0-9a-f]{40,64}$/);

/** A text that may be absent: then it is empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/**
 * ISO 8601 with whole seconds: hosts show parts of them in some answers and not in others. Null if it is
 * none.
 */
export const instant = z
  .string()
  .nullish()
  .transform((value) => {
    const ms = Date.parse(value ?? '');
    return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
  });

/** The branch of a ref; null for tags and others. */
export function branchOf(ref: string): string | null {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
}

/** Null for the id that git gives to nothing. */
export function commitOf(found: string): string | null {
  return /^0+$/.test(found) ? null : found;
}

/** @returns the result of `read`; ignored if the payload does not have the documented form */
export function readPayload<T extends z.ZodType>(
  schema: T,
  payload: unknown,
  read: (found: z.output<T>) => Reading,
): Reading {
  const { success, data, error } = schema.safeParse(payload);
  if (success) return read(data);
  const field = error.issues[0]?.path.join('.') ?? '';
  return {
    ignored: `The payload does not have the documented form: \`${field.slice(0, 200)}\` is missing or invalid.`,
  };
}

/** A push to a branch, as all hosts deliver it. */
export function readPush(
  repository: HostRepository,
  { ref, before, after }: { ref: string; before: string; after: string },
): Reading {
  const branch = branchOf(ref);
  if (branch === null) return { ignored: 'The push is not to a branch.' };
  const commits = { before: commitOf(before), after: commitOf(after) };
  return { events: [{ kind: 'push', repository, at: null, branch, ...commits }] };
}

export function ignoredEvent(event: string): Reading {
  return { ignored: `Docent does not use the event \`${event.slice(0, 100)}\`.` };
}

export function ignoredAction(event: string, action: string): Reading {
  return { ignored: `Docent does not use the action \`${action.slice(0, 100)}\` of the event \`${event}\`.` };
}
