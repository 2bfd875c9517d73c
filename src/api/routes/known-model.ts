import { AppError } from '../../platform/errors.ts';
import type { ApiServices } from '../services.ts';

/**
 * Has a worker look whether it can use a model. `builtin` is always there, and costs nothing.
 * @param options.usd a budget in dollars, which means nothing without a price
 * @throws AppError `bad_request` with a sentence that says what is missing, `unavailable` (503)
 */
export async function knownModel(
  { workflows }: ApiServices,
  model: string,
  caller: string,
  { usd }: { usd?: number | undefined } = {},
): Promise<string> {
  if (model === 'builtin') return model;
  const checked = await workflows.checkModel({ model }, caller);
  if (!checked.ok) throw new AppError('bad_request', `\`model\`: ${checked.message}`);
  if (usd !== undefined && checked.isPriced === false) {
    throw new AppError(
      'bad_request',
      `\`budget.usd\`: the price of ${model} is not known. Add it to the file of DOCENT_MODELS_FILE, or set a budget in tokens.`,
    );
  }
  return model;
}
