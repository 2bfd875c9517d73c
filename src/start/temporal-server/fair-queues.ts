import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The server's tables: of queues that take turns by key, and of tasks that wait in queues that do not. */
const STAND = `SELECT EXISTS (SELECT 1 FROM task_queues_v2) AS takes_turns, EXISTS (SELECT 1 FROM tasks) AS may_wait`;

/**
 * Whether a server on this file may have its task queues take turns by fairness key. It keeps such queues in
 * tables of their own, and what waits in the others would never be handed out (server 1.29): so a file from
 * before keeps to first come, first served, until it is started with nothing waiting. Ask while no server
 * runs on the file.
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
    // A file without these tables is one that the server has yet to fill; one that cannot be read at all it
    // will refuse.
    return true;
  }
}
