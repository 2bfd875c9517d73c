import { Octokit as Core } from '@octokit/core';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';
import { RequestError } from '@octokit/request-error';

export const Octokit = Core.plugin(restEndpointMethods);
export type GitHubClient = InstanceType<typeof Octokit>;

/** Null if the resource is missing. @param statuses for that; 422 also for impossible questions */
export async function orMissing<T>(asked: Promise<T>, statuses: readonly number[] = [404]): Promise<T | null> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof RequestError && statuses.includes(err.status)) return null;
    throw err;
  }
}
