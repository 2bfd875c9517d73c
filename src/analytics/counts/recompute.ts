import type { FileRow, Manifest, NewFile } from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import { RecomputedCounts } from './recomputed-counts.ts';
import type { DuckSession } from '../storage/duck.ts';
import type { Classification, Visit } from '@docent/access-log/agents/classify';
import type { ViewFormat } from '@docent/access-log/event-kind';
import type { PageMoves } from './page-moves.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { writtenTogether, type StorageDeps } from '../storage/storage.ts';
import { absolutePaths, COLUMNS, dayExpression, ofFamily, rowsOf } from '../storage/tables.ts';

/** Changes to events during a recount; empty: none. */
export interface Revision {
  /** Classifies events of older classifiers again; classes from senders stay. Without: all classes stay. */
  rules?: { classify(visit: Visit): Pick<Classification, 'class' | 'agent' | 'version'> };
  /** Counts views of moved pages at their current address. Broken links keep the requested address. */
  moves?: PageMoves;
  /** In events, each of which counts half when it is read, and half when it is counted. */
  onProgress?: (done: number, total: number) => void;
}

/** Events per read. */
const CHUNK_ROWS = 1_000_000;

/** A change of the manifest: new files, and the files that they replace. */
export interface Recomputed {
  remove: string[];
  add: NewFile[];
  events: number;
  reclassified: number;
}

/** Recomputes all counts from merged events and the manifest's mapping. The caller locks and commits. */
export async function recomputeCounts(deps: StorageDeps, manifest: Manifest, revision: Revision): Promise<Recomputed> {
  const { projectId } = manifest;
  const events = ofFamily(manifest.files, 'events');
  const total = rowsOf(events);
  const remove = manifest.files.filter((file) => file.family !== 'unmerged' && file.family !== 'events').map(idOf);
  let reclassified = 0;
  const add = await writtenTogether(deps.folder, async (add) => {
    await deps.duck.use(async (session) => {
      const counts = await RecomputedCounts.open(session, deps.folder, manifest);
      try {
        await readAll(session, counts, add);
        await counts.write(add, (part) => revision.onProgress?.(Math.round((total * (1 + part)) / 2), total));
      } finally {
        counts.close();
      }
    });
    return add;
  });
  return { remove, add, events: total, reclassified };

  async function readAll(session: DuckSession, counts: RecomputedCounts, add: NewFile[]): Promise<void> {
    let done = 0;
    for (const chunk of chunksOf(events)) {
      const table = `rebuild_${newId()}`;
      const columns = revision.rules || revision.moves ? '*' : 'visitor, path, class, agent, verified, not_found';
      await session.run(
        `CREATE TEMP TABLE ${table} AS SELECT ${columns}, ${dayExpression('time')} AS day FROM read_parquet($files)
         WHERE ${dayExpression('time')} >= $floor`,
        { files: absolutePaths(deps.folder, chunk), floor: manifest.floorDay ?? -1_000_000 },
      );
      try {
        const changed = await reviseEvents(session, table, revision);
        reclassified += changed;
        if (changed > 0) {
          remove.push(...chunk.map(idOf));
          for (const file of chunk) await rewriteLike(session, deps, projectId, table, file, add);
          await session.run(`UPDATE ${table} SET day = ${dayExpression('time')}`);
        }
        await counts.add(table, add);
      } finally {
        await session.drop(table);
      }
      done += rowsOf(chunk);
      revision.onProgress?.(Math.round(done / 2), total);
    }
  }
}

/** A signature proves more than a user agent says. */
const IS_PROVEN = `(t.verified AND t.verified_by = 'signature')`;

/** Classifies and moves the rows of a table. @returns how many changed */
async function reviseEvents(session: DuckSession, table: string, options: Revision): Promise<number> {
  const { rules, moves } = options;
  if (!rules && !moves) return 0;
  const kinds = rules
    ? await session.all<{ user_agent: string | null; format: ViewFormat }>(
        `SELECT DISTINCT user_agent, format FROM ${table} WHERE NOT class_given`,
      )
    : [];
  const revised = kinds.map(({ user_agent: userAgent, format }) => {
    const found = rules!.classify({ userAgent, format });
    return JSON.stringify({ a: userAgent, f: format, c: found.class, n: found.agent, k: found.version });
  });
  const paths = moves
    ? await session.all<{ path: string }>(`SELECT DISTINCT path FROM ${table} WHERE NOT not_found`)
    : [];
  const moved = paths.flatMap(({ path }) => {
    const to = moves!(path);
    return to === path ? [] : [JSON.stringify({ from: path, to })];
  });
  const changes = `
    SELECT t.rowid AS row, CASE WHEN m.f IS NULL OR ${IS_PROVEN} THEN t.class WHEN t.verified = false THEN 'other' ELSE m.c END AS class,
      CASE WHEN m.f IS NULL OR ${IS_PROVEN} THEN t.agent ELSE m.n END AS agent,
      coalesce(m.k, t.classifier) AS classifier, coalesce(p.new_path, t.path) AS path
    FROM ${table} t
    LEFT JOIN (
      SELECT j->>'a' AS a, j->>'f' AS f, j->>'c' AS c, j->>'n' AS n, (j->>'k')::INTEGER AS k
      FROM (SELECT unnest($revised)::JSON AS j)
    ) m ON NOT t.class_given AND t.user_agent IS NOT DISTINCT FROM m.a AND t.format = m.f
    LEFT JOIN (SELECT j->>'from' AS old_path, j->>'to' AS new_path FROM (SELECT unnest($moved)::JSON AS j)) p
      ON t.path = p.old_path AND NOT t.not_found`;
  const changed = `changed_${newId()}`;
  await session.run(
    `CREATE TEMP TABLE ${changed} AS
     SELECT c.* FROM (${changes}) c JOIN ${table} t ON t.rowid = c.row
     WHERE (c.class, c.agent, c.classifier, c.path) IS DISTINCT FROM (t.class, t.agent, t.classifier, t.path)`,
    { revised, moved },
  );
  try {
    await session.run(
      `UPDATE ${table} SET class = c.class, agent = c.agent, classifier = c.classifier, path = c.path
       FROM ${changed} c WHERE ${table}.rowid = c.row`,
    );
    const { count } = await session.one<{ count: bigint }>(`SELECT count(*) AS count FROM ${changed}`);
    return Number(count);
  } finally {
    await session.drop(changed);
  }
}

/** Event files with these days. If files share days, the first one takes them all. */
async function rewriteLike(
  session: DuckSession,
  { folder }: StorageDeps,
  projectId: string,
  table: string,
  file: FileRow,
  into: NewFile[],
): Promise<void> {
  await writeParquet(
    session,
    folder,
    { projectId, family: 'events' },
    `(SELECT ${Object.keys(COLUMNS.events).join(', ')} FROM ${table} WHERE day BETWEEN $from AND $to)`,
    { from: file.minDay, to: file.maxDay },
    { into },
  );
  await session.run(`UPDATE ${table} SET day = NULL WHERE day BETWEEN $from AND $to`, {
    from: file.minDay,
    to: file.maxDay,
  });
}

function* chunksOf(files: readonly FileRow[]): Generator<FileRow[]> {
  let chunk: FileRow[] = [];
  let rows = 0;
  for (const file of files.toSorted((a, b) => a.minDay - b.minDay)) {
    if (chunk.length > 0 && rows + file.rows > CHUNK_ROWS) {
      yield chunk;
      chunk = [];
      rows = 0;
    }
    chunk.push(file);
    rows += file.rows;
  }
  if (chunk.length > 0) yield chunk;
}

const idOf = (file: FileRow): string => file.id;
