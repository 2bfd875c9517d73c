import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations, type OperationId } from '../../src/api/contract/operations.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson, SAME_ORIGIN } from '../support/browsers.ts';

/** Who asks, in the order of the columns below. The project is `mine`; `…Elsewhere` have no role in it. */
const CALLERS = [
  'nobody',
  'viewer',
  'editor',
  'admin',
  'adminOfAll',
  'operator',
  'keyRead',
  'keyWrite',
  'keyEvents',
  'keyAnalytics',
  'adminElsewhere',
  'keyElsewhere',
  'shareLink',
] as const;
type Caller = (typeof CALLERS)[number];

/**
 * `+` is allowed (whatever the response for the target), `1` 401, `3` 403, `4` 404 as if the project were
 * none.
 */
const CLASSES = {
  // In the order of CALLERS.
  public: '+++++++++++++',
  readsJobs: '1+++++++33443',
  writesJobs: '13++++3+33443',
  readsAnalytics: '1+++++++3+44+',
  /** The token of a share link reads no project. */
  readsOneProject: '1+++++++3+443',
  sendsEvents: '13++++3++3443',
  changesPull: '13++++3333433',
  readsProject: '1+++++3333433',
  runsProject: '133+++3333433',
  installation: '1333++3333333',
  ownProjects: '1+++++3333+33',
  ownKeys: '133+++3333+33',
  self: '1+++++3333+33',
  caller: '1++++++++++++',
  makesTokens: '133++++++++++',
  /** Authenticated only by its own secret. */
  signed: '1111111111111',
} as const;
type Class = keyof typeof CLASSES;

/** Every operation of the contract. A new one has to be put here: who may use it is decided by a person. */
const TABLE: Record<OperationId, Class> = {
  createJob: 'writesJobs',
  getJob: 'readsJobs',
  updateJob: 'writesJobs',
  sendMessage: 'writesJobs',
  listJobs: 'readsJobs',
  cancelJob: 'writesJobs',
  archiveJob: 'writesJobs',
  unarchiveJob: 'writesJobs',
  listJobEvents: 'readsJobs',
  getJobDiff: 'readsJobs',
  getChangedPage: 'readsJobs',
  publishJob: 'writesJobs',
  retryJob: 'writesJobs',
  discardJobChanges: 'writesJobs',
  listJobChecks: 'readsJobs',
  listJobCitations: 'readsJobs',
  getJobReview: 'readsJobs',
  listJobCalls: 'readsJobs',
  listJobMessages: 'readsJobs',
  getJobMessage: 'readsJobs',
  listAttachments: 'readsJobs',
  uploadAttachment: 'writesJobs',
  getAttachment: 'readsJobs',
  deleteAttachment: 'writesJobs',
  getAttachmentContent: 'readsJobs',
  getJobUsage: 'readsJobs',
  getJobWorkflow: 'runsProject',
  getProjectUsage: 'readsJobs',
  listPullRequests: 'readsJobs',
  getPullRequestEffect: 'readsJobs',
  listSuggestions: 'readsJobs',
  createSession: 'writesJobs',
  getSession: 'readsJobs',
  listSessions: 'readsJobs',
  listProjects: 'ownProjects',
  createProject: 'installation',
  checkRepository: 'installation',
  getProject: 'readsOneProject',
  updateProject: 'runsProject',
  deleteProject: 'runsProject',
  getProjectInstructions: 'readsProject',
  createSource: 'installation',
  listSources: 'readsProject',
  updateSource: 'runsProject',
  deleteSource: 'runsProject',
  getModel: 'installation',
  setModel: 'installation',
  testModel: 'installation',
  listModelKeys: 'installation',
  setModelKey: 'installation',
  deleteModelKey: 'installation',
  listHosts: 'installation',
  createHost: 'installation',
  getHost: 'installation',
  updateHost: 'installation',
  deleteHost: 'installation',
  checkHost: 'installation',
  connectHost: 'installation',
  getMe: 'caller',
  listSignIns: 'self',
  deleteSignIn: 'self',
  createSignInLink: 'installation',
  getSignIn: 'public',
  signIn: 'public',
  signOut: 'self',
  startOpenIdSignIn: 'public',
  finishOpenIdSignIn: 'public',
  listPeople: 'installation',
  getPerson: 'installation',
  updatePerson: 'installation',
  deletePerson: 'installation',
  listAuditLog: 'installation',
  createToken: 'makesTokens',
  listKeys: 'ownKeys',
  createKey: 'ownKeys',
  getKey: 'ownKeys',
  updateKey: 'ownKeys',
  revokeKey: 'ownKeys',
  rotateKey: 'ownKeys',
  getPullRequest: 'readsJobs',
  mergeJobPullRequest: 'changesPull',
  closeJobPullRequest: 'changesPull',
  listAutomations: 'writesJobs',
  planAutomations: 'writesJobs',
  applyAutomations: 'writesJobs',
  createAutomation: 'writesJobs',
  getAutomation: 'writesJobs',
  updateAutomation: 'writesJobs',
  deleteAutomation: 'writesJobs',
  triggerAutomation: 'writesJobs',
  triggerWorkflow: 'writesJobs',
  triggerWorkflowByWebhook: 'writesJobs',
  listAutomationRuns: 'writesJobs',
  getAutomationRun: 'writesJobs',
  createAutomationSecret: 'writesJobs',
  listProjectSecrets: 'writesJobs',
  setProjectSecret: 'writesJobs',
  deleteProjectSecret: 'writesJobs',
  receiveDelivery: 'signed',
  receiveHostDelivery: 'signed',
  listWebhooks: 'writesJobs',
  createWebhook: 'writesJobs',
  getWebhook: 'writesJobs',
  updateWebhook: 'writesJobs',
  deleteWebhook: 'writesJobs',
  rotateWebhookSecret: 'writesJobs',
  testWebhook: 'writesJobs',
  listWebhookDeliveries: 'writesJobs',
  getWebhookDelivery: 'writesJobs',
  redeliverWebhook: 'writesJobs',
  showPullRequest: 'public',
  returnMergeForm: 'public',
  mergePullRequest: 'public',
  returnCloseForm: 'public',
  closePullRequest: 'public',
  getInstallationHealth: 'installation',
  getHealth: 'public',
  getReadiness: 'public',
  getOpenApiJson: 'public',
  getOpenApiYaml: 'public',
  getVisitors: 'readsAnalytics',
  getLiveVisitors: 'readsAnalytics',
  getViews: 'readsAnalytics',
  getTimeseries: 'readsAnalytics',
  getAgents: 'readsAnalytics',
  getReferrers: 'readsAnalytics',
  getNotFound: 'readsAnalytics',
  postEvents: 'sendsEvents',
  getFeedback: 'readsAnalytics',
  getFeedbackByPage: 'readsAnalytics',
  updateFeedback: 'writesJobs',
  listAnnotations: 'readsJobs',
  listShareLinks: 'runsProject',
  createShareLink: 'runsProject',
  deleteShareLink: 'runsProject',
  openShareLink: 'public',
  createAnnotation: 'writesJobs',
  deleteAnnotation: 'writesJobs',
  getSearches: 'readsAnalytics',
  getPageScript: 'public',
  collectView: 'public',
  collectFeedback: 'public',
  collectSearch: 'public',
};

let api: TestApi;
const callers = {} as Record<Caller, TestApi['call']>;

beforeAll(async () => {
  // Allowed requests fail in all ways here, because the world is empty: only access is checked.
  api = await startTestApi({ validateResponses: false });
  await api.addProject('mine');
  await api.addProject('elsewhere');
  // It is not deleted while this is active.
  await createJob(api, 'mine');
  const withToken =
    (token: string | null): TestApi['call'] =>
    (path, call) =>
      api.call(path, { ...call, token });
  const person = async (role: 'viewer' | 'editor' | 'admin', projectIds: string[] | null) =>
    (await addPerson(api, { role, projectIds })).signIn();
  const key = async (scope: 'read' | 'write' | 'events' | 'analytics', project = 'mine') =>
    withToken(await api.addKey({ scopes: [scope], projectIds: [project] }));
  Object.assign(callers, {
    nobody: withToken(null),
    viewer: await person('viewer', ['mine']),
    editor: await person('editor', ['mine']),
    admin: await person('admin', ['mine']),
    adminOfAll: await person('admin', null),
    operator: withToken(api.operatorToken),
    keyRead: await key('read'),
    keyWrite: await key('write'),
    keyEvents: await key('events'),
    keyAnalytics: await key('analytics'),
    adminElsewhere: await person('admin', ['elsewhere']),
    keyElsewhere: await key('write', 'elsewhere'),
    shareLink: withToken(await openedShareLink('mine')),
  });
});
afterAll(() => api?.close());

async function openedShareLink(project: string): Promise<string> {
  const { json } = await api.call(`/v1/projects/${project}/share-links`, { body: { name: 'Team' } });
  const secret = new URL(json.url).hash.slice(1);
  return (await api.call('/v1/share-links/open', { body: { secret }, token: null })).json.token;
}

test('the table has a decision for every operation, and no other', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

const IDS: Record<string, string> = {
  feedbackId: 'fb_abcdefghijklmnopqrst',
  shareLinkId: 'shr_abcdefghijklmnopqrst',
  annotationId: 'ann_abcdefghijklmnopqrst',
  projectId: 'mine',
  signInId: `sin_${'0'.repeat(20)}`,
  no: '7',
  provider: 'openai',
};
/** They end what the others need. */
const LAST = ['deleteProject', 'signOut'];

test('an admin of some projects sees these, and makes, sees and ends keys for these alone', async () => {
  const boss = callers.adminElsewhere;
  const call = (path: string, method: string, body?: unknown) => boss(path, { method, body, headers: SAME_ORIGIN });
  const listed = (await boss('/v1/projects')).json.projects as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual(['elsewhere']);
  const make = (projectIds: string[] | null) => call('/v1/keys', 'POST', { name: 'x', projectIds });
  expect((await make(null)).json.code).toBe('forbidden_scope');
  expect((await make(['elsewhere', 'other'])).json.code).toBe('project_not_found');
  const own = await make(['elsewhere']);
  expect(own.status).toBe(201);

  const keys = (await boss('/v1/keys')).json.keys as { projectIds: string[] }[];
  expect(keys.every(({ projectIds }) => projectIds.join() === 'elsewhere')).toBe(true);
  const both = await api.call('/v1/keys', { body: { name: 'both', projectIds: ['elsewhere', 'mine'] } });
  expect((await boss(`/v1/keys/${both.json.id}`)).json.code).toBe('key_not_found');
  const all = await api.call('/v1/keys', { body: { name: 'all', projectIds: null } });
  const path = `/v1/keys/${all.json.id}`;
  const refused = [
    await boss(path),
    await call(path, 'PATCH', { name: 'mine now' }),
    await call(`${path}/rotate`, 'POST'),
    await call(path, 'DELETE'),
  ];
  expect(refused.map(({ json }) => json.code)).toEqual(Array(4).fill('key_not_found'));
  expect((await api.call(path)).json).toMatchObject({ name: 'all', revokedAt: null });
  expect((await call(`/v1/keys/${own.json.id}`, 'DELETE')).json.revokedAt).not.toBeNull();
  // What Docent can reach is the installation's.
  const moved = await call('/v1/projects/elsewhere', 'PATCH', { repository: '/srv/git/secret' });
  expect(moved.json.code).toBe('forbidden_scope');
});

test.each(
  operations
    .filter(({ id }) => !['mergePullRequest', 'closePullRequest'].includes(id))
    .toSorted((a, b) => LAST.indexOf(a.id) - LAST.indexOf(b.id))
    .map((operation) => [operation.id, operation] as const),
)('%s lets in who may, and nobody else', async (id, { method, path }) => {
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => IDS[name] ?? 'abcdefghijklmnopqrst');
  const found: Record<string, string> = {};
  for (const caller of CALLERS) {
    // No body, where one is needed: nothing is done.
    const { status, json } = await callers[caller](url, { method: method.toUpperCase(), headers: SAME_ORIGIN });
    const isStranger = status === 404 && json?.code === 'project_not_found';
    const isRefused = status === 403 && json?.code === 'forbidden_scope';
    // Many wrong signatures from one address are refused before they are looked at.
    found[caller] = status === 401 || status === 429 ? '1' : isStranger ? '4' : isRefused ? '3' : '+';
  }
  const expected = Object.fromEntries(CALLERS.map((caller, i) => [caller, CLASSES[TABLE[id]][i]]));
  expect(found).toEqual(expected);
});
