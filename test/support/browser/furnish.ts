import { automationRuns } from '../../../src/store/automations/automation-schema.ts';
import { citations } from '../../../src/store/jobs/citation-schema.ts';
import type { Installation } from '../installation.ts';
import { furnishJobs } from './furnish-jobs.ts';
import { furnishAnalytics } from './furnish-analytics.ts';

/** The data that the pages of a test show. */
export interface Furnished {
  projectId: string;
  /** A job with a pull request. */
  jobId: string;
  automationId: string;
  webhookId: string;
  /** The path of a share link, with its secret. */
  sharedPath: string;
  jobs: Awaited<ReturnType<typeof furnishJobs>>;
}

/**
 * Keys, jobs and readers in an installation, as after some weeks of use. It keeps a secret: the installation
 * has a DOCENT_SECRET_KEY.
 */
export async function furnish(docent: Installation): Promise<Furnished> {
  const { client, projectId } = docent;
  const keys = [
    { name: 'Website', scopes: ['read', 'write'], expiresInDays: 90 },
    { name: 'Edge worker that sends page views', scopes: ['events'], expiresInDays: null },
    { name: 'Weekly report', scopes: ['analytics'], expiresInDays: 3 },
  ] as const;
  for (const key of keys) {
    const { error } = await client.POST('/v1/keys', {
      body: { ...key, scopes: [...key.scopes], projectIds: [projectId] },
    });
    if (error) throw new Error(error.error);
  }
  const jobId = await docent.post('Append a section "Help" with the text "Ask us." to the page index.mdx');
  await docent.settled(jobId);
  const source = { name: 'server', repository: docent.repository, paths: ['guides'] };
  const params = { path: { projectId } };
  const added = await client.POST('/v1/projects/{projectId}/sources', { params, body: source });
  if (added.error) throw new Error(added.error.error);
  const cited = { jobId, turnNo: 1, page: 'index.mdx', line: 5, source: 'server', repository: docent.repository };
  const at = { path: 'guides/start.mdx', commit: 'c'.repeat(40), fromLine: 5, toLine: 7, sha256: 'a'.repeat(64) };
  await docent.database.db.insert(citations).values([
    { ...cited, ...at, no: 1, claim: 'Ask us.' },
    { ...cited, ...at, no: 2, claim: 'Ask us, or <b>read</b> on.', state: 'stale' },
  ]);
  const webhook = await client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId } },
    body: {
      url: 'https://hooks.example.com/docent',
      description: 'Tells the chat',
      events: ['job.completed', 'job.failed'],
    },
  });
  if (webhook.error) throw new Error(webhook.error.error);
  const automation = await client.POST('/v1/projects/{projectId}/automations', {
    params: { path: { projectId } },
    body: {
      name: 'After a release',
      prompt: 'Fix broken links',
      trigger: { type: 'schedule', cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    },
  });
  if (automation.error) throw new Error(automation.error.error);
  const automationId = automation.data.id;
  const run = {
    projectId,
    automationId,
    source: 'schedule:x',
    cause: { type: 'schedule' as const, source: 'schedule:x', deliveryId: null, actor: null, url: null },
  };
  const ended = { startedAt: new Date(), endedAt: new Date() };
  await docent.database.db.insert(automationRuns).values([
    { ...run, id: 'r1', no: 1, status: 'no_action', summary: 'All links work.', jobId, ...ended },
    { ...run, id: 'r2', no: null, status: 'skipped', skippedBecause: 'cooldown', events: 12 },
    { ...run, id: 'r3', no: 2, status: 'review_needed', summary: 'Fixed three links.', jobId, ...ended },
  ]);
  await furnishAnalytics(docent);
  const link = await client.POST('/v1/projects/{projectId}/share-links', {
    params: { path: { projectId } },
    body: { name: 'Documentation team' },
  });
  if (!link.data?.url) throw new Error(link.error?.error);
  const sharedPath = `/shared${new URL(link.data.url).hash}`;
  return { projectId, jobId, automationId, webhookId: webhook.data.id, sharedPath, jobs: await furnishJobs(docent) };
}
