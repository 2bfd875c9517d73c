import { Listr, type ListrTask } from 'listr2';
import type { LogView } from './log-view.ts';
import { schemaSteps } from './schema-step.ts';
import type { TemporalSettings } from '../roles/temporal-settings.ts';
import { postgresPart, rolePart, temporalPart, type PartContext } from './start-parts.ts';
import type { Supervisor } from '@docent/servers/supervisor';
import { findTemporal } from '@docent/servers/temporal/find';
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../platform/log.ts';
import { openDatabase } from '../store/database.ts';
import { moveLocalRepositories } from '../store/projects/moved-repositories.ts';
import type { Home } from './home.ts';

/**
 * Updates repository paths in the rows after the home was moved or copied: those inside the home now mean
 * this folder, so that a copy never pushes to the original's. Call it on the home's own database before
 * anything works on it, with its schema up to date.
 *
 * Safe to run twice: the new location is recorded after the rows were changed, and then there is nothing left
 * to change.
 */
async function followHome(
  home: Pick<Home, 'folder' | 'readState' | 'updateState'>,
  databaseUrl: string,
  log: Logger,
): Promise<void> {
  const here = realpathSync(home.folder);
  const { place, demoProjectMade } = home.readState();
  if (place === here) return;
  if (place !== undefined && demoProjectMade) {
    const database = openDatabase(databaseUrl, { applicationName: 'docent start', maxConnections: 2 });
    try {
      const moved = await moveLocalRepositories(database.db, {
        from: { path: place, url: pathToFileURL(place).href },
        to: { path: here, url: pathToFileURL(here).href },
      });
      log.info(`This home was moved from ${place}. Updated ${moved} project repositories to ${here}.`);
    } finally {
      await database.close();
    }
  }
  home.updateState({ place: here });
}

export interface BringUpOptions {
  /** The Temporal that the environment names; null: the embedded one. */
  externalTemporal: TemporalSettings | null;
  /** Prints nothing. */
  quiet: boolean;
  signal: AbortSignal;
}

type Step = ListrTask<undefined>;

/** Without a terminal, progress is a line from time to time. */
const PLAIN_EVERY_MS = 15_000;

/** Starts PostgreSQL and Temporal, then worker and API. After a failure, the caller stops the supervisor. */
export async function bringUp(context: PartContext, supervisor: Supervisor, options: BringUpOptions): Promise<void> {
  const { config, view } = context;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);

  const services: Step[] = [];
  if (config.databaseUrl) context.databaseUrl = config.databaseUrl.reveal();
  else services.push({ title: 'PostgreSQL', task: () => supervisor.keep(postgresPart(context)) });
  if (!options.externalTemporal) {
    services.push({
      title: 'Temporal server',
      async task(_, task) {
        const { binary } = await findTemporal({
          env: process.env,
          signal,
          onProgress: paced((text) => (task.output = text)),
        });
        await supervisor.keep(temporalPart(context, binary));
      },
    });
  }
  const role = (title: string, name: 'api' | 'worker'): Step => ({
    title,
    task: (_, task) =>
      supervisor.keep(
        rolePart(
          context,
          name,
          paced((text) => (task.output = text)),
        ),
      ),
  });
  try {
    const show = async (steps: Step[]) => {
      signal.throwIfAborted();
      await Promise.race([runSteps(steps, view, options.quiet), aborted(options.signal)]);
    };
    await show(services);
    await show(await schemaSteps(context, signal, paced));
    // An embedded database moves with the home. An external one may also serve the home's original.
    if (!config.databaseUrl && context.databaseUrl) {
      await followHome(context.home, context.databaseUrl, view.loggerFor('docent'));
    }
    await show([role('Worker', 'worker'), role('API', 'api')]);
  } catch (err) {
    failed.abort(err);
    throw err;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Shows parallel steps; log lines wait until they are done. */
export async function runSteps(steps: Step[], view: LogView, quiet: boolean): Promise<void> {
  const list = new Listr(steps, {
    concurrent: true,
    renderer: quiet ? 'silent' : 'default',
    fallbackRenderer: quiet ? 'silent' : 'simple',
    // We handle the signals, and the caller that catches the error reports it once.
    registerSignalListeners: false,
    rendererOptions: { collapseErrors: true, showErrorMessage: false },
  });
  view.hold();
  try {
    await list.run();
  } finally {
    view.release();
  }
}

function paced(show: (text: string) => void): (text: string) => void {
  if (process.stdout.isTTY) return show;
  let last = -Infinity;
  return (text) => {
    if (performance.now() - last < PLAIN_EVERY_MS) return;
    last = performance.now();
    show(text);
  };
}
