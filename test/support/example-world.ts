import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { objectId } from '@docent/base/files/object-id';
import { attachments } from '../../src/store/jobs/attachments-schema.ts';
import { auditLog } from '../../src/store/access/audit-schema.ts';
import { automationRuns, automations } from '../../src/store/automations/automation-schema.ts';
import { changedPages } from '../../src/store/jobs/changes-schema.ts';
import { encryptCredential } from '../../src/store/hosts/code-hosts.ts';
import { addControlRequest, recordControlResult } from '../../src/store/installation/control-requests.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { Secret } from '../../src/platform/secret.ts';
import { people, signInLinks } from '../../src/store/access/people-schema.ts';
import {
  apiKeys,
  codeHosts,
  jobEvents,
  jobs,
  messages,
  modelCalls,
  projects,
  pullRequests,
  transcript,
  turns,
} from '../../src/store/schema.ts';
import type { CheckRepositoryResult } from '../../src/workflows/contract.ts';
import { rotateHostSecret } from '../../src/store/hosts/host-hooks.ts';
import { citations } from '../../src/store/jobs/citation-schema.ts';
import { annotations } from '../../src/store/analytics/annotation-schema.ts';
import { readerFeedback } from '../../src/store/analytics/reader-reports-schema.ts';
import { setProjectSecret } from '../../src/store/projects/project-secrets.ts';
import { projectSecrets } from '../../src/store/projects/secret-schema.ts';
import { sources } from '../../src/store/projects/source-schema.ts';
import { webhookAttempts, webhookDeliveries, webhooks } from '../../src/store/webhooks/webhook-schema.ts';
import type { TestApi } from './api-server.ts';
import { startAnalyticsApi } from './analytics-api.ts';

/** The values in the paths of the examples. An operation with another name in its path adds it here. */
export const EXAMPLE_IDS: Readonly<Record<string, string>> = {
  projectId: 'acme-docs',
  id: '7m2kq0x4z9c1v8b5n3dw',
  keyId: 'key_4t8w2n6q9r1m5x7c3v0b',
  hostId: 'github',
  provider: 'anthropic',
  signInId: 'sin_5n3dw7m2kq0x4z9c1v8b',
  prId: 'h3Jk8LmN2pQrS5tUvW9xYz',
  attachmentId: 'q9r1m5x7c3v0b4t8w2n6',
  no: '1',
  personId: 'per_4t8w2n6q9r1m5x7c3v0b',
  sourceName: 'engine',
  secretName: 'chat',
  webhookId: 'n6q9r1m5x7c3v0b4t8w2',
  deliveryId: 'msg_x7c3v0b4t8w2n6q9r1m5',
  automationId: 'c3v0b4t8w2n6q9r1m5x7',
  workflowSchemaId: 'c3v0b4t8w2n6q9r1m5x7',
  runId: 'w8b5n3dw7m2kq0x4z9c1',
  feedbackId: 'fb_2n6q9r1m5x7c3v0b4t8w',
  annotationId: 'ann_9r1m5x7c3v0b4t8w2n6q',
  shareLinkId: 'shr_1m5x7c3v0b4t8w2n6q9r',
};

/**
 * What has to be so before an operation's example is sent, if that is not what the world is like anyway.
 */
const SCENES: Readonly<Record<string, (api: TestApi) => Promise<unknown>>> = {
  signIn: addSignInLink,
  cancelJob: (api) => setStatus(api, 'active'),
  unarchiveJob: (api) => setStatus(api, 'archived'),
  publishJob: setReady,
  deleteHost: ({ database }) => database.db.delete(sources),
  getPullRequestEffect: ({ database }) => database.db.update(pullRequests).set({ state: 'merged', settledAt: AT }),
  listSuggestions: addSurvey,
  updateFeedback: addAgentFeedback,
  listAnnotations: addMark,
  deleteAnnotation: addMark,
  listShareLinks: addShareLink,
  deleteShareLink: addShareLink,
  openShareLink: addShareLink,
  retryJob: ({ database }) => database.db.update(jobs).set({ outcome: 'refused' }).where(eq(jobs.id, EXAMPLE_IDS.id!)),
  discardJobChanges: setReady,
  deleteProject: ({ database }) => database.db.update(jobs).set({ status: 'archived', archivedAt: AT }),
};

async function addMark({ database: { db } }: TestApi): Promise<void> {
  const { annotationId: id = '', projectId = '' } = EXAMPLE_IDS;
  await db.insert(annotations).values({ id, projectId, at: AT, text: 'Version 2.0' }).onConflictDoNothing();
}

async function addShareLink({ database: { db } }: TestApi): Promise<void> {
  const { shareLinkId: id = '', projectId = '' } = EXAMPLE_IDS;
  const linkHash = createHash('sha256').update('ExampleOfASecretThatOpensNothing0000000000A').digest();
  const of = { name: 'Team', hash: linkHash, hint: '', scopes: ['analytics' as const], projectIds: [projectId] };
  await db
    .insert(apiKeys)
    .values({ id, ...of, createdAt: AT, linkHash })
    .onConflictDoNothing();
}

async function addAgentFeedback({ database: { db } }: TestApi): Promise<void> {
  const { feedbackId: id = '', projectId = '' } = EXAMPLE_IDS;
  const comment = 'The page names two different limits.';
  await db
    .insert(readerFeedback)
    .values({ id, projectId, path: '/guides/limits', source: 'agent', comment, createdAt: AT });
}

/** Of a person, so that the answer shows one. */
async function addSignInLink({ database: { db } }: TestApi): Promise<void> {
  const id = 'per_2kq0x4z9c1v8b5n3dw7m';
  await db
    .insert(people)
    .values({
      id,
      issuer: 'https://id.example.com',
      subject: 'ann',
      name: 'Ann Lee',
      email: 'ann@example.com',
      role: 'editor',
      projectIds: ['acme-docs'],
      roleSetBy: 'person',
    })
    .onConflictDoNothing();
  const hash = createHash('sha256').update('ExampleOfASecretThatOpensNothing0000000000A').digest();
  const expiresAt = new Date(Date.now() + 60_000);
  const link = { hash, personId: id, expiresAt, usedAt: null };
  await db.insert(signInLinks).values(link).onConflictDoUpdate({ target: signInLinks.hash, set: link });
}

const AT = new Date('2026-11-20T09:12:30.000Z');
const COMMIT = '3f1c0d9be5a7428166d0c2a94be17f53c80a6d24';
const DIFF = `diff --git a/docs/start.md b/docs/start.md
--- a/docs/start.md
+++ b/docs/start.md
@@ -1 +1 @@
-See the [guide](/gide).
+See the [guide](/guide).
`;

/** What a worker finds in the project's repository. */
const FOUND: Pick<Extract<CheckRepositoryResult, { ok: true }>, 'site' | 'instructions' | 'survey'> = {
  survey: {
    pages: 12,
    pagesWithoutDescription: 3,
    problems: [
      {
        code: 'missing-page',
        severity: 'error',
        count: 2,
        example: { path: 'docs/start.md', line: 1, message: 'The link "/gide" is broken: its target does not exist.' },
      },
    ],
    fixable: { count: 2, path: 'docs/start.md', target: '/gide' },
    redirectTargets: ['/guides/start'],
  },
  site: { kind: 'docs.json', config: 'docs/docs.json', folder: 'docs', pages: 12, unsure: null, candidates: [] },
  instructions: [
    {
      path: 'AGENTS.md',
      role: 'instructions',
      characters: 840,
      includedCharacters: 840,
      why: 'It is told whole.',
      missing: false,
    },
  ],
};

export interface ExampleWorld {
  api: TestApi;
  /** Of its page views. */
  folder: string;
  /** Makes everything as it should be before the example of an operation is sent. */
  prepare(operationId: string): Promise<void>;
  close(): Promise<void>;
}

/** The real API, with one of everything that the examples speak of. */
export async function startExampleWorld(): Promise<ExampleWorld> {
  const { api, analytics, folder, close } = await startAnalyticsApi();
  const { checkAnswer } = api.workflows;
  api.workflows.checkAnswer = async (input) => ({ ...(await checkAnswer(input)), ...FOUND });
  return {
    api,
    folder,
    close,
    async prepare(operationId) {
      if (!(await hasProject(api))) {
        await addProject(api);
        await addEvents(api);
        await analytics.ingestor.flush();
      }
      await setStatus(api, 'completed');
      await addKeyAndHost(api);
      await addSource(api);
      await addSecret(api);
      await addWebhook(api);
      await addAutomation(api);
      await addPerson(api);
      await addAudit(api);
      await SCENES[operationId]?.(api);
    },
  };
}

async function hasProject({ database }: TestApi): Promise<boolean> {
  return (await database.db.select().from(projects).where(eq(projects.id, EXAMPLE_IDS.projectId!))).length > 0;
}

async function setStatus({ database }: TestApi, status: 'active' | 'completed' | 'archived'): Promise<void> {
  await database.db
    .update(jobs)
    .set({
      status,
      archivedAt: status === 'archived' ? AT : null,
      statusBeforeArchive: status === 'archived' ? 'completed' : null,
      options: {},
      pendingChanges: null,
      publishOrder: null,
    })
    .where(eq(jobs.id, EXAMPLE_IDS.id!));
}

/** What the docs checks saw when the repository was looked at. */
async function addSurvey({ database: { db } }: TestApi): Promise<void> {
  const input = { host: 'local', repository: '/srv/git/acme-docs.git', docsDir: 'docs' };
  const request = await addControlRequest(db, { kind: 'checkRepository', input, requestedBy: 'operator', lifeMs: 1 });
  await recordControlResult(db, request, { ok: true, repository: input.repository, survey: FOUND.survey });
}

async function setReady({ database }: TestApi): Promise<void> {
  await database.db
    .update(jobs)
    .set({ options: { mode: 'preview' }, pendingChanges: { files: 1, additions: 1, deletions: 1 } })
    .where(eq(jobs.id, EXAMPLE_IDS.id!));
}

async function addProject({ database: { db } }: TestApi): Promise<void> {
  const { projectId = '', id: jobId = '', prId = '' } = EXAMPLE_IDS;
  const times = { createdAt: AT, updatedAt: AT };
  const repository = '/srv/git/acme-docs.git';
  const headBranch = `docent/${jobId}`;
  const usage = { inputTokens: 5_120, cachedInputTokens: 4_096, outputTokens: 640, costNanoUsd: 13_210_000 };
  await db.insert(projects).values({ id: projectId, repository, ref: 'main', docsDir: 'docs', ...times });
  await db.insert(jobs).values({
    id: jobId,
    projectId,
    status: 'completed',
    model: 'builtin',
    repositoryUrl: `file://${repository}`,
    baseRef: 'main',
    branch: headBranch,
    prLink: `http://127.0.0.1:4000/pull-requests/${prId}`,
    title: 'Fix the broken links in the guides',
    summary: 'Fixed 1 broken link in docs/start.md.',
    outcome: 'changed',
    createdBy: 'operator',
    createdByName: 'Operator',
    lastMessageNo: 1,
    lastTurnNo: 1,
    lastEventNo: 2,
    modelCalls: 1,
    ...usage,
    ...times,
  });
  await db.insert(messages).values({
    jobId,
    no: 1,
    id: 'm5x7c3v0b4t8w2n6q9r1',
    prompt: 'Fix the broken links in the guides',
    state: 'done',
    turnNo: 1,
    createdAt: AT,
  });
  const content = Buffer.from('# Release notes\n\nThe limit is now 250 rows.\n');
  await db.insert(attachments).values({
    id: EXAMPLE_IDS.attachmentId!,
    projectId,
    name: 'release-notes.md',
    mediaType: 'text/markdown',
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    blobId: objectId('blob', content),
    content,
    // One that no one uses is removed a day later.
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  await db.insert(jobEvents).values([
    { jobId, no: 1, type: 'created', text: 'Fix the broken links in the guides', createdAt: AT },
    { jobId, no: 2, type: 'turn_started', turnNo: 1, text: 'The agent starts to work.', createdAt: AT },
  ]);
  await db.insert(turns).values({
    jobId,
    no: 1,
    state: 'published',
    branch: headBranch,
    commit: COMMIT,
    commitMessage: 'Fix a broken link',
    commitTime: AT,
    diff: DIFF,
    summary: 'Fixed 1 broken link in docs/start.md.',
    outcome: 'changed',
    steps: 1,
    startedAt: AT,
    endedAt: AT,
  });
  await db.insert(citations).values({
    jobId,
    turnNo: 1,
    no: 1,
    page: 'docs/start.md',
    line: 1,
    claim: 'See the guide.',
    source: 'engine',
    repository: 'https://github.com/acme/engine',
    path: 'src/guide.ts',
    commit: COMMIT,
    fromLine: 10,
    toLine: 12,
    sha256: createHash('sha256').update('export const guide = true;').digest('hex'),
    createdAt: AT,
  });
  const call = { id: 'call_1', name: 'edit' };
  const input = { path: 'docs/start.md', oldText: '(/gide)', newText: '(/guide)' };
  const result = {
    callId: call.id,
    name: call.name,
    ok: true,
    text: 'Changed docs/start.md.',
    changed: ['docs/start.md'],
  };
  const ofStep = { jobId, turnNo: 1, stepNo: 1, createdAt: AT };
  await db.insert(transcript).values([
    { ...ofStep, part: 'model', entries: [{ role: 'assistant', text: '', toolCalls: [{ ...call, input }] }] },
    { ...ofStep, part: 'tools', entries: [{ role: 'tool', results: [result] }] },
  ]);
  await db
    .insert(modelCalls)
    .values({ jobId, turnNo: 1, stepNo: 1, projectId, model: 'builtin', state: 'done', ...usage, createdAt: AT });
  await db.insert(pullRequests).values({
    id: prId,
    projectId,
    jobId,
    chainNo: 1,
    repository,
    headBranch,
    baseBranch: 'main',
    title: 'Fix the broken links in the guides',
    body: '',
    diff: DIFF,
    headCommit: COMMIT,
    ...times,
  });
  const page = { before: 'See the [guide](/gide).\n', after: 'See the [guide](/guide).\n' };
  await db.insert(changedPages).values({ jobId, of: 'pull_request', path: 'docs/start.md', ...page });
}

async function addKeyAndHost({ database: { db } }: TestApi): Promise<void> {
  const { keyId = '', hostId = '' } = EXAMPLE_IDS;
  await db
    .insert(apiKeys)
    .values({
      id: keyId,
      name: 'CI of the website',
      hash: Buffer.alloc(32, 7),
      hint: 'docent_V7dk',
      scopes: ['write'],
      projectIds: ['acme-docs'],
      createdAt: AT,
    })
    .onConflictDoNothing();
  const host = { kind: 'github' as const, webUrl: 'https://github.com', apiUrl: 'https://api.github.com', appId: null };
  // The API that is asked has another key: what is kept here is only shown and replaced.
  const box = new SecretBox([new Secret(Buffer.alloc(32, 1).toString('base64'))]);
  const { box: credential, keyId: secretKeyId } = encryptCredential(box, { id: hostId, ...host }, 'a-token-of-github');
  await db
    .insert(codeHosts)
    .values({ id: hostId, ...host, credential, keyId: secretKeyId, createdAt: AT, updatedAt: AT })
    .onConflictDoNothing();
}

async function addSource({ database: { db } }: TestApi): Promise<void> {
  const { projectId = '', sourceName: name = '', hostId: host = '' } = EXAMPLE_IDS;
  const repository = 'https://github.com/acme/engine';
  await db
    .insert(sources)
    .values({ projectId, name, host, repository, ref: 'main', paths: ['src'], createdAt: AT })
    .onConflictDoNothing();
}

async function addSecret({ database: { db }, secrets }: TestApi): Promise<void> {
  const { projectId = '', secretName: name = '' } = EXAMPLE_IDS;
  await setProjectSecret(db, secrets, { projectId, name, value: `whsec_${'a'.repeat(32)}` });
  await db.update(projectSecrets).set({ updatedAt: AT });
}

async function addWebhook({ database: { db } }: TestApi): Promise<void> {
  const { webhookId = '', deliveryId = '', projectId = '' } = EXAMPLE_IDS;
  const url = 'https://hooks.example.com/docent';
  await db
    .insert(webhooks)
    .values({ id: webhookId, projectId, url, events: ['job.completed', 'job.failed'], createdAt: AT, updatedAt: AT })
    .onConflictDoNothing();
  await db
    .insert(webhookDeliveries)
    .values({
      id: deliveryId,
      webhookId,
      type: 'job.completed',
      data: {},
      target: 'hooks.example.com',
      state: 'delivered',
      attempts: 1,
      lastStatus: 204,
      createdAt: AT,
      startAt: AT,
      finishedAt: AT,
    })
    .onConflictDoNothing();
  await db
    .insert(webhookAttempts)
    .values({ deliveryId, no: 1, startedAt: AT, ms: 84, status: 204, response: '' })
    .onConflictDoNothing();
}

/** The example's automation takes deliveries from now on. */
export async function createHookSecret({ call, database }: TestApi): Promise<string> {
  const { automationId = '', projectId = '' } = EXAMPLE_IDS;
  await database.db
    .update(automations)
    .set({ trigger: { type: 'webhook' } })
    .where(eq(automations.id, automationId));
  const answer = await call(`/v1/projects/${projectId}/automations/${automationId}/secret`, { method: 'POST' });
  return answer.json.secret;
}

/** The example's code host signs deliveries from now on. */
export function createHostSecret({ database, secrets }: TestApi): Promise<string> {
  return rotateHostSecret(database.db, secrets, EXAMPLE_IDS.hostId ?? '');
}

async function addAutomation({ database: { db } }: TestApi): Promise<void> {
  const { automationId = '', projectId = '', id } = EXAMPLE_IDS;
  await db
    .insert(automations)
    .values({
      id: automationId,
      projectId,
      name: 'Changelog',
      prompt: 'Add what is new in this release to the changelog.',
      options: { branch: 'docs/changelog-{run}', draft: true },
      metadata: { team: 'docs' },
      webhook: { url: 'https://hooks.example.com/docent', events: ['job.completed', 'job.failed'] },
      runs: 1,
      lastJobId: id,
      lastTriggeredAt: AT,
      createdAt: AT,
      updatedAt: AT,
    })
    .onConflictDoNothing();
  await db
    .insert(automationRuns)
    .values({
      id: EXAMPLE_IDS.runId!,
      projectId,
      automationId,
      no: 1,
      status: 'review_needed',
      cause: { type: 'api', source: 'api', deliveryId: 'v2.4.0', actor: 'CI', url: null },
      source: 'api',
      deliveryId: 'v2.4.0',
      material: { commits: 0, files: 0, characters: 214, cut: false },
      jobId: id,
      pullRequestId: EXAMPLE_IDS.prId,
      usage: { modelCalls: 6, inputTokens: 41_200, cachedInputTokens: 30_100, outputTokens: 2_100, costUsd: 0.11 },
      summary: 'Added the changes of 2.4.0 to the changelog.',
      createdAt: AT,
      startedAt: AT,
      endedAt: AT,
    })
    .onConflictDoNothing();
}

async function addPerson({ database: { db } }: TestApi): Promise<void> {
  await db
    .insert(people)
    .values({
      id: EXAMPLE_IDS.personId!,
      issuer: 'https://login.example.com',
      subject: '8f2c1b6e',
      name: 'Jane Doe',
      email: 'jane@example.com',
      role: 'editor',
      projectIds: ['acme-docs'],
      roleSetBy: 'claim',
      createdAt: AT,
      lastSeenAt: AT,
    })
    .onConflictDoNothing();
}

async function addAudit({ database: { db } }: TestApi): Promise<void> {
  if ((await db.select().from(auditLog).limit(1)).length > 0) return;
  const { projectId = '', keyId = '', id } = EXAMPLE_IDS;
  await db.insert(auditLog).values({
    at: AT,
    actorKind: 'key',
    actorId: keyId,
    actorName: 'CI of the website',
    operation: 'createJob',
    projectId,
    changed: ['prompt', 'mode'],
    createdId: id,
    address: '203.0.113.7',
    userAgent: 'docent-client/0.1.0',
    requestId: '5f0c2e0e-6f0e-4c8e-9d55-8f1d1b9f7a11',
    status: 201,
  });
}

/** Something for each of the questions that analytics answers. */
async function addEvents(api: TestApi): Promise<void> {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
  const chatGpt =
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot';
  const at = '2026-11-20T10:00:00Z';
  const events = [
    {
      timestamp: at,
      path: '/guides/start',
      visitorId: 'a',
      userAgent: firefox,
      referrer: 'https://news.example.com/1',
    },
    { timestamp: at, path: '/guides/start', visitorId: 'b', userAgent: chatGpt },
    {
      timestamp: at,
      path: '/gone',
      visitorId: 'a',
      userAgent: firefox,
      notFound: true,
      referrer: 'https://news.example.com/1',
    },
  ];
  const answer = await api.call(`/v1/analytics/${EXAMPLE_IDS.projectId}/events`, { body: { events } });
  if (answer.status !== 202) throw new Error(answer.text);
}
