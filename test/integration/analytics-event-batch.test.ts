import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duck } from '../../src/analytics/storage/duck.ts';
import type { EventKind } from '@docent/access-log/event-kind';
import { EventBatch, type BatchedEvent } from '../../src/analytics/ingest/event-batch.ts';
import { SharedValue } from '@docent/access-log/shared-value';
import { COLUMNS } from '../../src/analytics/storage/tables.ts';

let folder: string;
let duck: Duck;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-batch-'));
  duck = await Duck.open({ memoryMb: 256, threads: 1, connections: 1, temporaryFolder: folder });
});
afterAll(async () => {
  duck.close();
  await rm(folder, { recursive: true, force: true });
});

const kind = (more: Partial<EventKind> = {}) =>
  new SharedValue<EventKind>({
    userAgent: 'Ünï "quoted"',
    class: 'human',
    agent: null,
    format: 'html',
    classifier: 1,
    verified: null,
    verifiedBy: null,
    ...more,
  });
const event = (more: Partial<BatchedEvent> = {}): BatchedEvent => ({
  id: Uint32Array.of(0, 1),
  time: 1_795_232_533_123,
  path: new SharedValue('/a'),
  visitorHigh: 0,
  visitorLow: 1,
  kind: kind(),
  referrer: null,
  notFound: false,
  ...more,
});
const rowsOf = (batch: EventBatch) =>
  duck.use((session) =>
    batch.use(session, (relation) =>
      session.all(`SELECT * REPLACE (id::VARCHAR AS id, time::VARCHAR AS time) FROM ${relation} ORDER BY visitor`),
    ),
  );

test('each column of an event comes out as it went in, with the types of the files', async () => {
  const batch = new EventBatch();
  batch.add(event());
  batch.add(
    event({
      id: Uint32Array.of(0xfedc_ba98, 0x7654_3210),
      time: Date.UTC(2000, 0, 1),
      path: new SharedValue('/é/𝄞'),
      visitorHigh: 0xffff_ffff,
      visitorLow: 0xffff_fffe,
      kind: kind({
        userAgent: null,
        class: 'assistant',
        agent: 'Claude',
        format: 'md',
        classifier: 7,
        verified: true,
        verifiedBy: 'ranges',
      }),
      referrer: new SharedValue('example.org'),
      notFound: true,
    }),
  );
  const [first, second] = await rowsOf(batch);
  expect(first).toEqual({
    id: '00000000-0000-0000-0000-000000000001',
    time: '2026-11-21 03:42:13.123',
    path: '/a',
    visitor: 1n,
    class: 'human',
    class_given: false,
    user_agent: 'Ünï "quoted"',
    agent: null,
    format: 'html',
    referrer: null,
    not_found: false,
    classifier: 1,
    verified: null,
    verified_by: null,
  });
  expect(second).toEqual({
    id: '00000000-0000-0000-fedc-ba9876543210',
    time: '2000-01-01 00:00:00',
    path: '/é/𝄞',
    visitor: 0xffff_ffff_ffff_fffen,
    class: 'assistant',
    class_given: false,
    user_agent: null,
    agent: 'Claude',
    format: 'md',
    referrer: 'example.org',
    not_found: true,
    classifier: 7,
    verified: true,
    verified_by: 'ranges',
  });
  const types = await duck.use((session) =>
    batch.use(session, (relation) => session.all(`DESCRIBE SELECT * FROM ${relation}`)),
  );
  expect(Object.fromEntries(types.map((column) => [column.column_name, column.column_type]))).toEqual(COLUMNS.unmerged);
});

/** @param rest of the numbers that the batch holds, divided by 2 */
const check = async (batch: EventBatch, from: number, rest: number) => {
  const rows = await rowsOf(batch);
  expect(rows).toHaveLength(batch.rows);
  let at = from + ((from + rest) % 2);
  for (const row of rows) {
    expect([row.visitor, row.path, row.user_agent, row.referrer]).toEqual([
      BigInt(at),
      `/page-${(at * 13) % 500}`,
      `agent ${at % 7}`,
      at % 3 === 0 ? `host-${at % 11}` : null,
    ]);
    at += 2;
  }
};

test('many events keep their values while two batches list the same ones and one is reused', async () => {
  const [odd, even] = [new EventBatch(), new EventBatch()];
  const paths = Array.from({ length: 500 }, (_, no) => new SharedValue(`/page-${no}`));
  const kinds = Array.from({ length: 7 }, (_, no) => kind({ userAgent: `agent ${no}` }));
  const hosts = Array.from({ length: 11 }, (_, no) => new SharedValue(`host-${no}`));
  const fill = (from: number, to: number) => {
    for (let no = from; no < to; no += 1) {
      (no % 2 === 1 ? odd : even).add(
        event({
          visitorLow: no,
          path: paths[(no * 13) % 500]!,
          kind: kinds[no % 7]!,
          referrer: no % 3 === 0 ? hosts[no % 11]! : null,
        }),
      );
    }
  };
  fill(0, 30_000);
  await check(even, 0, 0);
  await check(odd, 0, 1);
  even.clear();
  expect([even.rows, even.textBytes]).toEqual([0, 0]);
  fill(30_000, 31_000);
  await check(even, 30_000, 0);
  await check(odd, 0, 1);
});

test('the texts of a batch are counted, so that hostile logs do not fill the memory', () => {
  const batch = new EventBatch();
  for (let no = 0; no < 100; no += 1) batch.add(event({ path: new SharedValue('x'.repeat(2_000)) }));
  expect(batch.textBytes).toBeGreaterThan(400_000);
});

test('nothing is left in DuckDB afterwards, even after an error', async () => {
  const batch = new EventBatch();
  batch.add(event());
  const broken = duck.use((session) =>
    batch.use(session, () => {
      throw new Error('disk full');
    }),
  );
  await expect(broken).rejects.toThrow('disk full');
  expect(await duck.use((session) => session.all('SELECT * FROM duckdb_tables()'))).toEqual([]);
});
