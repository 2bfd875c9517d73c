/** Ends a dead supervisor's children. Input: its last list of wards and of folders to delete, as JSON. */
import { rmSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { endAll, type Ward } from './reaping.ts';

export interface ReaperOrders {
  wards: Ward[];
  /** Deleted after the wards have ended. */
  temporaryFolders: string[];
}

// It must outlive what the supervisor's terminal or process group is sent.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

const { wards, temporaryFolders } = (await json(process.stdin)) as ReaperOrders;
await endAll(wards);
for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
