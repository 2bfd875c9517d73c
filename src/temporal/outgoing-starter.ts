import type { Client } from '@temporalio/client';
import { messageOf } from '../platform/errors.ts';
import { faultPoint } from '../platform/faults.ts';
import type { Logger } from '../platform/log.ts';
import { Duty } from '../jobs/duty.ts';
import type { Db } from '../store/database.ts';
import { listDueLooks } from '../store/pull-request-looks.ts';
import { deleteOldDeliveries, listUnstarted, noteStarted } from '../store/webhook-deliveries.ts';
import { turnOf } from './turn-taking.ts';
import { taskQueueOf, WORKFLOW, type DeliverWebhookInput } from '../workflows/contract.ts';

export interface OutgoingStarterOptions {
  db: Db;
  client: Client;
  installationId: string;
  log: Logger;
}

/** How long what was written waits for its workflow. */
const LOOK_MS = 1_000;
const LOOK_AT_PULL_REQUESTS_MS = 10_000;
const DELETE_MS = 3_600_000;
const BATCH = 100;
const DEADLINE_MS = 5_000;
/** Its looks are due again before it could take so long. */
const REFRESH_TIMEOUT = '30 minutes';

/**
 * Starts the workflows of what rows say is to be done outside: deliveries of webhooks, and looks at pull requests. The rows come first,
 * so that nothing is lost when a process dies before it can start anything; what was started and came to nothing is started again. Any
 * number of workers may run one: one of them looks, and a workflow that runs is not started twice.
 */
export class OutgoingStarter {
  readonly #options: OutgoingStarterOptions;
  readonly #duty: Duty;
  #isAway = false;
  #lookedAt = -Infinity;
  #deletedAt = -Infinity;

  constructor(options: OutgoingStarterOptions) {
    this.#options = options;
    this.#duty = new Duty({
      db: options.db,
      name: 'outgoing',
      everyMs: LOOK_MS,
      round: () => this.#look(),
      failed: (err) => this.#sayAway(err),
    });
  }

  start(): void {
    this.#duty.start();
  }

  async stop(): Promise<void> {
    await this.#duty.stop();
  }

  /** What cannot be reached now is tried at the next look. */
  async #look(): Promise<void> {
    await this.#startDeliveries();
    await this.#startLooks();
    await this.#deleteOld();
    this.#isAway = false;
  }

  #sayAway(err: unknown): void {
    const { log } = this.#options;
    // Said once, not every second.
    if (!this.#isAway) log.warn({ err }, 'webhooks: the database or Temporal is away');
    else log.debug({ err: messageOf(err) }, 'webhooks: still away');
    this.#isAway = true;
  }

  async #startDeliveries(): Promise<void> {
    const { db, client, installationId } = this.#options;
    while (!this.#duty.stopping.aborted) {
      const found = await listUnstarted(db, BATCH);
      if (found.length === 0) return;
      await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        Promise.all(
          found.map(({ id, projectId, type, target, attemptsBefore }) =>
            client.workflow.start(WORKFLOW.deliverWebhook, {
              // Who asks for a redelivery gets a workflow of its own.
              workflowId: `docent-${installationId}-webhook-${id}-${attemptsBefore}`,
              taskQueue: taskQueueOf(installationId),
              args: [{ deliveryId: id } satisfies DeliverWebhookInput],
              workflowIdConflictPolicy: 'USE_EXISTING',
              priority: turnOf(projectId),
              staticSummary: `${type} to ${target}`,
            }),
          ),
        ),
      );
      faultPoint('webhook-started');
      await noteStarted(
        db,
        found.map(({ id }) => id),
      );
    }
  }

  async #startLooks(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_AT_PULL_REQUESTS_MS) return;
    this.#lookedAt = performance.now();
    const { db, client, installationId } = this.#options;
    if ((await listDueLooks(db, 1)).length === 0) return;
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
    while (!this.#duty.stopping.aborted && (await deleteOldDeliveries(this.#options.db)));
  }
}
