import { AppError, isExpected } from '../platform/errors.ts';
import { faultPoint } from '../platform/faults.ts';
import { contextText } from '@docent/recipes/prompt-context';
import { endRun, newestRun, postponeRun, startRun, type RunRow } from '../store/automations/automation-runs.ts';
import type { RunMaterial } from '../store/automations/automation-schema.ts';
import { lockAutomation } from '../store/automations/automations.ts';
import type { Db, Queryable } from '../store/database.ts';
import { holdProject } from '../store/projects/projects.ts';
import { CODE_SOURCE, listEventsOfRun } from '../store/automations/trigger-events.ts';
import { acceptRun, promptOfRun, type AcceptedRun } from './automation-run.ts';
import type { AcceptanceSettings } from './create-job.ts';
import { noteRunEnd } from './end-run.ts';

/** As much of the events' payloads as the agent is shown, in characters, and of how many events. */
const MAX_MATERIAL = 16_000;
const MAX_EVENTS = 20;
/** How long a run waits for a project's limit that gives no time. */
const PAUSE_S = 60;
const MAX_PAUSE_S = 3_600;

/**
 * Starts the queued run of an automation, unless one of its runs is still at work. In one transaction, so
 * that a run has one job, however often this is tried. A limit of the project postpones it. Any other refusal
 * ends it as failed, with the message as its summary.
 * @returns the accepted job or message, for starting its workflow; null for none
 */
export async function startQueuedRun(
  db: Db,
  at: { projectId: string; id: string },
  settings: AcceptanceSettings,
): Promise<(AcceptedRun & { prompt: string }) | null> {
  try {
    return await db.transaction((tx) => start(tx, at, settings));
  } catch (err) {
    const isLater = isExpected(err, 'secret_key') || (err instanceof AppError && MAY_PASS.has(err.code));
    if (!isLater && !(err instanceof AppError)) throw err;
    await db.transaction(async (tx) => {
      const automation = await lockAutomation(tx, at);
      const queued = await newestRun(tx, automation, 'queued');
      if (!queued) return;
      if (isLater) {
        const seconds = err instanceof AppError ? (err.retryAfterSeconds ?? PAUSE_S) : PAUSE_S;
        await postponeRun(tx, queued.id, Math.min(MAX_PAUSE_S, seconds));
        return;
      }
      await endRun(tx, queued.id, { status: 'failed', summary: err.message });
      await noteRunEnd(tx, automation, { runId: queued.id, status: 'failed', problem: err.message });
    });
    return null;
  }
}

/** Refusals that are temporary. */
const MAY_PASS: ReadonlySet<string> = new Set(['rate_limited', 'unavailable', 'job_archived', 'job_active']);

async function start(
  tx: Queryable,
  at: { projectId: string; id: string },
  settings: AcceptanceSettings,
): Promise<(AcceptedRun & { prompt: string }) | null> {
  // First the project: deleting it takes the locks in the same order.
  await holdProject(tx, at.projectId);
  const automation = await lockAutomation(tx, at);
  const queued = await newestRun(tx, automation, 'queued');
  if (!queued || (await newestRun(tx, automation, 'running'))) return null;
  const isOfCode = automation.trigger.type === 'code' && queued.source.startsWith(CODE_SOURCE);
  // Its code is read first: see activities/triggers/code-triggers.ts.
  if (isOfCode && queued.gathered?.events !== queued.events) return null;
  const { text, material } = isOfCode && queued.gathered ? queued.gathered : await payloadsOf(tx, queued);
  const prompt = await promptOfRun(tx, automation, { since: queued.since, material, context: text });
  const run = { automation, prompt, model: automation.model ?? undefined, no: queued.no ?? automation.runs + 1 };
  const accepted = await acceptRun(tx, run, settings);
  await startRun(tx, queued.id, { no: accepted.no, jobId: accepted.job.id, material });
  faultPoint('run-started');
  // For Temporal: the material stays in our rows.
  return { ...accepted, prompt: automation.prompt };
}

async function payloadsOf(tx: Queryable, queued: RunRow) {
  const payloads = (await listEventsOfRun(tx, queued.id, MAX_EVENTS))
    .filter(({ source }) => !source.startsWith('schedule:'))
    .map(({ body }) => body);
  return materialOf(payloads, queued.events);
}

/**
 * A run's newest payloads, cut to a prompt's size. The last line reports the rest.
 * @param events their total number
 */
export function materialOf(
  payloads: readonly Buffer[],
  events: number,
): { text: string | undefined; material: RunMaterial | null } {
  if (payloads.length === 0) return { text: undefined, material: null };
  const texts = payloads.map((body) => contextText(readable(body)));
  const all = texts.map((text, i) => (events === 1 ? text : `Event ${i + 1} of ${events}, newest first:\n${text}`));
  const whole = all.join('\n\n');
  const isCut = whole.length > MAX_MATERIAL || events > payloads.length;
  const shown = whole.slice(0, MAX_MATERIAL);
  const note = `\n\n[Docent left out a part of this material: the limit is ${MAX_MATERIAL} characters and ${MAX_EVENTS} events.]`;
  return {
    text: isCut ? shown + note : shown,
    material: { commits: 0, files: 0, characters: shown.length, cut: isCut },
  };
}

/** Indenting deeper JSON could make it hundreds of times longer. */
const MAX_DEPTH = 20;

/** JSON with line breaks. Other text, and deeply nested JSON, stays as it was sent. */
export function readable(body: Buffer): string {
  const text = body.toString('utf8');
  if (depthOf(text) > MAX_DEPTH) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Strings, whose brackets do not count, and brackets. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[[\]{}]/g;

function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
