import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether the port is free to listen on. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  );
}

/** Below the system's outgoing ports (from 32,768 on Linux), which could take one in the meantime. */
export const QUIET_PORTS = { first: 20_000, count: 12_000 };
const TRIES = 50;

/** The first free port of the wanted ones, else any free one. Another program may take it first. */
export async function firstFreePort(wanted: readonly (number | undefined)[], host = '127.0.0.1'): Promise<number> {
  for (const port of wanted) if (port !== undefined && port > 0 && (await isPortFree(port, host))) return port;
  for (let i = 0; i < TRIES; i++) {
    const port = QUIET_PORTS.first + randomInt(QUIET_PORTS.count);
    if (await isPortFree(port, host)) return port;
  }
  return listenOnce(0, host);
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
