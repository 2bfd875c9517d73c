import { readFileSync } from 'node:fs';
import { GITHUB_DESCRIPTION } from './fake-host/api-description.ts';

/**
 * Answers as the hosts document or give them, by request: `GET /repos/acme/docs`, below the API's base,
 * without the query.
 */
export type Answers = Record<string, unknown>;

const SHA = '8888888888888888888888888888888888888888';

interface Description {
  components: { examples: Record<string, { value: unknown }> };
}

/** The names of GitHub's own examples, as the part of its description has them that is kept for the tests. */
const GITHUB_EXAMPLES = {
  'GET /user': 'private-user-response-with-public-profile-information',
  'GET /app': 'integration',
  'GET /repos/octocat/Hello-World/installation': 'installation',
  'POST /app/installations/1/access_tokens': 'installation-token',
  'GET /repos/octocat/Hello-World': 'full-repository-default-response',
  'GET /repos/octocat/Hello-World/pulls': 'pull-request-simple-items',
  'POST /repos/octocat/Hello-World/pulls': 'pull-request',
  'PATCH /repos/octocat/Hello-World/pulls/1347': 'pull-request',
  'GET /repos/octocat/Hello-World/labels/bug': 'label',
  'POST /repos/octocat/Hello-World/issues/1347/labels': 'label-items',
  'PUT /repos/octocat/Hello-World/pulls/1347/merge': 'pull-request-merge-result-response-if-merge-was-successful',
};
export const gitHubExamples: readonly string[] = [...new Set(Object.values(GITHUB_EXAMPLES))];

/** The examples of GitHub's own description of its API: see test/fixtures/openapi. */
export function gitHubAnswers(): Answers {
  const described = JSON.parse(readFileSync(GITHUB_DESCRIPTION, 'utf8')) as Description;
  const { examples } = described.components;
  return Object.fromEntries(Object.entries(GITHUB_EXAMPLES).map(([request, name]) => [request, examples[name]?.value]));
}

/**
 * From the examples of GitLab's documentation (https://docs.gitlab.com/api/merge_requests/, /api/projects/,
 * /api/users/, /api/personal_access_tokens/, /api/labels/), each cut down to some fields that Docent uses and
 * some that it does not.
 */
export function gitLabAnswers(): Answers {
  const mergeRequest = {
    id: 1,
    iid: 1,
    project_id: 3,
    title: 'test1',
    description: 'fixed login page css paddings',
    state: 'opened',
    merged_by: null,
    merge_user: null,
    merged_at: null,
    target_branch: 'main',
    source_branch: 'test1',
    source_project_id: 3,
    target_project_id: 3,
    labels: ['Community contribution', 'Manage'],
    draft: false,
    work_in_progress: false,
    reviewers: [{ id: 2, name: 'Kenyatta Hill', username: 'kenyatta', state: 'active' }],
    sha: SHA,
    merge_commit_sha: null,
    squash_commit_sha: null,
    web_url: 'http://gitlab.example.com/my-group/my-project/merge_requests/1',
  };
  return {
    'GET /user': { id: 1, username: 'john_smith', name: 'John Smith', state: 'active', bio: null },
    'GET /personal_access_tokens/self': { id: 4, name: 'Test Token', revoked: false, scopes: ['api'], user_id: 3 },
    'GET /projects/my-group%2Fmy-project': {
      id: 3,
      description: null,
      default_branch: 'main',
      web_url: 'http://gitlab.example.com/my-group/my-project',
      path_with_namespace: 'my-group/my-project',
      archived: false,
      merge_requests_access_level: 'enabled',
      permissions: { project_access: { access_level: 40, notification_level: 3 }, group_access: null },
    },
    'GET /projects/3/merge_requests': [mergeRequest],
    'POST /projects/3/merge_requests': mergeRequest,
    'PUT /projects/3/merge_requests/1': mergeRequest,
    'PUT /projects/3/merge_requests/1/merge': { ...mergeRequest, state: 'merged', merge_commit_sha: SHA },
    'GET /projects/3/labels/bug': { id: 1, name: 'bug', color: '#d9534f', priority: 10 },
    'GET /users': [{ id: 2, username: 'kenyatta', name: 'Kenyatta Hill', state: 'active' }],
  };
}

/**
 * Gitea documents no examples: all fields of `PullRequest`, `PRBranchInfo` and `Repository` that Docent uses,
 * and some that it does not, with the values that its conversion gives them (services/convert/pull.go).
 */
export function giteaAnswers(): Answers {
  const branch = (label: string) => ({ label, ref: label, sha: SHA, repo_id: 7, repo: null });
  const pull = {
    id: 101,
    number: 12,
    user: null,
    title: 'Say how to install it',
    body: '',
    state: 'open',
    html_url: 'https://gitea.example.com/acme/docs/pulls/12',
    draft: false,
    merged: false,
    merged_at: null,
    merge_commit_sha: null,
    merged_by: null,
    head: branch('docent/a'),
    base: branch('main'),
  };
  return {
    'GET /user': { id: 1, login: 'bot', login_name: '', full_name: '' },
    'GET /repos/acme/docs': {
      id: 7,
      owner: { id: 2, login: 'acme' },
      full_name: 'acme/docs',
      html_url: 'https://gitea.example.com/acme/docs',
      default_branch: 'main',
      archived: false,
      has_pull_requests: true,
      permissions: { admin: false, push: true, pull: true },
    },
    'GET /repos/acme/docs/pulls/main/docent/a': pull,
    'GET /repos/acme/docs/pulls': [pull],
    'POST /repos/acme/docs/pulls': pull,
    'PATCH /repos/acme/docs/pulls/12': pull,
    'GET /repos/acme/docs/pulls/12': { ...pull, state: 'closed', merged: true, merge_commit_sha: SHA },
    'POST /repos/acme/docs/pulls/12/merge': '',
    'GET /repos/acme/docs/labels': [{ id: 1, name: 'bug', color: 'd9534f' }],
    'POST /repos/acme/docs/issues/12/labels': [{ id: 1, name: 'bug' }],
    'POST /repos/acme/docs/pulls/12/requested_reviewers': [],
  };
}
