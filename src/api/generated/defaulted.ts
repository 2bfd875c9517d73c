// Generated from openapi.yaml by `npm run generate`. Do not edit.

/** By operation: the query parameters that have a default. */
export interface DefaultedQuery {
  listJobs: 'limit';
  listJobEvents: 'after' | 'limit' | 'waitSeconds' | 'follow';
  getChangedPage: 'of';
  listJobChecks: 'limit';
  listJobMessages: 'limit' | 'order';
  listAttachments: 'limit';
  listSessions: 'skip' | 'take';
  listProjects: 'limit';
  listHosts: 'limit';
  listPeople: 'limit';
  listKeys: 'limit';
  listAuditLog: 'limit';
  getPullRequest: 'refresh';
  listPullRequests: 'limit';
  listAutomations: 'limit';
  listAutomationRuns: 'limit';
  listWebhookDeliveries: 'limit';
  getVisitors: 'limit' | 'offset' | 'all';
  getViews: 'limit' | 'offset' | 'all';
  getReferrers: 'limit' | 'offset' | 'all';
  getNotFound: 'limit' | 'offset' | 'all';
  getFeedback: 'limit';
  listAnnotations: 'limit';
  getFeedbackByPage: 'limit';
  getSearches: 'limit';
}

/** By operation: the fields of its body that have a default. */
export interface DefaultedBody {
  createSession: 'asDraft' | 'model';
  signOut: 'everywhere';
  createToken: 'scopes' | 'jobId' | 'origin' | 'expiresInSeconds';
  createKey: 'scopes' | 'expiresInDays' | 'allowedAddresses';
  rotateKey: 'overlapSeconds';
  createAutomation: 'enabled';
  createWebhook: 'description' | 'enabled';
  createShareLink: 'expiresInDays' | 'password';
}
