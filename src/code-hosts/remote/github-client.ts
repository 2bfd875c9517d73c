import { Octokit as Core } from '@octokit/core';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';
import { RequestError } from '@octokit/request-error';

export const Octokit = Core.plugin(restEndpointMethods);
export type GitHubClient = InstanceType<typeof Octokit>;

/**
 * Null where the thing or person is not there (any more).
 * @param statuses those that say so; 422 also for what cannot be asked
 */
export async function orMissing<T>(asked: Promise<T>, statuses: readonly number[] = [404]): Promise<T | null> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof RequestError && statuses.includes(err.status)) return null;
    throw err;
  }
}
