import type { CodeHostKind } from '../remote-api.ts';

/** The events of created webhooks: those that Docent reads. */
export const GITHUB_HOOK_EVENTS = [
  'pull_request',
  'issue_comment',
  'issues',
  'pull_request_review',
  'pull_request_review_comment',
  'check_run',
  'status',
  'push',
] as const;

export const GITEA_HOOK_EVENTS = [
  'push',
  'delete',
  'issues',
  'issue_label',
  'issue_comment',
  'pull_request',
  'pull_request_label',
  'pull_request_comment',
  'pull_request_review',
  'pull_request_sync',
  'status',
] as const;

export const GITLAB_HOOK_EVENTS = {
  pushEvents: true,
  mergeRequestsEvents: true,
  noteEvents: true,
  issuesEvents: true,
  pipelineEvents: true,
} as const;

/** As the host's own pages and API name them. */
export function hookEventsOf(kind: CodeHostKind): string[] {
  if (kind === 'github') return [...GITHUB_HOOK_EVENTS];
  if (kind === 'gitea') return [...GITEA_HOOK_EVENTS];
  return ['push_events', 'merge_requests_events', 'note_events', 'issues_events', 'pipeline_events'];
}
