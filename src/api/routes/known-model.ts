import { AppError } from '../../platform/errors.ts';
import type { ApiServices } from '../services.ts';

/**
 * Has a worker check a model; `builtin` is always usable.
 * @param options.dollars the field with a budget, which needs a known price
 * @throws AppError `bad_request` that names what is missing, `unavailable` (503)
 */
export async function knownModel(
  { workflows }: ApiServices,
  model: string,
  caller: string,
  { dollars = null }: { dollars?: string | null } = {},
): Promise<string> {
  if (model === 'builtin') return model;
  const checked = await workflows.checkModel({ model }, caller);
  if (!checked.ok) throw new AppError('bad_request', `\`model\`: ${checked.message}`);
  if (dollars !== null && !checked.isPriced) {
    throw new AppError(
      'bad_request',
      `\`${dollars}\`: the price of ${model} is unknown. Add it to DOCENT_MODELS_FILE, or set a budget in tokens.`,
    );
  }
  return model;
}

/** The setting of a project that has a budget in dollars; null for none. */
export function dollarSetting(settings: { budgetJobUsd?: unknown; budgetDayUsd?: unknown }): string | null {
  if (typeof settings.budgetJobUsd === 'number') return 'settings.budgetJobUsd';
  return typeof settings.budgetDayUsd === 'number' ? 'settings.budgetDayUsd' : null;
}
