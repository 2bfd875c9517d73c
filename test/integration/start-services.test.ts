import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/stack.ts';
import { services } from '../support/run-services.ts';

test('a test gets its own database with the schema, and nothing of it remains', async () => {
  const database = await createTestDatabase();
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM jobs');
  expect(rows).toEqual([{ n: 0 }]);
  await database.drop();
  const client = new Client({ connectionString: database.url });
  await expect(client.connect()).rejects.toThrow('does not exist');
});

test('the run has a Temporal server with the search attributes that jobs are found by', async () => {
  const connection = await Connection.connect({ address: services.temporalAddress });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
  expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['DocentProject', 'DocentStatus']));
  await connection.close();
});
