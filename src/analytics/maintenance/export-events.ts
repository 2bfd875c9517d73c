import { rename, rm } from 'node:fs/promises';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { syncFile } from '../storage/durable-files.ts';
import type { Duck } from '../storage/duck.ts';
import { eventsIn } from '../query/span-relations.ts';
import type { PinnedVersion } from '../query/pinned-version.ts';
import { spanOf } from '../query/span.ts';

/** Writes every event of a version, each once, as one Parquet file, completely or not at all. */
export async function exportVersion(
  folder: AnalyticsFolder,
  duck: Duck,
  pinned: PinnedVersion,
  file: string,
): Promise<{ events: number }> {
  const span = spanOf(pinned.manifest, { from: null, to: null });
  if (!span) return { events: 0 };
  const { sql, values } = eventsIn(folder, pinned, span);
  const partial = `${file}.partial`;
  try {
    return await duck.use(async (session) => {
      await session.run(`COPY (FROM ${sql} ORDER BY time) TO $partial (FORMAT parquet, COMPRESSION zstd)`, {
        ...values,
        partial,
      });
      await syncFile(partial);
      await rename(partial, file);
      const { events } = await session.one<{ events: bigint }>('SELECT count(*) AS events FROM read_parquet($file)', {
        file,
      });
      return { events: Number(events) };
    });
  } catch (err) {
    await rm(partial, { force: true });
    throw err;
  }
}
