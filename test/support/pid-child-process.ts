import { serveChild } from '../../src/platform/children/child-server.ts';

serveChild({
  pid: async () => process.pid,
  status: async (url: string) => (await fetch(url)).status,
});
