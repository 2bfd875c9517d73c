import { DAY_MS } from '@docent/base/time';
import type { VisitorClass } from '@docent/access-log/event-kind';
import type { ClassMapping, SaltSchedule } from '../../src/store/analytics-settings.ts';
import { withoutRepeats, type KnownEvent } from './brute-count.ts';

export interface SentEvent extends KnownEvent {
  /** Classified by the server, if there is one. */
  userAgent?: string;
  /** The client's id, if it was sent. The visitor has an id in any case. */
  ip?: string;
}

const DEFAULT: ClassMapping = { human: ['human'], ai: ['assistant'] };
const LATE_DAYS = 7;

const dayOf = (time: number) => Math.floor(time / DAY_MS);

/**
 * A model of a project's page views without any of the product's code: a list of events, and the history of
 * settings. Visitors are named by identity and the salt of their day.
 */
export class AnalyticsModel {
  /** In the order in which they came in. What is not sealed yet waits by writer. */
  events: SentEvent[] = [];
  readonly #waiting: SentEvent[][] = [[], []];
  mapping = DEFAULT;
  #wanted = DEFAULT;
  #floorDay = -Infinity;
  #retentionDays: number | null = null;
  #salts: SaltSchedule = [{ policy: 'fixed', fromDay: null }];
  /** The last day on which salts were destroyed. */
  #destroyedOn = -Infinity;
  #begun = false;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** As with the first event. */
  begin(): void {
    if (!this.#begun) this.mapping = this.#wanted;
    this.#begun = true;
  }

  /** @returns how many are refused */
  send(writer: number, events: readonly SentEvent[]): number {
    this.begin();
    const taken = events.filter(({ time }) => {
      const isFuture = time > this.#now() + DAY_MS;
      return !isFuture && dayOf(time) >= this.#floorDay && !this.#isClosed(time, dayOf(this.#now()));
    });
    this.#waiting[writer]!.push(...taken.map((event) => ({ ...event, visitor: this.#idOf(event) })));
    return events.length - taken.length;
  }

  seal(writer: number): void {
    this.events.push(...this.#waiting[writer]!.filter(({ time }) => dayOf(time) >= this.#floorDay));
    this.#waiting[writer] = [];
  }

  drop(day: number): void {
    if (!this.#begun) return;
    this.#floorDay = Math.max(this.#floorDay, day);
    this.events = this.events.filter(({ time }) => dayOf(time) >= this.#floorDay);
  }

  /** Of days whose salt was destroyed it is no longer known which events were this visitor's. */
  erase(visitor: string): void {
    this.events = withoutRepeats(this.events).filter(
      (event) => this.#isClosed(event.time, this.#destroyedOn) || event.visitor !== this.#idOf({ ...event, visitor }),
    );
  }

  rebuild(classOf: (userAgent: string) => VisitorClass, moves: (path: string) => string): void {
    this.events = this.events.map((event) => ({
      ...event,
      ...(event.userAgent ? { class: event.verified === false ? 'other' : classOf(event.userAgent), agent: null } : {}),
      path: event.notFound ? event.path : moves(event.path),
    }));
    if (this.#begun) this.mapping = this.#wanted;
  }

  set(settings: { mapping?: ClassMapping; retentionDays?: number | null; salts?: SaltSchedule }): void {
    if (settings.mapping) this.#wanted = settings.mapping;
    if (settings.retentionDays !== undefined) this.#retentionDays = settings.retentionDays;
    if (settings.salts) this.#salts = settings.salts;
  }

  maintenance(): void {
    const today = dayOf(this.#now());
    if (this.#retentionDays !== null) this.drop(today - this.#retentionDays);
    if (!this.#begun) return;
    this.#destroyedOn = Math.max(this.#destroyedOn, today);
    this.mapping = this.#wanted;
  }

  #policyOf(time: number) {
    const at = this.#salts.findLastIndex(({ fromDay }) => fromDay === null || fromDay <= dayOf(time));
    return { at, policy: this.#salts[at]!.policy, endDay: this.#salts[at + 1]?.fromDay ?? Infinity };
  }

  #isClosed(time: number, today: number): boolean {
    const { policy, endDay } = this.#policyOf(time);
    const date = new Date(time);
    const ends = {
      fixed: endDay,
      monthly: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS,
      daily: dayOf(time) + 1,
    };
    return ends[policy] + LATE_DAYS <= today;
  }

  #idOf({ visitor, time }: SentEvent): string {
    const { at, policy } = this.#policyOf(time);
    const date = new Date(time).toISOString();
    const who = visitor.split('@')[0];
    return `${who}@${{ fixed: `era ${at}`, monthly: date.slice(0, 7), daily: date.slice(0, 10) }[policy]}`;
  }
}
