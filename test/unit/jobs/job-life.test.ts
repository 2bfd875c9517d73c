import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeBy, LIFE, type JobEvent, type Transition } from '../../../src/jobs/job-life.ts';
import { AppError } from '../../../src/platform/errors.ts';
import type { ChangeSize } from '../../../src/store/preview.ts';
import { JOB_STATUSES, type JobStatus, type Outcome } from '../../../src/store/schema.ts';

const ERROR = { code: 'limit_steps', message: 'Too many.' };
const LOST = { code: 'workflow_lost', message: 'Gone.' };
const NOW = new Date('2026-11-22T12:00:00Z');

/** The event behind each row of the table. */
const EVENTS: Record<Transition, JobEvent> = {
  message: { type: 'message' },
  turn_completed: {
    type: 'turn_ended',
    messagesWait: false,
    failed: false,
    error: null,
    outcome: 'changed',
    summary: 'Done.',
  },
  turn_failed: { type: 'turn_ended', messagesWait: false, failed: true, error: ERROR, outcome: 'failed' },
  turn_ended_with_more: { type: 'turn_ended', messagesWait: true, failed: true, error: ERROR, outcome: 'failed' },
  cancel_turn: { type: 'cancel', turnRuns: true },
  cancel_waiting: { type: 'cancel', turnRuns: false },
  workflow_lost: { type: 'workflow_lost', error: LOST },
  archive: { type: 'archive' },
  unarchive: { type: 'unarchive' },
  publish: { type: 'publish' },
  discard: { type: 'discard' },
  retry: { type: 'retry' },
};

const FRESH = {
  status: 'active' as JobStatus,
  statusBeforeArchive: null as JobStatus | null,
  cancelRequestedAt: null as Date | null,
  summary: null as string | null,
  archivedAt: null as Date | null,
  outcome: null as Outcome | null,
  errorCode: null as string | null,
  errorMessage: null as string | null,
  progress: null as string | null,
  pendingChanges: null as ChangeSize | null,
  signalPending: false,
};
type Row = typeof FRESH;

/** The table itself, as people read it; `=` stays as it is. */
const TABLE = `
                       active     completed  failed     archived
  message              active     active     active     !job_archived
  turn_completed       completed  =          =          =
  turn_failed          failed     =          =          =
  turn_ended_with_more active     =          =          =
  cancel_turn          active     !job_not_active !job_not_active !job_not_active
  cancel_waiting       completed  !job_not_active !job_not_active !job_not_active
  workflow_lost        failed     =          =          =
  archive              archived   archived   archived   =
  unarchive            !job_not_archived !job_not_archived !job_not_archived failed
  publish              !job_active active    active     !job_archived
  retry                !job_active active    active     !job_archived
  discard              !job_active completed completed  !job_archived
`;
const [head = [], ...lines] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

describe("a job's life", () => {
  test('has a line in the table for each thing that may happen', () => {
    expect(lines.map(([event]) => event)).toEqual(Object.keys(LIFE));
    expect(head).toEqual([...JOB_STATUSES]);
  });

  test.each(
    lines.flatMap(([event, ...nexts]) =>
      nexts.map((next, i) => [event as Transition, head[i] as JobStatus, next] as const),
    ),
  )('%s on a job that is %s: %s', (event, status, next) => {
    const row = { ...FRESH, status, statusBeforeArchive: status === 'archived' ? ('failed' as const) : null };
    const happen = () => changeBy(row, EVENTS[event], NOW);
    if (next.startsWith('!')) expect(happen).toThrow(expect.objectContaining({ code: next.slice(1) }));
    else if (next === '=') expect(happen()).toBeNull();
    else expect(happen()?.status).toBe(next);
  });

  test('shows an error only if the job failed with it, and dates and requests only while they hold', () => {
    assert(
      property(array(constantFrom(...Object.values(EVENTS)), { maxLength: 12 }), (events) => {
        let row: Row = { ...FRESH };
        for (const event of events) {
          const before = row;
          try {
            row = { ...row, ...changeBy(row, event, NOW) };
          } catch (err) {
            expect(err).toBeInstanceOf(AppError);
            expect(row).toBe(before);
          }
          const standing = row.status === 'archived' ? row.statusBeforeArchive : row.status;
          expect(row.errorCode !== null).toBe(standing === 'failed');
          expect(row.outcome !== null && standing === 'active').toBe(false);
          if (row.outcome === 'failed') expect(standing).toBe('failed');
          expect(row.archivedAt !== null).toBe(row.status === 'archived');
          expect(row.statusBeforeArchive !== null).toBe(row.status === 'archived');
          expect(row.statusBeforeArchive).not.toBe('active');
          if (row.cancelRequestedAt) expect(row.status).toBe('active');
        }
      }),
    );
  });

  test('treats a repeated cancel as the first one, and brings an interrupted job back to rest', () => {
    const asked = { ...FRESH, ...changeBy(FRESH, EVENTS.cancel_turn, NOW) };
    expect(changeBy(asked, EVENTS.cancel_turn, new Date())?.cancelRequestedAt).toBe(NOW);
    const archived = { ...asked, ...changeBy(asked, EVENTS.archive, NOW) };
    expect(changeBy(archived, EVENTS.unarchive, NOW)).toMatchObject({ status: 'completed', signalPending: true });
  });

  test('is written by no one else', () => {
    const src = path.join(import.meta.dirname, '..', '..', '..', 'src');
    // The command line has no rows: it asks for jobs by their status. Runs of automations have a status of
    // their own.
    const others = /^cli\/|^jobs\/start-run\.ts$|^store\/automations\/automation-runs\.ts$/;
    const files = globSync('**/*.ts', { cwd: src }).filter((file) => !others.test(file));
    const writers = files.filter((file) =>
      /\bstatus: '(active|completed|failed|archived)'|status_before_archive =|SET status =/.test(
        readFileSync(path.join(src, file), 'utf8'),
      ),
    );
    expect(writers).toEqual([]);
  });
});
