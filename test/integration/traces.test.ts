import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FakeGitea } from '../support/fake-host/gitea.ts';
import { freePort } from '../support/free-port.ts';
import { HostBench } from '../support/host-bench.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { startCollector, type ReceivedSpan } from '../support/trace-collector.ts';

const planted = (what: string) => `${what}${randomBytes(12).toString('hex')}`;
const IN_PAGE = planted('page');
const IN_PROMPT = planted('prompt');
const PATH = planted('path');
const VISITOR = planted('visitor');
const KEY = planted('key');
const FILES = {
  'docs.json': '{ "name": "Acme", "navigation": { "pages": ["index"] } }\n',
  'index.mdx': `---\ntitle: Welcome\n---\n\n${IN_PAGE} is said here.\n`,
};

/** A caller's own place in a trace, as W3C writes it. */
const caller = () => ({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') });
type Caller = ReturnType<typeof caller>;

/** @param body what is posted; without it, the route is asked */
async function call(docent: Installation, route: string, { traceId, spanId }: Caller, body?: object): Promise<string> {
  const answer = await fetch(docent.apiUrl + route, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${docent.operatorToken}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: `vendor=${KEY}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status, route).toBeLessThan(300);
  const { id } = (await answer.json()) as { id: string };
  return id;
}

/** A trace as its spans' names, each below its parent; if a name comes twice below one parent, once. */
function treeOf(spans: readonly ReceivedSpan[], parent: string): Record<string, unknown> {
  const children = Map.groupBy(
    spans.filter(({ parentSpanId }) => parentSpanId === parent),
    ({ name }) => name,
  );
  return Object.fromEntries(
    [...children].map(([name, same]) => [name, Object.assign({}, ...same.map(({ spanId }) => treeOf(spans, spanId)))]),
  );
}

test('a job is one trace from the request to its publication, a later message another, without personal data or repositories', async () => {
  const collector = await startCollector();
  const token = planted('').padEnd(40, '0').slice(0, 40);
  const bench = await HostBench.start(new FakeGitea(), {
    token,
    may: { account: 'docent-bot', scopes: ['write:repository'], contents: 'write', pulls: 'write' },
    env: { ...collector.env, OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${KEY}` },
  });
  try {
    const docent = await bench.docent.withOwnProject(FILES);
    docent.forbiddenTexts.add(IN_PAGE, IN_PROMPT, VISITOR, KEY);
    expect((await bench.addHost()).status).toBe(201);
    const hosted = await bench.project();
    expect(await hosted.run()).toMatchObject({ status: 'completed', prLink: expect.stringContaining('http') });
    const prompt = `Append a section "${IN_PROMPT}" with text "${IN_PROMPT} is new" to the page index`;
    const [asks, says, counts, wants] = [caller(), caller(), caller(), caller()];
    const jobs = `/v2/agent/${docent.projectId}/job`;
    const id = await call(docent, jobs, asks, { prompt });
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    await call(docent, `${jobs}/${id}/message`, says, { prompt: `${prompt}, too` });
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    const view = { timestamp: new Date().toISOString(), path: `/${PATH}`, visitorId: VISITOR };
    await call(docent, `/v1/analytics/${docent.projectId}/events`, counts, { events: [view] });
    await call(docent, `/v1/analytics/${docent.projectId}/visitors?path=/${PATH}`, wants);
    await Promise.all(bench.roles.map((role) => role.kill('SIGTERM')));

    const spans = collector.spans();
    const of = ({ traceId }: Caller) => spans.filter((span) => span.traceId === traceId);
    const turn = {
      'activity callModel': {
        'git ensureSnapshot': {},
        'chat builtin': {},
      },
      'activity publishTurn': { 'git commitAndPush': {}, 'INSERT pull_requests': {} },
    };
    expect(treeOf(of(asks), asks.spanId)).toMatchObject({
      'POST /v2/agent/{projectId}/job': { 'INSERT jobs': {}, 'start agentJob': { 'activity openTurn': {}, turn } },
    });
    expect(treeOf(of(says), says.spanId)).toMatchObject({
      'POST /v2/agent/{projectId}/job/{id}/message': { 'signal wake': { turn: { 'activity callModel': {} } } },
    });
    expect(treeOf(of(counts), counts.spanId)).toMatchObject({ 'POST /v1/analytics/{projectId}/events': {} });
    expect(treeOf(of(wants), wants.spanId)).toMatchObject({
      'GET /v1/analytics/{projectId}/visitors': { 'duckdb question': {} },
    });

    const request = of(asks).find(({ parentSpanId }) => parentSpanId === asks.spanId);
    expect(request).toMatchObject({
      service: 'docent-api',
      attributes: { 'http.response.status_code': 201, 'docent.operation': 'createJob', 'http.request.method': 'POST' },
    });
    expect(of(asks).find(({ name }) => name === 'chat builtin')).toMatchObject({
      service: 'docent-worker',
      attributes: { 'gen_ai.request.model': 'builtin', 'gen_ai.usage.input_tokens': expect.anything() },
    });

    const opened = spans.find(({ name, service }) => name === 'POST code host' && service === 'docent-worker');
    expect(opened?.attributes, 'a code host is only named by its host').toEqual({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': expect.anything(),
    });
    const pushed = spans.find(({ name, traceId }) => name === 'git commitAndPush' && traceId === opened?.traceId);
    expect(pushed).toMatchObject({ attributes: { 'server.address': '127.0.0.1' } });

    const said = collector.text();
    const secrets = [
      token,
      hosted.repository.path,
      hosted.id,
      'guides/start',
      IN_PAGE,
      IN_PROMPT,
      PATH,
      VISITOR,
      KEY,
      docent.operatorToken,
      docent.folder,
      id,
      docent.database.url,
    ];
    for (const word of secrets) expect(said, word).not.toContain(word);

    const lines = bench.roles.flatMap((role) => role.output().split('\n'));
    const logged = lines.filter((line) => line.includes(`"trace_id":"${asks.traceId}"`));
    expect(
      logged.filter((line) => line.includes('"requestId"')),
      'the request’s line',
    ).toHaveLength(1);
    expect(logged.every((line) => of(asks).some(({ spanId }) => line.includes(`"span_id":"${spanId}"`)))).toBe(true);
    expect(lines.find((line) => line.includes('ready for jobs'))).not.toContain('trace_id');
  } finally {
    await bench.stop();
    await collector.close();
  }
}, 300_000);

/**
 * A collector that accepts a connection and never answers, and one that refuses with a text that must not be
 * repeated.
 */
const silent = () => {};
const failing = (response: { writeHead(status: number): { end(text: string): void } }) =>
  response.writeHead(400).end(KEY);

test('an unreachable, silent or failing collector only costs traces, and is reported once, without their content', async () => {
  const [away, mute, broken] = [await startCollector(), await startCollector(silent), await startCollector(failing)];
  await away.close();
  const more = { OTEL_EXPORTER_OTLP_TIMEOUT: '1000', OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${KEY}` };
  const docent = await Installation.create();
  const port = String(await freePort());
  try {
    docent.forbiddenTexts.add(KEY, away.url, mute.url, broken.url);
    // Each process has one that does not take its traces.
    const roles = await Promise.all([
      docent.startApi({ ...mute.env, ...more }),
      docent.startApi({ ...broken.env, ...more, DOCENT_PORT: port }),
      docent.startWorker({ ...away.env, ...more }),
    ]);
    await docent.createProject();
    const headers = { authorization: `Bearer ${docent.operatorToken}` };
    expect((await fetch(`http://127.0.0.1:${port}/v1/projects`, { headers })).status).toBe(200);
    const id = await docent.post('Replace "Welcome" with "Hello" in index.mdx.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    await until('it is reported', () => roles.every((role) => role.output().includes('traces cannot be sent')));
    const stopping = performance.now();
    await Promise.all(roles.map((role) => role.kill('SIGTERM')));
    expect(performance.now() - stopping, 'a process ends without it').toBeLessThan(30_000);
    for (const role of roles) {
      expect(role.output().split('traces cannot be sent'), 'once').toHaveLength(2);
      expect(await role.ended).toBe(0);
    }
  } finally {
    await docent.stop();
    await Promise.all([mute.close(), broken.close()]);
  }
}, 300_000);
