import { createGuardedFetch } from '@docent/base/net/guarded-fetch';
import { messageOf } from '@docent/base/thrown';
import { agentListsReadAt, updateAgentLists } from '../../analytics/ingest/agent-lists.ts';
import { PeriodicTask } from '../../jobs/periodic-task.ts';
import type { Logger } from '../../platform/log.ts';
import type { Database } from '../../store/database.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
const CHECK_MS = 60 * 60_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 2 * 1024 * 1024;

interface Options {
  db: Database['db'];
  privateHosts: readonly string[];
  log: Logger;
}

/**
 * Reads the address lists of agents from their operators once a week. If a list cannot be read, the stored
 * one stays.
 */
export function agentListUpdates({ db, privateHosts, log }: Options): PeriodicTask {
  const fetch = createGuardedFetch({ allowed: privateHosts, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  return new PeriodicTask({
    db,
    name: 'agent-lists',
    everyMs: CHECK_MS,
    round: async (isNew, stopping) => {
      // Not immediately: short-lived processes should not send requests to operators.
      if (isNew) return;
      const readAt = await agentListsReadAt(db);
      if (readAt && Date.now() - readAt.getTime() < WEEK_MS) return;
      const failed = (await updateAgentLists(db, fetch, stopping)).filter(({ problem }) => problem !== null);
      if (failed.length === 0) return;
      throw new Error(`${failed.length} lists stay as they were, first ${failed[0]!.url}: ${failed[0]!.problem}`);
    },
    failed: (err, isFirst) =>
      log[isFirst ? 'info' : 'debug']({ reason: messageOf(err) }, 'addresses of agents could not be updated'),
  });
}
