import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { webhooks } from '../../../src/store/webhooks/webhook-schema.ts';

test('bytes of the database own their memory: a hash in a cache does not hold the 64 kB that Node cut it from', () => {
  const fromDriver = Buffer.from('00ff'.repeat(16), 'hex');
  expect(fromDriver.buffer.byteLength, 'a piece of a larger buffer').toBeGreaterThan(32);
  const value = getTableColumns(webhooks).secret.mapFromDriverValue(fromDriver) as Buffer;
  expect(value.equals(fromDriver)).toBe(true);
  expect(value.buffer.byteLength).toBe(32);
});

test('bytes that own their memory are not copied', () => {
  const content = Buffer.alloc(1_000_000, 1);
  expect(getTableColumns(webhooks).secret.mapFromDriverValue(content)).toBe(content);
});
