import { Octokit as Core } from '@octokit/core';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';
import { RequestError } from '@octokit/request-error';

export const Octokit = Core.plugin(restEndpointMethods);
export type GitHubClient = InstanceType<typeof Octokit>;

/**
 * Null if the resource or person does not exist.
 * @param statuses those that mean this; 422 also for what cannot be requested
 */
export async function orMissing<T>(asked: Promise<T>, statuses: readonly number[] = [404]): Promise<T | null> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof RequestError && statuses.includes(err.status)) return null;
    throw err;
  }
}
