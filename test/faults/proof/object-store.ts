import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Kept } from '../../../scripts/cluster/kept.ts';
import { freePort } from '../../../scripts/free-port.ts';
import {
  BUCKET,
  buildObjectStore,
  makeBucket,
  OBJECT_STORE_KEYS,
  objectStoreArgs,
} from '../../../scripts/object-store.ts';
import type { Reaper } from '@docent/servers/processes/reaper';
import { BARE_ENV } from '../../support/bare-env.ts';

const PREFIX = 'docent';

/** The S3 server of a cluster. */
export interface ObjectStore {
  kept: Kept;
  /** The folder with the cluster's objects, each as a file of its name. */
  objects: string;
  /** The settings of the roles. */
  env: Record<string, string>;
}

/** @param folder is made */
export async function startObjectStore(folder: string, reaper: Reaper): Promise<ObjectStore> {
  const command = await buildObjectStore();
  await mkdir(folder);
  const objects = path.join(await makeBucket(folder), PREFIX);
  const port = await freePort();
  const args = objectStoreArgs(folder, port);
  const kept = new Kept({ name: 'object-store', command, args, env: BARE_ENV, stopGraceMs: 10_000, reaper });
  await kept.start();
  const env = {
    ...OBJECT_STORE_KEYS,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    DOCENT_ANALYTICS_STORAGE: `s3://${BUCKET}/${PREFIX}`,
    // A machine's disk may be lost: acknowledged events are in the bucket.
    DOCENT_ANALYTICS_ACK: 'stored',
  };
  return { kept, objects, env };
}
