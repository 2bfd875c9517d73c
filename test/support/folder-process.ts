/**
 * A process that opens an analytics folder and holds it until it is killed. Its orders come as JSON in the
 * first argument. On standard output it says `open`, or `refused` and why; then `here` or `away`, whenever
 * that changes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { armFault } from '../../src/platform/faults.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { Refused } from '@docent/base/refused';

export interface FolderOrders {
  databaseUrl: string;
  folder: string;
  fault?: string;
  beatMs?: number;
}

const { databaseUrl, folder: root, fault, ...times } = JSON.parse(process.argv[2] ?? '{}') as FolderOrders;
const log = createLogger({ level: 'fatal', name: 'test' });
const database = openDatabase(databaseUrl);
armFault(fault);
try {
  const folder = await openFolder(database, root, { log, name: 'a test', waitMs: 0, checkEveryMs: 50, ...times });
  process.stdout.write('open\n');
  for (let said = ''; ; await sleep(20)) {
    let state = 'here';
    try {
      folder.assertMounted();
    } catch (err) {
      state = `away ${((err as Error).cause as Error).message}`;
    }
    if (state !== said) process.stdout.write(`${state}\n`);
    said = state;
  }
} catch (err) {
  if (!(err instanceof Refused)) throw err;
  process.stdout.write(`refused ${err.message}\n`, () => process.exit(0));
}
