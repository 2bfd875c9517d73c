import { setTimeout as sleep } from 'node:timers/promises';
import type { MadeJob } from './jobs.ts';
import { count, PAGES, type Soak } from './soak.ts';

export const SITE = 'https://docs.example.com';

/** What readers of the site say and look for, as the page script sends it. */
export async function readers(soak: Soak): Promise<void> {
  const { ledger, docent } = soak;
  const path = { projectId: docent.projectId };
  const say = (what: 'feedback' | 'search', words: object) =>
    ledger.ask<{ accepted: number }>({
      method: 'post',
      route: `/{projectId}/${what}`,
      path,
      headers: { origin: SITE, 'content-type': 'text/plain', 'user-agent': BROWSER },
      body: { url: `${SITE}/guides/start`, ...words },
      expect: [202],
    });
  const said = await say('feedback', { helpful: Math.random() < 0.5, comment: 'The second step fails.' });
  if (said?.accepted === 1) count(soak, 'feedback');
  const looked = await say('search', { query: 'custom domain' });
  if (looked?.accepted === 1) count(soak, 'searches');
  for (const what of ['feedback', 'feedback/by-page', 'searches'])
    await ledger.ask({ method: 'get', route: `/v1/analytics/{projectId}/${what}`, path, expect: [200] });
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

/**
 * One request that is sent to both APIs at once, and again afterwards, is one job; then its fields are
 * changed.
 */
export async function repeated(soak: Soak): Promise<void> {
  const { jobs, ledger, docent } = soak;
  const { prompt, ...section } = jobs.section(PAGES[1]);
  const headers = { 'idempotency-key': `soak-${section.title}` };
  const send = () =>
    ledger.ask<{ id?: string }>({
      method: 'post',
      route: '/v2/agent/{projectId}/job',
      path: { projectId: docent.projectId },
      headers,
      body: { prompt },
      // The other of two at once may be asked to come again.
      expect: [201, 409],
    });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  const ids = new Set(answers.flatMap((answer) => answer?.id ?? []));
  const [id] = ids;
  if (ids.size !== 1 || id === undefined)
    return ledger.wrong(`One key made ${ids.size} jobs: ${JSON.stringify(answers)}`);
  count(soak, 'jobs asked for three times');
  const made: MadeJob = { id, kind: 'pull-request', sections: [section] };
  jobs.made.push(made);
  const path = { projectId: docent.projectId, id };
  const title = `Reviewed ${section.title}`;
  await ledger.ask({ method: 'patch', route: JOB, path, body: { title, metadata: { seen: 'yes' } }, expect: [200] });
  await jobs.settled(made);
  const now = await jobs.get<{ title: string; metadata: Record<string, string> }>(made);
  if (now?.title !== title || now.metadata.seen !== 'yes') ledger.wrong(`Job ${id} has lost its title: ${now?.title}`);
  await ledger.ask({ method: 'get', route: `${JOB}/pull-request`, path, expect: [200] });
}

const JOB = '/v2/agent/{projectId}/job/{id}';

/**
 * A script that triggers an automation twice with one key, in the form of the hosted service, and its job.
 */
export async function automation(soak: Soak): Promise<void> {
  const { jobs, ledger, docent } = soak;
  const { projectId } = docent;
  const { prompt, ...section } = jobs.section(PAGES[2]);
  const list = '/v1/projects/{projectId}/automations';
  const made = await ledger.ask<{ id: string }>({
    method: 'post',
    route: list,
    path: { projectId },
    body: { name: section.title, prompt, metadata: { 'made-by': 'automation' } },
    expect: [201],
  });
  if (!made) return;
  const trigger = () =>
    ledger.ask<{ jobId?: string }>({
      method: 'post',
      route: '/v1/workflow/{projectId}/{workflowSchemaId}/trigger',
      path: { projectId, workflowSchemaId: made.id },
      headers: { 'idempotency-key': `soak-${section.title}` },
      body: { context: { commit: 'Say what is new' } },
      expect: [202, 409],
    });
  const answers = await Promise.all([trigger(), trigger()]);
  const ids = new Set(answers.flatMap((answer) => answer?.jobId ?? []));
  const [id] = ids;
  if (ids.size !== 1 || id === undefined)
    return ledger.wrong(`One trigger made ${ids.size} jobs: ${JSON.stringify(answers)}`);
  count(soak, 'automations triggered twice');
  const job: MadeJob = { id, kind: 'pull-request', sections: [section] };
  jobs.made.push(job);
  await jobs.settled(job);
  const path = { projectId, automationId: made.id };
  const now = await ledger.ask<{ runs: number; lastJobId: string }>({
    method: 'get',
    route: `${list}/{automationId}`,
    path,
    expect: [200],
  });
  if (now?.runs !== 1 || now.lastJobId !== id) ledger.wrong(`Automation ${made.id} is ${JSON.stringify(now)}`);
  await ledger.send({ method: 'delete', route: `${list}/{automationId}`, path, expect: [204] });
}

/** What the owner of a webhook does: tests it, reads its log, has one message sent again. */
export async function webhookOwner(soak: Soak): Promise<void> {
  const { ledger, docent } = soak;
  const { projectId } = docent;
  const list = await ledger.ask<{ webhooks: { id: string }[] }>({
    method: 'get',
    route: '/v1/projects/{projectId}/webhooks',
    path: { projectId },
    expect: [200],
  });
  const webhookId = list?.webhooks[0]?.id;
  if (webhookId === undefined) return ledger.wrong('The webhook is gone.');
  const path = { projectId, webhookId };
  const route = '/v1/projects/{projectId}/webhooks/{webhookId}';
  await ledger.ask({ method: 'post', route: `${route}/test`, path, expect: [200] });
  count(soak, 'webhooks tested');
  const log = await ledger.ask<{ deliveries: { id: string }[] }>({
    method: 'get',
    route: `${route}/deliveries`,
    path,
    query: { state: 'delivered', limit: 5 },
    expect: [200],
  });
  const deliveryId = log?.deliveries[0]?.id;
  if (deliveryId === undefined) return;
  const one = { route: `${route}/deliveries/{deliveryId}`, path: { ...path, deliveryId } };
  await ledger.ask({ method: 'get', ...one, expect: [200] });
  await ledger.ask({ method: 'post', path: one.path, route: `${one.route}/redeliver`, expect: [200, 201, 202] });
  count(soak, 'webhook messages asked for again');
}

/** A new signing secret, once, in the middle of everything. */
export async function newSecret({ ledger, docent, receiver }: Soak): Promise<void> {
  await sleep(20_000);
  const path = { projectId: docent.projectId };
  const route = '/v1/projects/{projectId}/webhooks';
  const list = await ledger.ask<{ webhooks: { id: string }[] }>({ method: 'get', route, path, expect: [200] });
  const rotated = await ledger.ask<{ secret: string }>({
    method: 'post',
    route: `${route}/{webhookId}/rotate`,
    path: { ...path, webhookId: list?.webhooks[0]?.id ?? '' },
    expect: [200],
  });
  if (rotated) receiver.expectSecret(rotated.secret);
}

/** What a monitor and a code generator ask for. */
export async function monitor({ ledger }: Soak): Promise<void> {
  await ledger.ask({ method: 'get', route: '/v1/me', expect: [200] });
  for (const route of ['/healthz', '/readyz', '/openapi.json'])
    await (await ledger.send({ method: 'get', route, expect: [200] })).text();
}
