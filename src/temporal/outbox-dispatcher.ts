import type { Client } from '@temporalio/client';
import { faultPoint } from '../platform/faults.ts';
import type { Logger } from '../platform/log.ts';
import { Attempts, PeriodicTask } from '../jobs/periodic-task.ts';
import type { Db } from '../store/database.ts';
import { listDuePolls } from '../store/pull-requests/pull-request-polls.ts';
import { deleteOldDeliveries, listUnstarted, noteStarted } from '../store/webhooks/webhook-deliveries.ts';
import { isUnreachable } from './unreachable.ts';
import { turnOf } from './turn-taking.ts';
import { taskQueueOf, WORKFLOW, type DeliverWebhookInput } from '../workflows/contract.ts';

type Unstarted = Awaited<ReturnType<typeof listUnstarted>>[number];

export interface OutboxDispatcherOptions {
  db: Db;
  client: Client;
  installationId: string;
  log: Logger;
}

/** How long a written row waits for its workflow. */
const POLL_MS = 1_000;
const POLL_PULL_REQUESTS_MS = 10_000;
const DELETE_MS = 3_600_000;
const BATCH = 100;
const DEADLINE_MS = 5_000;
/** The pause after Temporal refused a delivery or did not answer, and the most to remember. */
const REFUSED_MS = 60_000;
const UNANSWERED_MS = 10_000;
const MAX_REFUSED = 10_000;
/** Its looks are due again before it could take so long. */
const REFRESH_TIMEOUT = '30 minutes';

/**
 * Starts workflows for rows: webhook deliveries and pull request polls. Rows come first, so nothing is lost.
 * Of all workers, one dispatches; running workflows are not started twice.
 */
export class OutboxDispatcher {
  readonly #options: OutboxDispatcherOptions;
  readonly task: PeriodicTask;
  readonly #attempts: Attempts;
  /** Deliveries whose workflow could not be started, and their next attempts: `performance.now()`. */
  readonly #refused = new Map<string, number>();
  #polledAt = -Infinity;
  #deletedAt = -Infinity;

  constructor(options: OutboxDispatcherOptions) {
    this.#options = options;
    this.#attempts = new Attempts(options.log);
    this.task = new PeriodicTask({
      db: options.db,
      name: 'outgoing',
      everyMs: POLL_MS,
      work: {
        queries: [listUnstarted(options.db, 1)],
        isTime: () => performance.now() - this.#polledAt >= POLL_PULL_REQUESTS_MS,
      },
      round: () => this.#dispatch(),
      failed: (err) => this.#attempts.report('outgoing messages', err),
    });
  }

  /** A failure is retried at the next poll, and does not stop other parts. */
  async #dispatch(): Promise<void> {
    const parts: Record<string, () => Promise<void>> = {
      'deliveries of webhooks': () => this.#startDeliveries(),
      'checks of pull requests': () => this.#startPolls(),
      'clean-up of old deliveries': () => this.#deleteOld(),
    };
    for (const [name, work] of Object.entries(parts)) await this.#attempts.try(name, work);
  }

  async #startDeliveries(): Promise<void> {
    const { db } = this.#options;
    const now = performance.now();
    for (const [id, until] of this.#refused) if (until <= now) this.#refused.delete(id);
    while (!this.task.stopping.aborted) {
      const found = await listUnstarted(db, BATCH, [...this.#refused.keys()]);
      if (found.length === 0) return;
      const starts = await Promise.allSettled(found.map((delivery) => this.#startDelivery(delivery)));
      faultPoint('webhook-started');
      await noteStarted(
        db,
        found.filter((_, i) => starts[i]?.status === 'fulfilled').map(({ id }) => id),
      );
      const failures = starts.flatMap((start, i) =>
        start.status === 'rejected' ? [{ i, err: start.reason as unknown }] : [],
      );
      // Temporal is unavailable for all rows.
      if (failures.length === found.length && failures.every(({ err }) => isUnreachable(err))) throw failures[0]?.err;
      for (const { i, err } of failures) this.#setAside(found[i]!.id, err);
    }
  }

  /** A delivery that Temporal refuses, or whose shard is silent, is retried later and delays no other. */
  #setAside(deliveryId: string, err: unknown): void {
    this.#options.log.error({ err, deliveryId }, 'a webhook delivery could not be started; retrying later');
    const pauseMs = isUnreachable(err) ? UNANSWERED_MS : REFUSED_MS;
    if (this.#refused.size < MAX_REFUSED) this.#refused.set(deliveryId, performance.now() + pauseMs);
  }

  async #startDelivery({ id, projectId, type, target, attemptsBefore }: Unstarted): Promise<void> {
    const { client, installationId } = this.#options;
    await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.start(WORKFLOW.deliverWebhook, {
        // A redelivery gets its own workflow.
        workflowId: `docent-${installationId}-webhook-${id}-${attemptsBefore}`,
        taskQueue: taskQueueOf(installationId),
        args: [{ deliveryId: id } satisfies DeliverWebhookInput],
        workflowIdConflictPolicy: 'USE_EXISTING',
        priority: turnOf(projectId),
        staticSummary: `${type} to ${target}`,
      }),
    );
  }

  async #startPolls(): Promise<void> {
    if (performance.now() - this.#polledAt < POLL_PULL_REQUESTS_MS) return;
    this.#polledAt = performance.now();
    const { db, client, installationId } = this.#options;
    if ((await listDuePolls(db, 1)).length === 0) return;
    await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.start(WORKFLOW.refreshPullRequests, {
        workflowId: `docent-${installationId}-pull-requests`,
        taskQueue: taskQueueOf(installationId),
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowExecutionTimeout: REFRESH_TIMEOUT,
      }),
    );
  }

  async #deleteOld(): Promise<void> {
    if (performance.now() - this.#deletedAt < DELETE_MS) return;
    this.#deletedAt = performance.now();
    while (!this.task.stopping.aborted && (await deleteOldDeliveries(this.#options.db)));
  }
}
