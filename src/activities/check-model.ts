import { ModelProblem } from '../agent/model.ts';
import type { CheckModelInput, CheckModelResult } from '../workflows/contract.ts';
import type { ActivityDeps } from './deps.ts';
import { runActivity } from './run-activity.ts';

export type ModelCheckActivities = ReturnType<typeof createModelCheckActivities>;

export function createModelCheckActivities({ models, log }: Pick<ActivityDeps, 'models' | 'log'>) {
  return {
    /** A refusal is a result: a person reads it at once. */
    async checkModel({ model }: CheckModelInput): Promise<CheckModelResult> {
      return runActivity(log, {}, async ({ signal }): Promise<CheckModelResult> => {
        try {
          await models.find(model).probe?.(signal);
          return { ok: true };
        } catch (err) {
          if (err instanceof ModelProblem) return { ok: false, message: err.message };
          throw err;
        }
      });
    },
  };
}
