import type { Installation } from '../installation.ts';
import { startReceiver } from '../webhook-receiver.ts';
import { sendEvents } from './furnish-analytics.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

const SITE = 'https://docs.example.com';

/** Pages whose names, titles and words are a stranger's. */
export function hostileSite(): Record<string, string> {
  const all = HOSTILE_TEXTS.map((text) => `${text}\n`).join('\n');
  return {
    'docs.json': `${JSON.stringify({ name: HOSTILE_TEXTS[0], navigation: { pages: ['index'] } })}\n`,
    'index.mdx': '---\ntitle: Welcome\n---\n\nAcme does things.\n',
    'guides/<img src=x onerror=alert(1)>.md': `---\ntitle: '<script>alert(1)</script>'\n---\n\n${all}`,
    'guides/\u202Egnp.md': `# <svg onload=alert(1)>\n\n${all}`,
    'AGENTS.md': all,
  };
}

/**
 * Hostile text in each field that a model, a page, a log or a user fills.
 * @returns jobs and webhooks, to be visited
 */
export async function furnishHostile(docent: Installation): Promise<{ jobIds: string[]; webhookId: string }> {
  const { client, projectId } = docent;
  const path = { projectId };
  for (const [i, text] of HOSTILE_TEXTS.entries()) {
    // A name with such signs is refused.
    const name = text.slice(0, 100).replaceAll(/[\p{Cf}\p{Cc}]/gu, '');
    must(await client.POST('/v1/keys', { body: { name, scopes: ['read'], projectIds: [projectId] } }));
    if (i % 4 === 0)
      must(
        await client.POST('/v1/projects/{projectId}/automations', { params: { path }, body: { name, prompt: text } }),
      );
  }
  const jobIds: string[] = [];
  const prompts = [
    `Append a section "Help" with the text "${HOSTILE_TEXTS.join(' ').replaceAll('"', '')}" to the page index.mdx`,
    ...HOSTILE_TEXTS.filter((_, i) => i % 8 === 0),
  ];
  for (const prompt of prompts) {
    const { data, error } = await client.POST('/v2/agent/{projectId}/job', {
      params: { path },
      body: { prompt, title: HOSTILE_TEXTS[5], metadata: { asked: HOSTILE_TEXTS[0] ?? '' } },
    });
    if (!data) throw new Error(error.error);
    jobIds.push(data.id);
  }
  await sendEvents(
    docent,
    HOSTILE_TEXTS.flatMap((text, i) => {
      const timestamp = Date.now() - i * 60_000;
      // A path has no control characters, which is checked elsewhere.
      const event = { timestamp, path: `/${text}`, visitorId: text, userAgent: text };
      const referrer = `https://${text.replaceAll(/[^a-z]/g, '') || 'x'}.example/${encodeURIComponent(text)}`;
      return [
        { ...event, referrer },
        { ...event, notFound: true, referrer: 'javascript:alert(1)' },
      ];
    }),
  );
  const settings = { analyticsOrigins: [SITE] };
  must(await client.PATCH('/v1/projects/{projectId}', { params: { path }, body: { settings } }));
  for (const text of HOSTILE_TEXTS.slice(0, 8)) {
    const url = `${SITE}/${encodeURIComponent(text)}`;
    await say(docent, 'feedback', {
      url,
      helpful: false,
      comment: text,
      contact: 'reader@example.com',
      code: text,
      filename: text,
    });
    await say(docent, 'search', { url, query: text });
  }
  const webhookId = await hostileReceiver(docent);
  await Promise.all(jobIds.map((id) => docent.settled(id)));
  return { jobIds, webhookId };
}

async function say(docent: Installation, what: 'feedback' | 'search', body: object): Promise<void> {
  const answer = await fetch(`${docent.apiUrl}/${docent.projectId}/${what}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'text/plain', Origin: SITE, 'User-Agent': HOSTILE_TEXTS[5] ?? '' },
  });
  if (answer.status !== 202) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
}

/** A webhook that sends itself, and is answered, in hostile words. */
async function hostileReceiver(docent: Installation): Promise<string> {
  const all = HOSTILE_TEXTS.join('\n');
  const receiver = await startReceiver(() => ({ status: 500, body: all, headers: { 'Content-Type': 'text/html' } }));
  try {
    const path = { projectId: docent.projectId };
    const { data, error } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
      params: { path },
      body: { url: receiver.url, description: HOSTILE_TEXTS[5] ?? '', events: ['job.completed'] },
    });
    if (!data) throw new Error(error.error);
    await docent.client.POST('/v1/projects/{projectId}/webhooks/{webhookId}/test', {
      params: { path: { ...path, webhookId: data.id } },
    });
    return data.id;
  } finally {
    await receiver.close();
  }
}

function must({ error }: { error?: { error?: string } | undefined }): void {
  if (error) throw new Error(error.error);
}
