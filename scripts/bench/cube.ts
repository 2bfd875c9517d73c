import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NEVER } from '../../src/analytics/events/days.ts';
import { CubeLayer, WIDTH } from '../../src/analytics/query/cube-layer.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { sumOf } from '../../src/analytics/storage/file-sum.ts';
import { imageOf } from '../../src/analytics/storage/index-of.ts';
import type { FileRow } from '../../src/store/analytics-manifest.ts';
import { median, megabytes, ms, type BenchRow } from './bench-row.ts';
import { MEMORY_MB } from './data-folder.ts';
import { LAST_DAY } from './data-set.ts';
import { took, type Took } from './process-usage.ts';

const DAYS = 365;
const PATHS = 2_000;
const ROUNDS = 5;

/** Measures how a process comes to a year's cube: from its file, and from the image that the first one leaves beside it. */
export async function benchCube(rows = 8_400_000): Promise<BenchRow[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'docent-bench-cube-'));
  const folder = new AnalyticsFolder(root);
  const temporaryFolder = path.join(folder.temporaryFolder, 'duck');
  const duck = await Duck.open({ memoryMb: MEMORY_MB, threads: 2, connections: 2, temporaryFolder });
  try {
    const file = await writeCube(duck, folder, rows);
    const name = folder.fileOf(file.path);
    const layers: CubeLayer[] = [];
    const load = () => took(async () => layers.push(await CubeLayer.loadFile(duck, folder, file)));
    const [fromFile, fromImage]: Took[][] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      layers.length = 0;
      await rm(imageOf(name), { force: true });
      fromFile!.push(await load());
      fromImage!.push(await load());
    }
    const isEqual = JSON.stringify(sumsOf(layers[0]!)) === JSON.stringify(sumsOf(layers[1]!));
    const ratio = median(fromImage!.map(({ cpuMs }) => cpuMs)) / median(fromFile!.map(({ cpuMs }) => cpuMs));
    const about = `a cube of ${file.rows.toLocaleString('en-US')} rows`;
    return [
      { name: `load ${about}: file of ${megabytes(file.bytes)}, image written`, measured: told(fromFile!) },
      {
        name: `load it again: image of ${megabytes((await stat(imageOf(name))).size)}`,
        measured: `${told(fromImage!)}, ${isEqual ? 'equal' : 'DIFFERENT'}`,
        ratio,
        goal: '≤ 1 s, equal',
        met: isEqual && median(fromImage!.map(({ wallMs }) => wallMs)) <= 1_000,
      },
    ];
  } finally {
    duck.close();
    await rm(root, { recursive: true });
  }
}

const told = (all: readonly Took[]) =>
  `${ms(median(all.map(({ cpuMs }) => cpuMs)))} of processor time, ${ms(median(all.map(({ wallMs }) => wallMs)))}`;

const chance = (no: number) => `(hash(n * 8 + ${no}) / 18446744073709551616.0)`;

/** Rows as those of a year with readers who return: popular pages first, and most previous days near. */
async function writeCube(duck: Duck, folder: AnalyticsFolder, rows: number): Promise<FileRow> {
  const name = folder.nameOf('bench', 'cube', 'year');
  const target = folder.fileOf(name);
  await mkdir(path.dirname(target), { recursive: true });
  await duck.use((session) =>
    session.run(
      `COPY (
         SELECT DISTINCT ON (path, kind, day, prev) path, kind, day, prev, 1 + (hash(n) % 9)::BIGINT AS n
         FROM (
           SELECT n, '/docs/page-' || floor(pow(${chance(0)}, 1.5) * ${PATHS})::INTEGER AS path,
             CASE WHEN ${chance(1)} < 0.75 THEN 'human' WHEN ${chance(1)} < 0.9 THEN 'ai' ELSE 'both' END AS kind, day,
             CASE WHEN ${chance(3)} < 0.1 THEN ${NEVER} ELSE day - 1 - floor(-ln(1 - ${chance(4)}) * 40)::INTEGER END AS prev
           FROM (SELECT n, ${LAST_DAY} - (${chance(2)} * ${DAYS})::INTEGER AS day FROM range(${Math.ceil(rows * 1.08)}) t(n))
         ) ORDER BY kind, path, day, prev
       ) TO '${target}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`,
    ),
  );
  const { rows: found } = await duck.use((session) =>
    session.one<{ rows: bigint }>(`SELECT count(*) AS rows FROM read_parquet('${target}')`),
  );
  const about = {
    minDay: LAST_DAY - DAYS,
    maxDay: LAST_DAY,
    addedVersion: 1,
    removedVersion: null,
    source: null,
  };
  const sum = await sumOf(target);
  return {
    projectId: 'bench',
    id: 'year',
    family: 'cube',
    path: name,
    rows: Number(found),
    ...sum,
    ...about,
    removedAt: null,
  };
}

/** What a layer counts in each tenth of the year, and in all of it up to there. */
function sumsOf(layer: CubeLayer): number[][] {
  return Array.from({ length: 10 }, (_, part) => {
    const sums = new Float64Array(layer.pages.length * WIDTH);
    layer.addTo(sums, LAST_DAY - (part % 2 === 0 ? DAYS : part * 36), LAST_DAY - (9 - part) * 30);
    return [...sums];
  });
}
