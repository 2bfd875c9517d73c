import { rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { DAY_MS } from '@docent/base/time';
import type { FileRow } from '../../store/analytics/manifest.ts';
import type { PinnedVersion } from '../query/pinned-version.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { syncFile } from '../storage/durable-files.ts';
import type { Duck } from '../storage/duck.ts';
import { sha256Of } from '../storage/file-sum.ts';
import { COLUMNS, EVENT_COLUMNS, instantExpression, ofFamily } from '../storage/tables.ts';
import type { ExportedFile, ExportTarget } from './export-target.ts';
import { Refused } from '@docent/base/refused';

/** Raised when columns are added. */
const SCHEMA_VERSION = 1;

const ExportManifest = z.object({
  format: z.literal('docent-events'),
  schemaVersion: z.int(),
  project: z.string(),
  version: z.int(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  files: z.array(
    z.object({
      path: z.string().regex(/^events\/[a-z0-9-]+\.parquet$/),
      rows: z.int(),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
});
type ExportManifest = z.output<typeof ExportManifest>;

/**
 * Writes every event of a version, each once, as Parquet files to a target, with a manifest that names them.
 * Files of an earlier export are kept if they still count. The others are deleted after the manifest is
 * written: its readers find all files that it names. Safe to repeat after a crash. Two exports to the same
 * target at the same time are not prevented.
 * @throws Refused, and errors of the target
 */
export async function exportTo(
  folder: AnalyticsFolder,
  duck: Duck,
  pinned: PinnedVersion,
  target: ExportTarget,
): Promise<{ events: number; files: number; written: number }> {
  const { projectId, version, floorDay, files: all } = pinned.manifest;
  const before = await earlierManifest(target, projectId);
  const files: ExportedFile[] = [];
  let written = 0;
  const take = async (file: ExportedFile, write: () => Promise<void>) => {
    if (!(await target.has(file))) {
      await write();
      written += 1;
    }
    files.push(file);
  };
  const compute = async (name: string, relation: string, values: Record<string, unknown>) => {
    const partial = await target.partial(name);
    try {
      const file = await writeRows(duck, relation, values, { partial, name });
      if (file.rows > 0) await take(file, () => target.move(file, partial));
    } finally {
      await rm(partial, { force: true });
    }
  };
  const since = floorDay === null ? 'true' : `time >= ${instantExpression(String(floorDay * DAY_MS))}`;

  for (const row of ofFamily(all, 'events')) {
    if (floorDay !== null && row.maxDay < floorDay) continue;
    const source = folder.fileOf(row.path);
    // One at a time: with a bucket, this disk may not have room for all.
    const letGo = await folder.hold([row]);
    try {
      if (floorDay === null || row.minDay >= floorDay)
        await take(exported(row), () => target.copy(exported(row), source));
      else await compute(`${row.id}-since`, `read_parquet($source) WHERE ${since}`, { source });
    } finally {
      letGo();
    }
  }
  if (!pinned.isAllMerged) await compute('recent', `${pinned.unmerged} WHERE ${since}`, {});

  const columns = Object.entries(COLUMNS.events).map(([name, type]) => ({ name, type }));
  const manifest: ExportManifest = {
    format: 'docent-events',
    schemaVersion: SCHEMA_VERSION,
    project: projectId,
    version,
    columns,
    files,
  };
  await target.writeManifest(`${JSON.stringify(manifest, null, 2)}\n`);
  const counted = new Set(files.map((file) => file.path));
  const old = before?.files.map((file) => file.path) ?? [];
  await target.remove(old.filter((name) => !counted.has(name)));
  return { events: files.reduce((sum, { rows }) => sum + rows, 0), files: files.length, written };
}

async function earlierManifest(target: ExportTarget, projectId: string): Promise<ExportManifest | null> {
  const text = await target.readManifest();
  if (text === null) return null;
  const found = ExportManifest.safeParse(jsonOf(text));
  if (found.success && found.data.project === projectId && found.data.schemaVersion <= SCHEMA_VERSION)
    return found.data;
  const whose = found.success
    ? `an export of ${found.data.project}, schema version ${found.data.schemaVersion}`
    : 'something else';
  throw new Refused(`${target.name}/manifest.json is of ${whose}. Nothing was changed. Choose another location.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const exported = ({ id, rows, bytes, sha256 }: FileRow): ExportedFile => ({
  path: `events/${id}.parquet`,
  rows,
  bytes,
  sha256: sha256.toString('hex'),
});

/** Named by its content, so that a name never changes its meaning. */
async function writeRows(
  duck: Duck,
  relation: string,
  values: Record<string, unknown>,
  { partial, name }: { partial: string; name: string },
): Promise<ExportedFile> {
  const rows = await duck.use(async (session) => {
    const bound = { ...values, partial } as Parameters<typeof session.run>[1];
    await session.run(
      `COPY (SELECT ${EVENT_COLUMNS} FROM ${relation} ORDER BY time, id) TO $partial (FORMAT parquet, COMPRESSION zstd)`,
      bound,
    );
    const counted = await session.one<{ n: bigint }>('SELECT count(*) AS n FROM read_parquet($partial)', { partial });
    return Number(counted.n);
  });
  await syncFile(partial);
  const sha256 = (await sha256Of(partial)).toString('hex');
  return { path: `events/${name}-${sha256.slice(0, 16)}.parquet`, rows, bytes: (await stat(partial)).size, sha256 };
}
