import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { COLUMNS, relation } from '../../../src/analytics/storage/tables.ts';
import { FILE_FAMILIES } from '../../../src/store/analytics/analytics-schema.ts';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../../docs/operate/event-files.mdx'), 'utf8');
const pairsOf = (text: string) =>
  [...text.matchAll(/`([a-z_]+)`,? ?(?:\| )?`([A-Z]+)`/g)].map(([, name, type]) => [name, type]);

test('the page of the event files names each column that the files have, with its type, in their order', () => {
  const [, events = ''] = /`events` and `unmerged` have these columns[^]*?(\n\| Column[^]*?)\n\n/.exec(PAGE) ?? [];
  expect(pairsOf(events)).toEqual(Object.entries(COLUMNS.events));
  expect(COLUMNS.unmerged).toBe(COLUMNS.events);
  for (const family of ['presence', 'cube', 'revisits', 'views'] as const) {
    const line =
      PAGE.split('\n').find((text) => text.startsWith(`| \`${family}\` | \`${Object.keys(COLUMNS[family])[0]}\``)) ??
      '';
    expect([family, pairsOf(line.slice(line.indexOf('|', 1)))]).toEqual([family, Object.entries(COLUMNS[family])]);
  }
  for (const family of FILE_FAMILIES) expect(PAGE).toContain(`| \`${family}\` | `);
});

test('DuckDB finds these columns in files that it wrote of them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-columns-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    for (const family of FILE_FAMILIES) {
      const file = path.join(folder, `${family}.parquet`);
      await connection.run(`COPY (SELECT * FROM ${relation(family, [], 'files')}) TO '${file}' (FORMAT parquet)`);
      const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${file}')`);
      const found = reader.getRowObjectsJson().map((row) => [row.column_name, row.column_type]);
      expect([family, found]).toEqual([family, Object.entries(COLUMNS[family])]);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
});
