import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WakeQueue } from '../../src/api/wake-queue.ts';
import { createLogger } from '../../src/platform/log.ts';
import { addSpan, beginSpan, inSpan, inThisSpan, isTracing, traceparent } from '../../src/platform/telemetry/spans.ts';
import { startTracing } from '../../src/platform/telemetry/tracing.ts';
import { startCollector } from '../support/trace-collector.ts';

let lines: string[];
const log = createLogger({ level: 'debug', name: 'test' }, { write: (line) => void lines.push(line) });
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const lineThatSays = (words: string) => logged().find(({ msg }) => msg === words);
let collector: Awaited<ReturnType<typeof startCollector>>;

beforeEach(async () => {
  lines = [];
  collector = await startCollector();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await collector.close();
});

/** The environment of a process that sends its traces to the collector. */
function stubbed(more: Record<string, string>): NodeJS.ProcessEnv {
  for (const [name, value] of Object.entries({ ...collector.env, ...more })) vi.stubEnv(name, value);
  return process.env;
}

/** What `work` makes, as the collector has it. */
async function traced(work: () => Promise<void>, more: Record<string, string> = {}) {
  const stop = await startTracing('docent api', stubbed(more), log);
  await work();
  await stop();
  return collector.spans();
}

const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const UNSAMPLED = PARENT.replace(/1$/, '0');

test('without a collector no spans are created, and all work is done', async () => {
  const stop = await startTracing('docent api', {}, log);
  expect(isTracing()).toBe(false);
  expect(
    await beginSpan({ name: 'a' }, PARENT, () => inSpan({ name: 'b' }, async () => traceparent())),
  ).toBeUndefined();
  await stop();
});

test('spans are nested like their work, even if other code does it later', async () => {
  let later: (() => Promise<void>) | undefined;
  const spans = await traced(async () => {
    await beginSpan({ name: 'request', kind: 'server' }, PARENT, async (span) => {
      span.rename('GET /');
      await inSpan({ name: 'query', fields: { table: 'jobs' } }, () => sleep(1));
      later = inThisSpan(() => beginSpan({ name: 'wake' }, undefined, async () => {}));
    });
    await later?.();
    await beginSpan({ name: 'other' }, 'no traceparent', async () => {});
  });
  const [query, request, wake, other] = ['query', 'GET /', 'wake', 'other'].map((name) =>
    spans.find((span) => span.name === name),
  );
  expect(request).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16), service: 'docent-api' });
  expect(query).toMatchObject({ parentSpanId: request?.spanId, attributes: { table: 'jobs' } });
  expect(wake).toMatchObject({ parentSpanId: request?.spanId });
  expect(other?.traceId).not.toBe(request?.traceId);
});

test('work that outlives its request does not belong to it: a timer, a connection that was opened for it', async () => {
  let goneOn: (() => Promise<void>) | undefined;
  const spans = await traced(async () => {
    await beginSpan({ name: 'request' }, PARENT, async () => {
      goneOn = inThisSpan(() =>
        inSpan({ name: 'query' }, async () => {
          log.info('much later');
        }),
      );
    });
    await goneOn?.();
  });
  expect(spans.map(({ name }) => name)).toEqual(['request']);
  expect(lineThatSays('much later')).not.toHaveProperty('trace_id');
});

test('a failure is reported by its name, without its text', async () => {
  const spans = await traced(async () => {
    const failing = beginSpan({ name: 'request' }, PARENT, () => Promise.reject(new TypeError('of somebody')));
    await expect(failing).rejects.toThrow('of somebody');
  });
  expect(spans).toMatchObject([{ failed: true, attributes: { 'error.type': 'TypeError' } }]);
  expect(collector.text()).not.toContain('of somebody');
});

test('a line of the log names the span that it was written in', async () => {
  const [span] = await traced(async () => {
    await beginSpan({ name: 'request' }, PARENT, async () => log.info('within'));
    await beginSpan({ name: 'request' }, UNSAMPLED, async () => log.info('unsampled'));
    log.info('outside');
  });
  expect(lineThatSays('within')).toMatchObject({ trace_id: 'a'.repeat(32), span_id: span?.spanId });
  for (const words of ['unsampled', 'outside']) expect(lineThatSays(words)).not.toHaveProperty('trace_id');
});

test('a span that ended elsewhere keeps the place that others saw', async () => {
  const own = `00-${'a'.repeat(32)}-${'c'.repeat(16)}-01`;
  const link = `00-${'d'.repeat(32)}-${'e'.repeat(16)}-01`;
  const spans = await traced(async () => {
    addSpan({ name: 'turn', traceparent: own, parent: PARENT, links: [link], startedAt: 1_000, endedAt: 2_000 });
    await beginSpan({ name: 'after' }, own, async () => {});
  });
  expect(spans).toMatchObject([
    { name: 'turn', spanId: 'c'.repeat(16), parentSpanId: 'b'.repeat(16), links: [{ traceId: 'd'.repeat(32) }] },
    { name: 'after', parentSpanId: 'c'.repeat(16) },
  ]);
});

test.each([
  [{}, ['new', 'sampled']],
  [{ OTEL_TRACES_SAMPLER: 'always_off', OTEL_TRACES_SAMPLER_ARG: 'unused' }, []],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, ['new', 'sampled', 'unsampled']],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, ['sampled']],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, []],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'a tenth' }, ['new', 'sampled']],
  [{ OTEL_TRACES_SAMPLER: 'of_my_own' }, ['new', 'sampled']],
])('%j keeps the traces %j', async (env, kept) => {
  const spans = await traced(async () => {
    await beginSpan({ name: 'new' }, undefined, async () => {});
    await beginSpan({ name: 'sampled' }, PARENT, async () => {});
    await beginSpan({ name: 'unsampled' }, UNSAMPLED, async () => {});
  }, env);
  expect(spans.map(({ name }) => name)).toEqual(kept);
  const isWrong = 'OTEL_TRACES_SAMPLER' in env && /tenth|my_own/.test(JSON.stringify(env));
  expect(logged().some(({ msg }) => String(msg).includes('OTEL_TRACES_SAMPLER'))).toBe(isWrong);
});

test('gRPC is not supported, and the log names the setting', async () => {
  const spans = await traced(() => beginSpan({ name: 'a' }, PARENT, async () => {}), {
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
  });
  expect(spans).toEqual([]);
  expect(logged()).toMatchObject([{ msg: expect.stringMatching(/OTEL_EXPORTER_OTLP_PROTOCOL.*http\/protobuf.*4318/) }]);
});

test("traces are sent as protobuf by default, with the sender's name", async () => {
  const stop = await startTracing('docent api', stubbed({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: '' }), log);
  await beginSpan({ name: 'a request' }, PARENT, async () => {});
  await stop();
  expect(collector.received).toMatchObject([
    { url: '/v1/traces', headers: { 'content-type': 'application/x-protobuf' } },
  ]);
  for (const word of ['a request', 'docent-api', 'service.version', 'service.instance.id'])
    expect(collector.text()).toContain(word);
});

test("the sender is named by OpenTelemetry's variables", async () => {
  const more = { OTEL_SERVICE_NAME: 'our-docs', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging' };
  const [span] = await traced(() => beginSpan({ name: 'a' }, PARENT, async () => {}), more);
  expect(span?.service).toBe('our-docs');
  expect(collector.text()).toContain('staging');
});

test('queued work belongs to its own request, whichever request made room for it', async () => {
  const sent = new Set<string | undefined>();
  const requests = Array.from({ length: 12 }, (_, i) => PARENT.replace('aa', i.toString(16).padStart(2, '0')));
  await traced(async () => {
    const wakes = new WakeQueue(log);
    for (const parent of requests)
      await beginSpan({ name: 'request' }, parent, async () => {
        wakes.add(async () => {
          await sleep(5);
          sent.add(traceparent()?.slice(0, 35));
        });
      });
    await wakes.close(5_000);
  });
  expect(sent).toEqual(new Set(requests.map((parent) => parent.slice(0, 35))));
});
