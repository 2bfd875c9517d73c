import { serveChild } from '../../src/platform/children/child-server.ts';

const MEGABYTE = 1_048_576;

serveChild({
  pid: async () => process.pid,
  status: async (url: string) => (await fetch(url)).status,
  grow: async (megabytes: number) => Buffer.alloc(megabytes * MEGABYTE, 1).length / MEGABYTE,
  /** Holds memory and says nothing, as synchronous code does. */
  seize: async ({ megabytes, ms }: { megabytes: number; ms: number }) => {
    const held = Buffer.alloc(megabytes * MEGABYTE, 1);
    for (const until = performance.now() + ms; performance.now() < until;);
    return held.length;
  },
});
