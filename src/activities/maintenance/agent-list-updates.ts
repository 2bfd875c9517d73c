import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { messageOf } from '@docent/base/thrown';
import { DAY_MS } from '@docent/base/time';
import type { AgentDirectory } from '@docent/access-log/agents/signatures';
import { updateAgentKeys, updateAgentLists } from '../../analytics/ingest/agent-lists.ts';
import { PeriodicTask } from '../../jobs/periodic-task.ts';
import type { Logger } from '../../platform/log.ts';
import type { Database } from '../../store/database.ts';

const WEEK_MS = 7 * DAY_MS;
const CHECK_MS = 60 * 60_000;

interface Options {
  db: Database['db'];
  fetch: GuardedFetch;
  /** Signing agents that are trusted. */
  directories: readonly AgentDirectory[];
  log: Logger;
  /** Milliseconds between two checks for lists that are due. */
  everyMs?: number;
}

/**
 * Reads the operators' address lists of agents weekly, their keys daily, and unusable ones again in an hour.
 */
export function agentListUpdates({ db, fetch, directories, log, everyMs = CHECK_MS }: Options): PeriodicTask {
  return new PeriodicTask({
    db,
    name: 'agent-lists',
    everyMs,
    round: async (isNew, stopping) => {
      // Not immediately: short-lived processes should not send requests to operators.
      if (isNew) return;
      const before = (ms: number) => ({ readBefore: new Date(Date.now() - ms), signal: stopping });
      const updates = [
        ...(await updateAgentLists(db, fetch, before(WEEK_MS))),
        ...(await updateAgentKeys(db, fetch, directories, before(DAY_MS))),
      ];
      const failed = updates.filter(({ problem }) => problem !== null);
      if (failed.length === 0) return;
      throw new Error(`${failed.length} lists could not be updated, first ${failed[0]!.url}: ${failed[0]!.problem}`);
    },
    failed: (err, isFirst) =>
      log[isFirst ? 'info' : 'debug']({ reason: messageOf(err) }, 'addresses of agents could not be updated'),
  });
}
