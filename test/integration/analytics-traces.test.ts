import { expect, test, vi } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { Bucket } from '../../src/analytics/storage/bucket/bucket.ts';
import { createLogger } from '../../src/platform/log.ts';
import { beginSpan } from '../../src/platform/telemetry/spans.ts';
import { startTracing } from '../../src/platform/telemetry/tracing.ts';
import { analyticsBench } from '../support/analytics.ts';
import { startCollector } from '../support/trace-collector.ts';

const log = createLogger({ level: 'silent', name: 'test' });

test('a merge reports its number of page views, and a bucket its requests, without pages, visitors or files', async () => {
  const collector = await startCollector();
  const store = await startCollector((response) => response.writeHead(200).end('what is stored'));
  const bench = await analyticsBench();
  for (const [name, value] of Object.entries(collector.env)) vi.stubEnv(name, value);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'planted-id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'planted-secret');
  const stop = await startTracing('docent worker', process.env, log);
  const place = { bucket: 'planted-bucket', prefix: 'planted-prefix', url: 's3://planted-bucket/planted-prefix' };
  const bucket = await Bucket.open(place, { endpoint: store.url });
  try {
    const project = await bench.newProject();
    const ingestor = await bench.ingestor();
    const view = { timestamp: new Date().toISOString(), path: '/planted-path', visitorId: 'planted-visitor' };
    await ingestor.ingest(project, [
      { ...view, id: 'planted-1' },
      { ...view, id: 'planted-2' },
    ]);
    await ingestor.flush();
    await beginSpan({ name: 'activity' }, undefined, async () => {
      await mergeProject({ database: bench.database, folder: bench.folder, duck: bench.duck, log }, project);
      expect(await bucket.readText('planted-file')).toBe('what is stored');
    });
  } finally {
    await stop();
    vi.unstubAllEnvs();
    bucket.close();
    await Promise.all([bench.close(), store.close(), collector.close()]);
  }
  const spans = collector.spans();
  const activity = spans.find(({ name }) => name === 'activity');
  const below = (wanted: string) =>
    spans.filter(({ name, parentSpanId }) => name === wanted && parentSpanId === activity?.spanId);
  expect(below('duckdb merge')).toMatchObject([{ attributes: { 'docent.events': 2, 'docent.repeats': 0 } }]);
  expect(below('bucket get')).toHaveLength(1);
  expect(collector.text()).not.toMatch(/planted|stored/);
});
