import { MINUTE_MS } from '@docent/base/time';
import { faultPoint } from '../platform/faults.ts';
import { addEventToRun, insertRun, newestRun, runsToday, type RunRow } from '../store/automations/automation-runs.ts';
import type { RunCause, SkipReason, TriggerType } from '../store/automations/automation-schema.ts';
import { lockAutomation, noteQueuedRun, type AutomationRow } from '../store/automations/automations.ts';
import type { Db, Queryable } from '../store/database.ts';
import {
  CODE_SOURCE,
  findAutomationOfEvent,
  finishEvent,
  READERS_SOURCE,
  takeEvent,
  type TriggerEventRow,
} from '../store/automations/trigger-events.ts';
import { pageOfCodeEvent } from './code-trigger.ts';
import { REPORTED } from './note-occurrence.ts';
import { passesFilter } from './payload-filter.ts';
import { isMissed } from './schedule-trigger.ts';

/** The facts that decide about an event. */
export interface EventFacts {
  automation: Pick<
    AutomationRow,
    'enabled' | 'pausedAt' | 'pausedReason' | 'trigger' | 'maxRunsPerDay' | 'cooldownMinutes'
  >;
  event: Pick<TriggerEventRow, 'source' | 'deliveryId' | 'event' | 'body'>;
  /** The scheduled time of the run; null for other events. */
  scheduledAt: Date | null;
  /** Whether a queued run is already waiting. */
  isQueued: boolean;
  /** Runs of this day, and when the newest one was created. */
  today: number;
  lastAt: Date | null;
  now: Date;
}

export type Decision =
  /** A new run. */
  | { kind: 'run' }
  /** The waiting run covers this event too. */
  | { kind: 'join' }
  | { kind: 'skip'; because: SkipReason; summary: string };

/** Decides what happens with an event. */
export function decide(facts: EventFacts): Decision {
  const { automation, event, scheduledAt, now } = facts;
  const { trigger, maxRunsPerDay, cooldownMinutes } = automation;
  if (!automation.enabled) return skip('disabled', 'The automation is disabled.');
  if (automation.pausedAt !== null) return skip('paused', `The automation paused itself. ${automation.pausedReason}`);
  if (scheduledAt !== null && event.event === REPORTED) {
    return skip('duplicate', 'The scheduled time was reported before the database was restored.');
  }
  if (scheduledAt !== null && trigger.type === 'schedule' && isMissed(trigger, scheduledAt, now)) {
    return skip('missed', 'The scheduled time passed while Docent was down.');
  }
  if (trigger.type === 'webhook' && trigger.filter !== undefined) {
    const filtered = passesFilter(trigger.filter, event.body);
    if (!filtered.passes) return skip('filtered', filtered.reason);
  }
  if (facts.isQueued) return { kind: 'join' };
  if (maxRunsPerDay !== null && facts.today >= maxRunsPerDay) {
    return skip('cap', `The automation reached its limit of ${maxRunsPerDay} runs per day (UTC).`);
  }
  const readyAt = cooldownMinutes === null || !facts.lastAt ? 0 : facts.lastAt.getTime() + cooldownMinutes * MINUTE_MS;
  if (readyAt > now.getTime()) {
    return skip('cooldown', `The previous run started less than ${cooldownMinutes} minutes ago.`);
  }
  return { kind: 'run' };
}

function skip(because: SkipReason, summary: string): Decision {
  return { kind: 'skip', because, summary };
}

/** Makes a run, a part of one, or a skipped one of an event, in one transaction, once in all processes. */
export async function takeTriggerEvent(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const at = await findAutomationOfEvent(tx, id);
    if (!at) return;
    // First the automation: deleting it takes the locks in the same order.
    const automation = await lockAutomation(tx, at);
    const event = await takeEvent(tx, id);
    if (!event) return;
    const queued = await newestRun(tx, automation, 'queued');
    const scheduledAt = event.source.startsWith('schedule:') ? new Date(event.body.toString('utf8')) : null;
    const facts = { automation, event, scheduledAt, isQueued: queued !== null, now: new Date() };
    const decision = decide({ ...facts, ...(await runsToday(tx, automation)) });
    const run = await runOf(tx, { automation, event, queued, decision });
    faultPoint('event-taken');
    // Null: an earlier run began with the same event, and its row was deleted since.
    await finishEvent(tx, id, run?.id ?? null);
  });
}

function typeOfSource(source: string): TriggerType {
  if (source.startsWith('schedule:')) return 'schedule';
  if (source.startsWith(CODE_SOURCE)) return 'code';
  return source.startsWith(READERS_SOURCE) ? 'readers' : 'webhook';
}

async function runOf(
  tx: Queryable,
  of: { automation: AutomationRow; event: TriggerEventRow; queued: RunRow | null; decision: Decision },
): Promise<RunRow | null> {
  const { automation, event, queued, decision } = of;
  const { source, deliveryId, event: actor } = event;
  const type = typeOfSource(source);
  const url = type === 'code' ? pageOfCodeEvent(event.body) : null;
  const cause: RunCause = { type, source, deliveryId, actor, url };
  if (decision.kind === 'join' && queued) {
    await addEventToRun(tx, queued.id);
    return queued;
  }
  if (decision.kind === 'skip') {
    const newest = await newestRun(tx, automation, null);
    if (newest?.status === 'skipped' && newest.skippedBecause === decision.because) {
      await addEventToRun(tx, newest.id);
      return newest;
    }
    const { because: skippedBecause, summary } = decision;
    return insertRun(tx, automation, { no: null, status: 'skipped', skippedBecause, cause, summary });
  }
  const run = await insertRun(tx, automation, { no: automation.runs + 1, status: 'queued', cause });
  if (run) await noteQueuedRun(tx, automation, automation.runs + 1);
  return run;
}
