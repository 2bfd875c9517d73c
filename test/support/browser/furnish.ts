import type { Installation } from '../installation.ts';
import { furnishJobs } from './furnish-jobs.ts';
import { furnishAnalytics } from './furnish-analytics.ts';

/** What the pages of a test have to show. */
export interface Furnished {
  projectId: string;
  /** A job with a pull request. */
  jobId: string;
  webhookId: string;
  jobs: Awaited<ReturnType<typeof furnishJobs>>;
}

/** Keys, jobs and readers in an installation, as after some weeks of use. It keeps a secret: the installation has a DOCENT_SECRET_KEY. */
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
  const webhook = await client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId } },
    body: {
      url: 'https://hooks.example.com/docent',
      description: 'Tells the chat',
      events: ['job.completed', 'job.failed'],
    },
  });
  if (webhook.error) throw new Error(webhook.error.error);
  await client.POST('/v1/projects/{projectId}/automations', {
    params: { path: { projectId } },
    body: { name: 'After a release', prompt: 'Fix broken links' },
  });
  await furnishAnalytics(docent);
  return { projectId, jobId, webhookId: webhook.data.id, jobs: await furnishJobs(docent) };
}
