import { rm } from 'node:fs/promises';
import type { DuckSession } from '../../storage/duck.ts';
import { hasIndex, indexOf } from '../../storage/index-of.ts';
import { LocalPaths } from '../../storage/local-paths.ts';
import { relation } from '../../storage/tables.ts';
import { joined } from '../index-file.ts';
import { findInIndex, type Wanted } from './find.ts';
import { isExpected } from '../../../platform/errors.ts';

/**
 * Creates a table (chain, class, agent, verified, day) of the known days of visitors on pages, for each
 * class, agent and result of the check: the nearest before the first day of a chain and after its last, and
 * all in between. Presence files with an index are not read.
 * @param chains a table (chain, visitor, path, first, last), each visitor and path once
 * @param known paths of presence files; with a bucket, those with an index here are not fetched
 * @param slice SQL condition that holds for the chains' visitors
 */
export async function knownDays(
  session: DuckSession,
  input: { chains: string; known: readonly string[]; slice: string; floor: number; into: string },
): Promise<void> {
  const { chains, known, slice, floor, into } = input;
  const [found, kinds] = [`${into}_found`, `${into}_kinds`];
  try {
    await session.run(`CREATE TEMP TABLE ${found} (chain INTEGER, kind INTEGER, day INTEGER)`);
    const { names, unread } = await findAll(session, { ...input, found });
    await session.run(
      `CREATE TEMP TABLE ${kinds} AS
       SELECT (j->>'no')::INTEGER AS kind, j->>'class' AS class, j->>'agent' AS agent,
         (j->>'verified')::BOOLEAN AS verified FROM (SELECT unnest($names)::JSON AS j)`,
      { names },
    );
    await session.run(
      `CREATE TEMP TABLE ${into} AS
       SELECT chain, class, agent, verified, CASE WHEN place < 0 THEN max(day) ELSE min(day) END AS day
       FROM (
         SELECT chain, class, agent, verified, day, CASE WHEN day < first THEN -1 WHEN day > last THEN ${FAR} ELSE day - first END AS place
         FROM (
           SELECT chain, class, agent, verified, day, first, last
           FROM ${relation('presence', unread, 'unread')} JOIN ${chains} USING (visitor, path)
           WHERE ${slice} AND day >= $floor
           UNION ALL
           SELECT chain, class, agent, verified, day, first, last FROM ${found} JOIN ${kinds} USING (kind) JOIN ${chains} USING (chain)
         )
       ) GROUP BY chain, class, agent, verified, place`,
      { unread: known instanceof LocalPaths ? known.part(unread) : unread, floor },
    );
  } finally {
    await session.drop(found, kinds);
  }
}

/** Behind every day between two of one chain. */
const FAR = 2_000_000_000;

/** Searches the indexes that are worth it. @returns the kinds found, as JSON, and the files to read */
async function findAll(
  session: DuckSession,
  { chains, known, floor, found }: { chains: string; known: readonly string[]; floor: number; found: string },
): Promise<{ names: string[]; unread: string[] }> {
  const numbers = new Map<string, number>();
  const unread: string[] = [];
  const { count } = await session.one<{ count: bigint }>(`SELECT count(*) AS count FROM ${chains}`);
  let wanted: WantedChains | null = null;
  const read = async () => (wanted ??= await readWanted(session, chains));
  for (const file of known) {
    if (!(await hasIndex(file))) {
      unread.push(file);
      continue;
    }
    const rows: [chain: number[], kind: number[], day: number[]] = [[], [], []];
    let isFound: boolean;
    try {
      isFound = await findInIndex(file, { chains: Number(count), read }, floor, {
        numberOf({ class: name, agent, verified }) {
          const key = JSON.stringify({ class: name, agent, verified });
          if (!numbers.has(key)) numbers.set(key, numbers.size);
          return numbers.get(key)!;
        },
        take(place, kind, day) {
          rows[0].push(wanted!.chain[place]!);
          rows[1].push(kind);
          rows[2].push(day);
        },
      });
    } catch (err) {
      if (!isExpected(err, 'index_damaged')) throw err;
      // The file itself has the same data. Maintenance rebuilds the index.
      await rm(indexOf(file), { force: true });
      unread.push(file);
      continue;
    }
    if (!isFound) {
      unread.push(file);
      continue;
    }
    const columns = rows.map((values) => ({ type: 'INTEGER' as const, values: Int32Array.from(values), width: 4 }));
    await session.append(found, rows[0].length, columns);
  }
  const names = [...numbers].map(([key, no]) => JSON.stringify({ ...(JSON.parse(key) as object), no }));
  return { names, unread };
}

interface WantedChains extends Wanted {
  chain: Int32Array;
}

async function readWanted(session: DuckSession, chains: string): Promise<WantedChains> {
  const pages = `${chains}_pages`;
  const parts: Uint32Array[][] = [];
  let paths: { path: string }[];
  try {
    await session.run(
      `CREATE TEMP TABLE ${pages} AS
       SELECT path, (row_number() OVER (ORDER BY path) - 1)::UINTEGER AS page FROM (SELECT DISTINCT path FROM ${chains})`,
    );
    paths = await session.all<{ path: string }>(`SELECT path FROM ${pages} ORDER BY page`);
    for await (const part of session.numbers(
      `SELECT chain, (visitor >> 32)::UINTEGER, (visitor & 4294967295)::UINTEGER, page, first, last
       FROM ${chains} JOIN ${pages} USING (path) ORDER BY visitor, page`,
    ))
      parts.push(part);
  } finally {
    await session.drop(pages);
  }
  const [chain, high, low, page, first, last] = Array.from({ length: 6 }, (_, column) =>
    joined(parts.map((part) => part[column]!)),
  );
  return {
    chain: signed(chain!),
    high: high!,
    low: low!,
    page: page!,
    paths: paths.map((row) => row.path),
    first: signed(first!),
    last: signed(last!),
  };
}

const signed = (numbers: Uint32Array): Int32Array => new Int32Array(numbers.buffer);
