import { storeHostEvents } from '../../store/automations/store-host-events.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { PeriodicTask, reportOnce } from '../../jobs/periodic-task.ts';
import { faultPoint } from '../../platform/faults.ts';
import { redact } from '../../platform/log.ts';
import {
  claimRepository,
  listDueRepositories,
  notePoll,
  notePollProblem,
  syncRepositories,
  type PolledRepository,
} from '../../store/hosts/host-repositories.ts';
import type { ActivityDeps } from '../deps.ts';

export interface HostPollerOptions extends Pick<ActivityDeps, 'db' | 'hosts' | 'log'> {
  /** 0: only what deliveries lack, such as reviews and labels at Gitea. */
  everySeconds: number;
}

const LOOK_MS = 5_000;
const BATCH = 200;

/**
 * Polls code hosts for events that no webhook delivered, and writes them into the inbox. It asks the
 * repositories of a host one after the other. If a host rate-limits Docent, the rest stay due. Any number of
 * workers may run this task: only one works at a time.
 */
export function hostPoller(options: HostPollerOptions): PeriodicTask {
  return new PeriodicTask({
    db: options.db,
    name: 'host-polling',
    everyMs: LOOK_MS,
    round: (_isNew, stopping) => pollDue(options, stopping),
    failed: reportOnce(options.log, 'polling of code hosts: failed, tried again'),
  });
}

async function pollDue(options: HostPollerOptions, stopping: AbortSignal): Promise<void> {
  const { db } = options;
  await syncRepositories(db, options.everySeconds);
  const due = Map.groupBy(await listDueRepositories(db, BATCH), ({ hostId }) => hostId);
  await Promise.all(
    [...due.values()].map(async (repositories) => {
      for (const at of repositories) {
        if (stopping.aborted || !(await pollHost(options, at))) return;
      }
    }),
  );
}

/**
 * Polls one repository. Its events and the next cursor are written in one transaction: if the process dies
 * before, the next poll finds the same events.
 * @returns whether the host may be asked for another repository now
 * @throws if the database fails
 */
export async function pollHost(
  { db, hosts, log, everySeconds }: HostPollerOptions,
  at: PolledRepository,
): Promise<boolean> {
  const claim = await claimRepository(db, at);
  if (!claim) return true;
  const { repository, cursor, own } = claim;
  try {
    const host = await hosts.get(at.hostId);
    const found = await host.poll({ repository, repositoryId: at.repositoryId }, { cursor, own });
    faultPoint('host-polled');
    await db.transaction(async (tx) => {
      await storeHostEvents(tx, at.hostId, found.events);
      await notePoll(tx, at, { cursor: found.cursor, everySeconds });
    });
    return true;
  } catch (err) {
    if (!(err instanceof HostProblem) && !(err instanceof RepositoryProblem)) throw err;
    const problem = redact(err.message);
    log.info({ ...at, problem }, 'a repository could not be polled');
    await notePollProblem(db, at, { problem, retryAfterMs: err.retryAfterMs });
    return !(err instanceof HostProblem && err.mayPass);
  }
}
