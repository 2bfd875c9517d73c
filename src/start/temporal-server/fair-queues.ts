import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The server's tables: of queues with fairness keys, and of tasks that wait in queues without them. */
const STAND = `SELECT EXISTS (SELECT 1 FROM task_queues_v2) AS takes_turns, EXISTS (SELECT 1 FROM tasks) AS may_wait`;

/**
 * Whether task queues of a server on this file may use fairness, which stores tasks in other tables (server
 * 1.29): only if nothing waits in the old ones. Call it while no server runs.
 */
export function mayTakeTurns(dbFile: string | undefined): boolean {
  if (dbFile === undefined || !existsSync(dbFile)) return true;
  try {
    const file = new DatabaseSync(dbFile, { readOnly: true });
    try {
      const stand = file.prepare(STAND).get();
      return Boolean(stand?.takes_turns) || !stand?.may_wait;
    } finally {
      file.close();
    }
  } catch {
    // Without these tables, the server has yet to fill the file; an unreadable one it refuses.
    return true;
  }
}
