import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { createLogger } from '../../../src/platform/log.ts';
import { createSchedules } from '../../../src/temporal/schedules.ts';

const log = createLogger({ level: 'silent', name: 'test' });
/** Temporal's client does what it is given: the schedules here are made by the tests. */
const client = {
  withAbortSignal: (_: AbortSignal, work: () => Promise<void>) => work(),
  withDeadline: (_: number, work: () => Promise<void>) => work(),
} as unknown as Client;

test('creates a schedule although the shard of another one does not answer, and tries that again', async () => {
  const tried = Promise.withResolvers<void>();
  const created = Promise.withResolvers<void>();
  let attempts = 0;
  const schedules = createSchedules(client, 'installation', log, {
    silent: async () => {
      attempts += 1;
      if (attempts === 2) tried.resolve();
      throw new Error('Context deadline exceeded');
    },
    other: async () => created.resolve(),
  });
  await Promise.all([created.promise, tried.promise]);
  await schedules.stop();
  expect(attempts).toBe(2);
});
