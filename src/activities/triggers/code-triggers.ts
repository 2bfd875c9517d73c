import { storeHostEvents } from '../../store/automations/store-host-events.ts';
import { openForReading } from '../../code-hosts/host.ts';
import { wantsBranch, watches } from '../../jobs/code-trigger.ts';
import { PeriodicTask, reportOnce } from '../../jobs/periodic-task.ts';
import { listUngathered } from '../../store/automations/automation-runs.ts';
import type { CodeHeads } from '../../store/automations/automation-schema.ts';
import { noteCodeHeads } from '../../store/automations/automations.ts';
import { listWatchedCode, type WatchedCode } from '../../store/automations/watched-code.ts';
import { gatherCode, headOf, type CodeDeps } from './gather-code.ts';

const EVERY_MS = 3_000;
const BATCH = 100;
/** A repository that could not be read is left alone for this long. */
const PAUSE_MS = 60_000;
/** Branches of one repository that are polled at most. */
const MAX_BRANCHES = 200;

/**
 * Polls local repositories for automations that code changes start, and gathers the code of queued runs. Safe
 * in many workers: one works at a time.
 */
export class CodeTriggers {
  readonly #deps: CodeDeps;
  readonly task: PeriodicTask;
  readonly #failedAt = new Map<string, number>();

  constructor(deps: CodeDeps) {
    this.#deps = deps;
    this.task = new PeriodicTask({
      db: deps.db,
      name: 'code-triggers',
      everyMs: EVERY_MS,
      round: () => this.#round(),
      failed: reportOnce(deps.log, 'watched code could not be polled, tried again'),
    });
  }

  async #round(): Promise<void> {
    const { db } = this.#deps;
    const signal = this.task.stopping;
    for (const place of await listWatchedCode(db, null)) {
      if (signal.aborted) return;
      if (!watches(place.trigger, place.name)) continue;
      const isKnown = place.codeHeads[place.name] !== undefined;
      if (isKnown && place.host !== 'local') continue;
      await this.#attempt(`${place.host} ${place.repository}`, () => pollWatched(this.#deps, place, signal));
    }
    for (const at of await listUngathered(db, BATCH)) {
      if (signal.aborted) return;
      await this.#attempt(`run of ${at.projectId}/${at.id}`, () => gatherCode(this.#deps, at, signal));
    }
  }

  /** A failure does not stop the other steps. */
  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    const failedAt = this.#failedAt.get(what);
    if (failedAt !== undefined && performance.now() - failedAt < PAUSE_MS) return;
    this.#failedAt.delete(what);
    try {
      await work();
    } catch (err) {
      if (this.task.stopping.aborted) return;
      this.#failedAt.set(what, performance.now());
      this.#deps.log.warn({ err, what }, 'watched code could not be read');
    }
  }
}

/**
 * Records where an automation begins to watch a branch; of a local repository, also which branches moved.
 * Idempotent: a push is one event, keyed by its commit.
 */
export async function pollWatched(
  { db, git, hosts }: CodeDeps,
  place: WatchedCode,
  signal: AbortSignal,
): Promise<void> {
  const { repository, projectId, automationId, trigger, codeHeads } = place;
  const { endpoint } = await openForReading(hosts, place);
  const tips = await git.listBranches(endpoint, { signal });
  const wanted = [...tips].filter(([branch]) => branch === place.ref || wantsBranch(trigger, place, branch));
  const added: CodeHeads = {};
  for (const [branch, tip] of wanted.slice(0, MAX_BRANCHES)) {
    const before = codeHeads[headOf(place, branch)];
    if (before === undefined) added[headOf(place, branch)] = tip;
    if (before === undefined || before === tip || place.host !== 'local') continue;
    await storeHostEvents(db, place.host, [
      { kind: 'push', repository: { id: repository, path: repository }, at: null, branch, before, after: tip },
    ]);
  }
  if (Object.keys(added).length > 0) await noteCodeHeads(db, { projectId, id: automationId }, added, 'keep');
}
