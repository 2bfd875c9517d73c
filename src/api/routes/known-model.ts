import { AppError } from '../../platform/errors.ts';
import type { ApiServices } from '../services.ts';

/**
 * Has a worker look whether it can use a model. `builtin` is always there.
 * @throws AppError `bad_request` with a sentence that says what is missing, `unavailable` (503)
 */
export async function knownModel({ workflows }: ApiServices, model: string, caller: string): Promise<string> {
  if (model === 'builtin') return model;
  const checked = await workflows.checkModel({ model }, caller);
  if (!checked.ok) throw new AppError('bad_request', `\`model\`: ${checked.message}`);
  return model;
}
