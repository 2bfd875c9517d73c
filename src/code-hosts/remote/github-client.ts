import { Octokit as Core } from '@octokit/core';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';

export const Octokit = Core.plugin(restEndpointMethods);
export type GitHubClient = InstanceType<typeof Octokit>;
