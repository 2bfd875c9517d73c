import { z } from 'zod';
import type { HostEvent, HostPullRequest } from './host-event.ts';

/** Asks a host's API for JSON, at a path below the repository. @throws HostProblem */
export type Get = (path: string, query?: Readonly<Record<string, string | number>>) => Promise<unknown>;

/** A pull request in a list. Times are ISO 8601 with whole seconds. */
export interface PolledPull {
  pullRequest: HostPullRequest;
  /** The description. */
  body: string;
  createdAt: string | null;
  updatedAt: string | null;
  closedAt: string | null;
  mergedAt: string | null;
}

/**
 * One poll at one kind of host, in the order of these methods. `since` is a time; older items are left out.
 */
export interface PollSource {
  /** Those that changed since then; null: those that are open. */
  pulls(since: string | null): Promise<PolledPull[]>;
  /** Reviews and comments of one that changed, as far as {@link PollSource.comments} does not have them. */
  ofPull(pull: PolledPull, since: string): Promise<HostEvent[]>;
  /** @returns the time up to which they are complete, if there were too many for one poll */
  comments(since: string): Promise<{ events: HostEvent[]; upTo: string | null; isCut: boolean }>;
  /** Results for the head of an open pull request. */
  checks(of: { number: number; branch: string | null; commit: string }, since: string): Promise<HostEvent[]>;
  /** The commit of each branch. */
  branches(): Promise<Record<string, string>>;
}

/** Pages that are read of one list in one poll. */
const MAX_PAGES = 10;

/**
 * The items of a list, page by page. Items without the documented form are left out.
 * @param enough called after each page; true if later ones are not needed
 */
export async function listPages<T>(
  get: Get,
  {
    path,
    query,
    size,
  }: { path: string; query: Record<string, string | number>; size: { name: string; items: number } },
  item: z.ZodType<T>,
  enough: (page: T[]) => boolean = () => false,
): Promise<{ items: T[]; isCut: boolean }> {
  const Page = z.array(z.unknown()).nullish();
  const items: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = Page.parse(await get(path, { ...query, [size.name]: size.items, page })) ?? [];
    const read = found.flatMap((one) => {
      const { success, data } = item.safeParse(one);
      return success ? [data] : [];
    });
    items.push(...read);
    if (found.length < size.items || enough(read)) return { items, isCut: false };
  }
  return { items, isCut: true };
}

/** The latest of some times; null if there is none. */
export function newest(times: readonly (string | null)[]): string | null {
  return times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
}

export function isFresh(at: string | null, since: string): boolean {
  return at !== null && at >= since;
}

/** The number at the end of an API's address. */
export const numberIn = z
  .string()
  .regex(/\/\d+$/)
  .transform((url) => Number(/\d+$/.exec(url)?.[0]));
