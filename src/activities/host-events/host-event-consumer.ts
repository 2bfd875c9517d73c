import type { HostEvent } from '../../code-hosts/events/host-event.ts';
import type { AcceptanceSettings } from '../../jobs/create-job.ts';
import { Failure } from '../../platform/errors.ts';
import type { ActivityDeps } from '../deps.ts';
import { tryLater } from '../run-activity.ts';

/** What consumers may use. */
export type HostEventDeps = Pick<ActivityDeps, 'db' | 'hosts' | 'jobWorkflows' | 'log' | 'settings'> & {
  /** For the jobs and messages that come of events. */
  acceptance: AcceptanceSettings;
};

/** An event of the inbox. */
export interface ReceivedHostEvent {
  /** Of its row in `trigger_events`: the same at every attempt. */
  id: string;
  /** As in `code_hosts`. */
  hostId: string;
  event: HostEvent;
  receivedAt: Date;
}

/**
 * Does what an event of a code host leads to. Each event is given to every consumer. Where one throws, or its
 * process dies, the event is given to all of them again: a consumer must be safe to repeat, and two processes
 * may have the same event for a moment. It writes what it does under the event's id (or the comment's own),
 * so that repeats find it done, and takes less than two minutes.
 * @throws a HostProblem that may pass, a database that is away: the event is tried again later. Anything
 * final is no error: log it
 */
export type HostEventConsumer = (received: ReceivedHostEvent, deps: HostEventDeps) => Promise<void>;

const NOT_YET = 'not_yet';
const PAUSE_MS = 60_000;

/** What a consumer throws that waits for something which has to end first. All is well: the log does not warn. */
export const notYet = (why: string): Failure => tryLater(why, NOT_YET, PAUSE_MS);

export const isNotYet = (err: unknown): boolean => err instanceof Failure && err.retry.code === NOT_YET;
