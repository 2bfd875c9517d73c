import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll } from 'vitest';
import { services } from './run-services.ts';
import { NativeConnection } from './temporal-worker.ts';

/** The Temporal server of the run, for the tests of a file: there once its hooks have run. */
export interface TemporalOfRun {
  client: Client;
  /** For workers. */
  native: NativeConnection;
}

/** Connects before the tests of the file that calls it, and disconnects after them. */
export function temporalOfRun(): TemporalOfRun {
  const found = {} as TemporalOfRun;
  let connection: Connection;
  beforeAll(async () => {
    const address = services.temporalAddress;
    [connection, found.native] = await Promise.all([
      Connection.connect({ address }),
      NativeConnection.connect({ address }),
    ]);
    found.client = new Client({ connection });
  });
  afterAll(async () => {
    await found.native?.close();
    await connection?.close();
  });
  return found;
}
