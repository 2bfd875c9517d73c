import { ModelProblem } from '../../agent/model.ts';
import type { CheckModelInput, CheckModelResult } from '../../workflows/contract.ts';
import type { ControlDeps, ControlRun } from '../publish/control-run.ts';

/** A refusal is a result: a person reads it at once. */
export async function checkModel(
  { model }: CheckModelInput,
  { models }: Pick<ControlDeps, 'models'>,
  { signal }: Pick<ControlRun, 'signal'>,
): Promise<CheckModelResult> {
  try {
    const found = models.find(model);
    await found.probe?.(signal);
    return { ok: true, isPriced: found.price !== null };
  } catch (err) {
    if (err instanceof ModelProblem) return { ok: false, message: err.message };
    throw err;
  }
}
