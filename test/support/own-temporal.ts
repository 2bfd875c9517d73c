import path from 'node:path';
import { createLogger } from '../../src/platform/log.ts';
import { freePort } from './free-port.ts';
import type { Reaper } from '@docent/servers/processes/reaper';
import { findTemporal } from '@docent/servers/temporal/find';
import { startTemporal, type RunningTemporal } from '@docent/servers/temporal/server';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/contract.ts';

/**
 * A Temporal server of a test's own, with a file, that can be killed and started again at the same address.
 */
export async function ownTemporal(
  folder: string,
  name: string,
  reaper: Reaper,
  log = createLogger({ level: 'silent', name }),
): Promise<{ address: string; dbFile: string; start(): Promise<RunningTemporal> }> {
  const { binary } = await findTemporal({ env: process.env, onProgress: () => {} });
  const dbFile = path.join(folder, `${name}.db`);
  const options = {
    binary,
    dbFile,
    port: await freePort(),
    uiPort: await freePort(),
    searchAttributes: Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map((attribute) => [attribute, 'Keyword'])),
    log,
    reaper,
  };
  return { address: `127.0.0.1:${options.port}`, dbFile, start: () => startTemporal(options) };
}
