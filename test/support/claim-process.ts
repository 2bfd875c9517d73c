/**
 * A process that claims a folder, runs a DuckDB that needs more than its memory, or sorts presence, until it
 * is killed. It says `ready` on standard output.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimFolder, claimOwned } from '../../src/analytics/storage/folder-claim.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';

export type ClaimOrder = 'claim' | 'duck' | 'runs';

const [what, folder = ''] = process.argv.slice(2);
if (what === 'claim') {
  claimFolder(folder);
} else if (what === 'runs') {
  const runs = claimOwned(folder, 'runs');
  mkdirSync(runs.path);
  writeFileSync(path.join(runs.path, 'presence.parquet'), 'rows');
} else {
  const duck = await Duck.open({ memoryMb: 64, threads: 1, connections: 1, temporaryFolder: folder });
  await duck.use((session) =>
    session.run('CREATE TEMP TABLE t AS SELECT range i, md5(range::VARCHAR) s FROM range(3000000)'),
  );
}
process.stdout.write('ready\n');
setInterval(() => {}, 1_000);
