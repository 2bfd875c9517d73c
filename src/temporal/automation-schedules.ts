import { createHash } from 'node:crypto';
import {
  WorkflowNotFoundError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { calendarsOf, catchUpMs, type ScheduleTrigger } from '../jobs/schedule-trigger.ts';
import type { AutomationRow } from '../store/automations/automations.ts';
import { taskQueueOf, WORKFLOW, type RecordOccurrenceInput } from '../workflows/contract.ts';

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;
const DAYS_OF_WEEK = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

/** The fields of an automation that determine its schedule. */
export type Scheduled = Pick<AutomationRow, 'projectId' | 'id' | 'trigger'>;

/** No project's id has a dot. */
const prefixOf = (installationId: string) => `docent-${installationId}-automation-`;
const scheduleIdOf = (installationId: string, { projectId, id }: Pick<Scheduled, 'projectId' | 'id'>) =>
  `${prefixOf(installationId)}${projectId}.${id}`;

/**
 * Names what a schedule does. It is the schedule's note in Temporal, so that a list shows which ones differ.
 */
function noteOf(trigger: ScheduleTrigger): string {
  return createHash('sha256')
    .update(JSON.stringify(['1', trigger]))
    .digest('hex')
    .slice(0, 32);
}

/** Creates, updates or deletes the schedule of one automation to match its row. Safe to repeat. */
export async function syncSchedule(client: Client, installationId: string, automation: Scheduled): Promise<void> {
  const scheduleId = scheduleIdOf(installationId, automation);
  const { trigger } = automation;
  if (trigger.type !== 'schedule') return deleteSchedule(client, scheduleId);
  const wanted = optionsOf(installationId, scheduleId, automation, trigger);
  const note = noteOf(trigger);
  try {
    await client.schedule.create({ ...wanted, scheduleId, state: { note } });
  } catch (err) {
    if (!(err instanceof ScheduleAlreadyRunning)) throw err;
    const handle = client.schedule.getHandle(scheduleId);
    await handle.update(({ state }) => ({ ...wanted, state: { ...state, note, paused: false } }));
  }
}

/**
 * Whether an occurrence was written into the inbox, as far as Temporal remembers. If the inbox has no row of
 * it, the database was restored from before.
 */
export async function wasReported(
  client: Client,
  installationId: string,
  { automation, at }: { automation: Pick<Scheduled, 'projectId' | 'id'>; at: Date },
): Promise<boolean> {
  // Temporal names the workflows of a schedule for their nominal times.
  const workflowId = `${scheduleIdOf(installationId, automation)}-${at.toISOString().slice(0, 19)}Z`;
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'COMPLETED';
  } catch (err) {
    if (err instanceof WorkflowNotFoundError) return false;
    throw err;
  }
}

/**
 * The automations whose schedules in Temporal differ from the rows, for example after a restore of one of the
 * two. Deletes schedules without an automation.
 * @param read the automations with a schedule; read after the list, so that a schedule without a row is
 *   really orphaned
 */
export async function findDifferences<Row extends Scheduled>(
  client: Client,
  installationId: string,
  read: () => Promise<Row[]>,
): Promise<Row[]> {
  const notes = new Map<string, string | undefined>();
  for await (const { scheduleId, state } of client.schedule.list()) {
    if (scheduleId.startsWith(prefixOf(installationId))) notes.set(scheduleId, state.paused ? undefined : state.note);
  }
  const differing: Row[] = [];
  for (const automation of await read()) {
    const scheduleId = scheduleIdOf(installationId, automation);
    const { trigger } = automation;
    if (trigger.type !== 'schedule') continue;
    if (notes.get(scheduleId) !== noteOf(trigger)) differing.push(automation);
    notes.delete(scheduleId);
  }
  for (const scheduleId of notes.keys()) await deleteSchedule(client, scheduleId);
  return differing;
}

async function deleteSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (err) {
    if (!(err instanceof ScheduleNotFoundError)) throw err;
  }
}

function optionsOf(installationId: string, scheduleId: string, { projectId, id }: Scheduled, trigger: ScheduleTrigger) {
  const action: ScheduleOptionsStartWorkflowAction<Workflow> = {
    type: 'startWorkflow',
    workflowType: WORKFLOW.recordOccurrence,
    workflowId: scheduleId,
    taskQueue: taskQueueOf(installationId),
    args: [{ projectId, automationId: id } satisfies RecordOccurrenceInput],
  };
  return {
    spec: {
      calendars: calendarsOf(trigger).map(({ month, dayOfWeek, ...calendar }) => ({
        ...calendar,
        month: month.map((number) => MONTHS[number - 1]!),
        ...(dayOfWeek ? { dayOfWeek: dayOfWeek.map((number) => DAYS_OF_WEEK[number]!) } : {}),
        comment: trigger.cron,
      })),
      timezone: trigger.timezone,
      jitter: trigger.jitterMinutes * 60_000,
    },
    action,
    // Each occurrence writes its row, even after a long outage of all workers: late ones are handled there.
    policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: catchUpMs(trigger) },
  };
}
