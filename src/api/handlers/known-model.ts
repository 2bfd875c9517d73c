import { AppError } from '../../errors.ts';
import type { ApiConfig } from '../api-config.ts';

/** @throws AppError `bad_request` for a model that this installation does not have */
export function knownModel(config: ApiConfig, model: string): string {
  if (config.models && !config.models.includes(model)) {
    throw new AppError('bad_request', 400, `\`model\` must be one of ${config.models.join(', ')}.`);
  }
  return model;
}
