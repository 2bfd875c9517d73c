import { messageOf } from '@docent/base/thrown';
import { storeHostEvents } from '../../code-hosts/events/store-host-events.ts';
import { HostProblem } from '../../code-hosts/host-problem.ts';
import { RepositoryProblem } from '../../git/repository-problem.ts';
import { PeriodicTask } from '../../jobs/periodic-task.ts';
import { faultPoint } from '../../platform/faults.ts';
import { redact } from '../../platform/log.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import {
  claimRepository,
  listDueRepositories,
  notePoll,
  notePollProblem,
  syncRepositories,
  type PolledRepository,
} from '../../store/host-repositories.ts';
import type { ActivityDeps } from '../deps.ts';

export interface HostPollerOptions extends Pick<ActivityDeps, 'db' | 'hosts' | 'log'> {
  /** 0: never. */
  everySeconds: number;
}

const LOOK_MS = 5_000;
const BATCH = 200;

/**
 * Asks code hosts for events that no webhook delivered, and writes them into the inbox. The repositories of one host are asked one after the
 * other; a host that asks to be left alone is, and those that are left stay due. Any number of workers may run one: one of them works.
 */
export class HostPoller {
  readonly #options: HostPollerOptions;
  readonly #task: PeriodicTask;
  #isFailing = false;

  constructor(options: HostPollerOptions) {
    this.#options = options;
    this.#task = new PeriodicTask({
      db: options.db,
      name: 'host-polling',
      everyMs: LOOK_MS,
      round: () => this.#round(),
      failed: (err) => this.#failed(err),
    });
  }

  start(): void {
    if (this.#options.everySeconds > 0) this.#task.start();
  }

  async stop(): Promise<void> {
    await this.#task.stop();
  }

  async #round(): Promise<void> {
    const { db } = this.#options;
    await syncRepositories(db);
    const due = Map.groupBy(await listDueRepositories(db, BATCH), ({ hostId }) => hostId);
    await Promise.all(
      [...due.values()].map(async (repositories) => {
        for (const at of repositories) {
          if (this.#task.stopping.aborted || !(await pollHost(this.#options, at))) return;
        }
      }),
    );
    this.#isFailing = false;
  }

  #failed(err: unknown): void {
    const { log } = this.#options;
    const reason = isDatabaseUnavailable(err) ? 'the database is away' : messageOf(err);
    // Once, not every time.
    log[this.#isFailing ? 'debug' : 'warn']({ err, reason }, 'polling of code hosts: failed, tried again');
    this.#isFailing = true;
  }
}

/**
 * Polls one repository. Its events and the cursor behind them are one transaction: a process that dies before it has the next one find the
 * same events again.
 * @returns whether the host may be asked for another repository now
 * @throws where the database fails
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
