/**
 * Runs beside a supervisor and holds one end of a pipe to it. When the supervisor dies, however it dies, the pipe ends,
 * and this process ends the children that the supervisor could not take down itself.
 *
 * Input, one JSON object a line: the complete list of wards and of folders to delete, replacing the one before.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endAll, type Ward } from './reaping.ts';

export interface ReaperOrders {
  wards: Ward[];
  /** Deleted after the wards have ended. */
  temporaryFolders: string[];
}

let orders: ReaperOrders = { wards: [], temporaryFolders: [] };

// It must outlive what the supervisor's terminal or process group is sent.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  try {
    orders = JSON.parse(line) as ReaperOrders;
  } catch {
    // A line cut short by the supervisor's death: the orders before it stand.
  }
});
lines.on('close', () => {
  void (async () => {
    await endAll(orders.wards);
    for (const folder of orders.temporaryFolders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(0);
  })();
});
