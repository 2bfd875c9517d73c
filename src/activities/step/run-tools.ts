import type { ToolCall } from '@docent/models/conversation/tool-call';
import { readEntries, type TranscriptEntry } from '@docent/models/conversation/transcript';
import { faultPoint } from '../../platform/faults.ts';
import { changeOverlay, listOverlay, overlayChanges } from '../../store/jobs/overlay.ts';
import { modeOf } from '../../store/job-options.ts';
import { recordPendingDiff } from '../../store/jobs/pending-diffs.ts';
import { beginPart, recordResults } from '../../store/jobs/steps.ts';
import { findLastChange } from '../../store/jobs/turns.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import { allowedSecrets } from './outgoing-secrets.ts';
import { keepTrying, runActivity } from '../run-activity.ts';
import { attachmentsFor } from './placed-attachments.ts';
import type { StepAt } from '../open/turn-context.ts';
import { toolsEvent } from './step-events.ts';
import { located, snapshotOf } from '../open/turn-context.ts';
import { sourcesForCalls } from '../open/turn-sources.ts';
import { webPagesForCalls } from './web-pages.ts';

/** The second half of a step. Records its outcome once; a repeat returns the recorded outcome. */
export function createToolActivities(deps: ActivityDeps) {
  const { db, agents, log } = deps;

  return {
    /** Carries out the step's tool calls; results and changed files are recorded together. */
    async runTools({ jobId, turn: turnNo, step }: StepAt): Promise<{ errors: number; ms: number }> {
      return runActivity(log, { jobId, turn: turnNo, step }, async (run) => {
        const begun = await beginPart(db, { jobId, turnNo, stepNo: step, part: 'tools' });
        if (begun.recorded) return errorsOf(begun.recorded);
        const startedAt = performance.now();
        const { claim, project, job } = begun;
        const at = located(claim);
        const calls = callsIn(begun.answer ?? []);
        const before = await listOverlay(db, jobId);
        const ran = await agents.runStep(
          {
            snapshotPath: await snapshotOf(deps, begun, at, run),
            overlay: before,
            policy: policyOf(deps.settings, project),
            site: project.settings.site,
            calls,
            ...(await attachmentsFor(db, jobId, calls, before)),
            ...(await sourcesForCalls(deps, at, calls, run)),
            ...(await webPagesForCalls(deps, { jobId, project }, calls, run)),
            allowedSecrets: allowedSecrets(project),
            ...(modeOf(job) === 'ask' ? { readOnly: true } : {}),
            ...(calls.some(({ name }) => name === 'undo') ? { lastChange: await findLastChange(db, jobId) } : {}),
          },
          { signal: run.signal },
        );
        faultPoint('tools-run');
        const { results, state, diff } = ran;
        const entries: TranscriptEntry[] = [{ role: 'tool', results, ...(state === null ? {} : { state }) }];
        const changes = overlayChanges(before, ran.overlay);
        const event = toolsEvent(step, ran.results);
        const outcome = () => ({ stepNo: step, entries, activityMs: performance.now() - startedAt, event });
        const kept = await keepTrying(run, () => {
          // One statement if nothing changed: most steps only read.
          if (!changes) return recordResults(db, claim, outcome());
          return db.transaction(async (tx) => {
            const recorded = await recordResults(tx, claim, outcome());
            // Another attempt's results come with its own changes.
            if (recorded.first) await changeOverlay(tx, jobId, turnNo, changes);
            if (recorded.first && diff) {
              await recordPendingDiff(tx, { jobId, turnNo, stepNo: step, baseCommit: at.baseCommit }, diff);
            }
            return recorded;
          });
        });
        faultPoint('tools-recorded');
        return errorsOf(kept.entries);
      });
    },
  };
}

function callsIn(entries: unknown[]): ToolCall[] {
  return readEntries(entries).flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls : []));
}

function errorsOf(entries: unknown[]): { errors: number } {
  const results = readEntries(entries).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
  return { errors: results.filter(({ ok }) => !ok).length };
}
