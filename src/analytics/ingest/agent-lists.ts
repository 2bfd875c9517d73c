import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';
import { rangeText, readIpRange } from '@docent/base/net/ip-address';
import { messageOf } from '@docent/base/thrown';
import { z } from 'zod';
import { listAgentRanges, saveAgentRanges } from '../../store/analytics/agent-ranges.ts';
import type { Queryable } from '../../store/database.ts';
import { type AgentDirectory, agentKeys, directoryUrl, readDirectory } from '@docent/access-log/agents/signatures';
import {
  agentRanges,
  blockListOf,
  contains,
  type RangeList,
  SHIPPED_RANGES,
} from '@docent/access-log/agents/verify-agent';

/** How old a process's copy of the lists may be, in milliseconds. */
const FRESH_MS = 10 * 60_000;
/** Far more than any operator publishes. */
const MOST_RANGES = 10_000;
/** A wider range would verify whole providers: no operator publishes one. */
const WIDEST = { ipv4: 12, ipv6: 28 };

const LIMITS = { timeoutMs: 5_000, maxBytes: 2 * 1024 * 1024 };
/** A list that drops more of its ranges is probably broken: its agents would all count as false. */
const MOST_DROPPED = 0.5;

/** The published format: Google's, which the others use, too. */
const PUBLISHED = z.object({
  prefixes: z
    .array(z.union([z.object({ ipv4Prefix: z.string() }), z.object({ ipv6Prefix: z.string() })]))
    .min(1)
    .max(MOST_RANGES),
});

/** Parses a published list. @throws an Error that explains the problem */
export function readPublishedRanges(text: string): string[] {
  const parsed = PUBLISHED.safeParse(parsedJson(text));
  if (!parsed.success) throw new Error('The answer is no list of address ranges.');
  return parsed.data.prefixes.map((prefix) => {
    const written = 'ipv4Prefix' in prefix ? prefix.ipv4Prefix : prefix.ipv6Prefix;
    const range = readIpRange(written);
    if (!range) throw new Error('The list has an invalid address range.');
    if (range.bits < WIDEST[range.address.kind()]) throw new Error('The list has a range that is too wide.');
    return range.bits === (range.address.kind() === 'ipv4' ? 32 : 128)
      ? `${rangeText(range)}/${range.bits}`
      : rangeText(range);
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('The answer is no JSON.', { cause });
  }
}

export interface ListUpdate extends Pick<RangeList, 'operator' | 'agents' | 'url'> {
  /** Null if it could not be used: the earlier list stays. */
  ranges: number | null;
  problem: string | null;
}

export interface UpdateOptions {
  /** Leaves out lists that were read later. Default: none. */
  readBefore?: Date;
  /** Takes also a list that drops most of its ranges. */
  acceptDrops?: boolean;
  signal?: AbortSignal;
}

/** Sends the requests of {@link updateAgentLists}, within the limits of a list. */
export const agentListFetch = (privateHosts: readonly string[]) =>
  createGuardedFetch({ allowed: privateHosts, ...LIMITS });

/**
 * Reads lists from their operators and stores them. Safe to run twice at the same time: each list is replaced
 * completely. After an interruption, the missing lists are still due.
 */
export async function updateAgentLists(
  db: Queryable,
  fetch: GuardedFetch,
  { readBefore, acceptDrops = false, signal }: UpdateOptions = {},
): Promise<ListUpdate[]> {
  const updates: ListUpdate[] = [];
  const stored = await storedLists(db);
  // One after the other: if DNS hangs, each lookup takes a thread that files need.
  for (const list of SHIPPED_RANGES) {
    signal?.throwIfAborted();
    const earlier = stored.get(list.url);
    if (readBefore && earlier && earlier.readAt >= readBefore) continue;
    const { operator, agents, url } = list;
    try {
      const ranges = readPublishedRanges(await readFrom(url, fetch, signal));
      if (!acceptDrops) refuseDrops(newerOf(list, earlier).ranges, ranges);
      await saveAgentRanges(db, url, ranges);
      updates.push({ operator, agents, url, ranges: ranges.length, problem: null });
    } catch (err) {
      signal?.throwIfAborted();
      updates.push({ operator, agents, url, ranges: null, problem: messageOf(err) });
    }
  }
  return updates;
}

/** A range counts as dropped if no new range contains its first address: operators join and split ranges. */
function refuseDrops(before: readonly string[], after: readonly string[]): void {
  const listed = blockListOf(after);
  const dropped = before.filter((range) => !contains(listed, range.split('/')[0] ?? ''));
  if (dropped.length <= MOST_DROPPED * before.length) return;
  throw new Error(
    `The list drops ${dropped.length} of ${before.length} ranges. Check it, then run docent agents update --accept-drops.`,
  );
}

async function readFrom(url: string, fetch: GuardedFetch, signal: AbortSignal | undefined): Promise<string> {
  const answer = await fetch(url, { headers: { Accept: 'application/json' }, ...(signal && { signal }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The server answered with status ${answer.status}.`);
  return text;
}

export interface DirectoryUpdate {
  url: string;
  /** Null if it could not be used: the earlier keys stay until they expire. */
  keys: number | null;
  problem: string | null;
}

/** Reads the keys of signing agents and stores them. Safe as {@link updateAgentLists}. */
export async function updateAgentKeys(
  db: Queryable,
  fetch: GuardedFetch,
  directories: readonly AgentDirectory[],
  { readBefore, signal }: Pick<UpdateOptions, 'readBefore' | 'signal'> = {},
): Promise<DirectoryUpdate[]> {
  const updates: DirectoryUpdate[] = [];
  const stored = await storedLists(db);
  for (const { origin } of directories) {
    signal?.throwIfAborted();
    const url = directoryUrl(origin);
    const earlier = stored.get(url);
    if (readBefore && earlier && earlier.readAt >= readBefore) continue;
    try {
      const keys = readDirectory(await readFrom(url, fetch, signal));
      await saveAgentRanges(
        db,
        url,
        keys.map((key) => JSON.stringify(key)),
      );
      updates.push({ url, keys: keys.length, problem: null });
    } catch (err) {
      signal?.throwIfAborted();
      updates.push({ url, keys: null, problem: messageOf(err) });
    }
  }
  return updates;
}

const storedLists = async (db: Queryable) => new Map((await listAgentRanges(db)).map((row) => [row.url, row]));

let loadedAt = -Infinity;

/** Loads the newest lists into this process, if it read them longer ago than `freshMs`. */
export async function loadAgentLists(db: Queryable, freshMs = FRESH_MS): Promise<void> {
  if (performance.now() - loadedAt < freshMs) return;
  const stored = await storedLists(db);
  loadedAt = performance.now();
  agentRanges.use(SHIPPED_RANGES.map((list) => newerOf(list, stored.get(list.url))));
  agentKeys.use((url) => {
    const row = stored.get(url);
    return row ? { keys: readDirectory(`{"keys":[${row.ranges.join(',')}]}`), readAt: row.readAt } : null;
  });
}

/** A new version may ship a list that was read after the stored one. */
function newerOf(shipped: RangeList, stored: { ranges: string[]; readAt: Date } | undefined): RangeList {
  const readOn = stored?.readAt.toISOString().slice(0, 10);
  if (!stored || !readOn || readOn < (shipped.date ?? '')) return shipped;
  return { ...shipped, date: readOn, ranges: stored.ranges };
}
