import { isAbsolute } from 'node:path';
import { AppError } from '../../errors.ts';
import type { CheckRepositoryResult } from '../../workflows/contract.ts';
import type { ApiServices } from '../services.ts';

type Checked = Extract<CheckRepositoryResult, { ok: true }>;

/**
 * Has a worker look at a repository: the API itself touches none.
 * @throws AppError `repository_refused` (400) with a sentence that says what is wrong, `unavailable` (503)
 */
export async function checkedRepository(
  services: ApiServices,
  repository: string,
  ref: string | null,
): Promise<Checked> {
  if (!isAbsolute(repository)) {
    throw new AppError(
      'repository_refused',
      400,
      '`repository` must be the absolute path of a git repository on the server’s machine.',
    );
  }
  const checked = await services.workflows.checkRepository({ host: 'local', repository, ref });
  if (checked.ok) return checked;
  if (checked.code === 'unreachable') {
    throw new AppError('unavailable', 503, checked.message, { retryAfterSeconds: 10 });
  }
  throw new AppError('repository_refused', 400, checked.message);
}
