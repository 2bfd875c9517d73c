import type { HostEvent } from '@docent/code-hosts/events/host-event';
import type { AcceptanceSettings } from '../../jobs/create-job.ts';
import { Failure } from '@docent/base/failure';
import type { ActivityDeps } from '../deps.ts';
import { tryLater } from '../run-activity.ts';

/** The dependencies of consumers. */
export type HostEventDeps = Pick<ActivityDeps, 'db' | 'hosts' | 'jobWorkflows' | 'log' | 'settings'> & {
  /** For the jobs and messages that come of events. */
  acceptance: AcceptanceSettings;
};

/** An event of the inbox. */
export interface ReceivedHostEvent {
  /** The id of its row in `trigger_events`; the same in every attempt. */
  id: string;
  /** As in `code_hosts`. */
  hostId: string;
  event: HostEvent;
  receivedAt: Date;
}

/**
 * Acts on an event of a code host. Every consumer gets every event. If one throws or its process dies, all of
 * them get the event again. So a consumer must be safe to repeat, and safe beside a second process with the
 * same event. It records its work under the event's id (or the comment's), and takes less than two minutes.
 * @throws a temporary HostProblem or a database error: the event is retried later. Log final errors instead
 */
export type HostEventConsumer = (received: ReceivedHostEvent, deps: HostEventDeps) => Promise<void>;

const NOT_YET = 'not_yet';
const PAUSE_MS = 60_000;

/**
 * Thrown by a consumer that must wait for something else to end. This is expected: the log has no warning.
 */
export const notYet = (why: string): Failure => tryLater(why, NOT_YET, PAUSE_MS);

export const isNotYet = (err: unknown): boolean => err instanceof Failure && err.retry.code === NOT_YET;
