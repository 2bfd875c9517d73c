import { count, PAGES, type Soak } from './soak.ts';
import type { JobAnswer } from './jobs.ts';

interface Ready extends JobAnswer {
  pendingChanges: { files: number } | null;
}

/** A preview, looked at and then published or discarded; both twice, as from two windows. */
export async function preview(soak: Soak): Promise<void> {
  const { jobs, ledger } = soak;
  const isPublished = Math.random() < 0.6;
  const made = await jobs.create(isPublished ? 'preview' : 'discarded', PAGES[1], { mode: 'preview' });
  if (!made) return;
  count(soak, isPublished ? 'previews published' : 'previews discarded');
  const ready = (await jobs.settled(made)) as Ready | null;
  if (ready?.pendingChanges?.files !== 1)
    ledger.wrong(`Preview ${made.id} has nothing ready: ${JSON.stringify(ready)}`);
  const diff = await jobs.get<{ pending: { diff: string } | null }>(made, 'diff');
  if (!diff?.pending?.diff.includes(made.sections[0]!.title)) ledger.wrong(`Preview ${made.id} shows no diff.`);
  await jobs.get(made, 'checks');
  const action = isPublished ? 'publish' : 'discard';
  // One of the two comes too late, or while the other is carried out.
  await Promise.all([jobs.post(made, action, {}, [200, 409]), jobs.post(made, action, {}, [200, 409])]);
  const done = await jobs.settled(made);
  if (done && isPublished !== (done.prLink !== null))
    ledger.wrong(`Preview ${made.id} ended as ${JSON.stringify(done)}`);
}

/** A question, which changes nothing. */
export async function question(soak: Soak): Promise<void> {
  const { jobs, ledger } = soak;
  const made = await jobs.create('ask', PAGES[2], { mode: 'ask' });
  if (!made) return;
  count(soak, 'questions asked');
  const done = await jobs.settled(made);
  if (done && (done.prLink !== null || done.outcome === 'changed'))
    ledger.wrong(`Question ${made.id} changed something.`);
}

/** A commit straight to the base branch. */
export async function push(soak: Soak): Promise<void> {
  const { jobs, ledger } = soak;
  const made = await jobs.create('push', PAGES[2], { mode: 'push' });
  if (!made) return;
  count(soak, 'pushes');
  const done = await jobs.settled(made);
  if (done && done.outcome !== 'changed') ledger.wrong(`Push ${made.id} ended as ${JSON.stringify(done)}`);
}

/** An image that is uploaded, and that the agent places in the docs; another that no one uses. */
export async function attachment(soak: Soak): Promise<void> {
  const { ledger, jobs, docent } = soak;
  const path = { projectId: docent.projectId };
  const upload = (filename: string) =>
    ledger.ask<{ id: string; sha256: string }>({
      method: 'post',
      route: '/v2/agent/{projectId}/attachments',
      path,
      query: { filename },
      headers: { 'content-type': 'application/octet-stream' },
      body: PIXEL,
      expect: [201],
    });
  const [used, unused] = await Promise.all([upload('shot.png'), upload('unused.png')]);
  if (!used || !unused) return;
  count(soak, 'attachments', 2);
  const made = await jobs.create('pull-request', PAGES[0], { attachments: [used.id] });
  const one = '/v2/agent/{projectId}/attachments/{attachmentId}';
  const of = (attachmentId: string) => ({ ...path, attachmentId });
  const content = await ledger.send({ method: 'get', route: `${one}/content`, path: of(used.id), expect: [200] });
  if (!Buffer.from(await content.arrayBuffer()).equals(PIXEL)) ledger.wrong(`Attachment ${used.id} is another.`);
  await ledger.ask({ method: 'delete', route: one, path: of(used.id), expect: [409] });
  await ledger.send({ method: 'delete', route: one, path: of(unused.id), expect: [200, 204] });
  if (made) await jobs.settled(made);
}

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
