import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { poolThreads } from '../../src/platform/processes/pool-sizes.ts';
import { Installation } from '../support/installation.ts';

/** Those of libuv by their name: https://docs.libuv.org/en/v1.x/threadpool.html */
function poolThreadsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).filter((id) => readFileSync(`${folder}/${id}/comm`, 'utf8') === 'libuv-worker\n').length;
}

test.runIf(process.platform === 'linux')('queries of page views leave threads for files', async () => {
  const docent = await Installation.create();
  try {
    const api = await docent.startApi();
    expect(poolThreadsOf(api.child.pid!)).toBe(poolThreads());
  } finally {
    await docent.stop();
  }
});
