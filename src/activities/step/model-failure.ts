import { ModelProblem, type Model } from '@docent/models/model';
import { jobFailure } from '../../platform/errors.ts';
import { retryText } from '@docent/base/retry-text';
import type { ActivityDeps, TurnSettings } from '../deps.ts';
import type { ModelWatch } from './model-watch.ts';
import { tryLater, type ActivityRun } from '../run-activity.ts';

/** @throws Failure with a sentence that names the setting to change */
export async function findModel({ models }: Pick<ActivityDeps, 'models'>, id: string): Promise<Model> {
  try {
    return await models.resolve(id);
  } catch (err) {
    throw err instanceof ModelProblem ? jobFailure(err.code, err.message) : err;
  }
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** The retry or failure to throw without an answer, limited by attempts and the turn's time. */
export async function retryOrFail(
  err: unknown,
  at: { run: ActivityRun; watch: ModelWatch; settings: Pick<TurnSettings, 'modelAttempts' | 'limits'> },
): Promise<unknown> {
  if (!(err instanceof ModelProblem)) return err;
  const { run, watch, settings } = at;
  const kept = 'The changes are kept. Send a message to continue.';
  if (!err.passing) {
    return jobFailure(
      err.code,
      err.code === 'model_context'
        ? `${err.message} The conversation cannot be shortened further. Create a new job for the rest, or ` +
            'use a model with a longer context window.'
        : err.message,
    );
  }
  if (run.attempt >= settings.modelAttempts) {
    return jobFailure(err.code, `${err.message} Docent asked ${run.attempt} times. ${kept}`);
  }
  // Spread, so that jobs that failed together do not come back together.
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (run.attempt - 1)) * (0.75 + Math.random() / 2);
  const pauseMs = Math.round(Math.max(err.retryAfterMs ?? 0, backoff));
  if (run.elapsedMs + pauseMs > settings.limits.activityMs) {
    const minutes = Math.ceil(pauseMs / 60_000);
    return jobFailure(
      err.code,
      `${err.message} The provider asks to wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, longer than a turn may take. ${kept}`,
    );
  }
  await watch.stop(retryText(err.message.slice(0, 250), pauseMs));
  return tryLater(err.message, err.code, pauseMs);
}
