import { serveChild } from '../../src/platform/children/child-server.ts';

serveChild({ pid: async () => process.pid });
