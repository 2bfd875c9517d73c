import type { RoleProcess } from '../role-process.ts';

/** For a role's environment: its inspector takes any free port, once it is asked for. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

/**
 * What lives in a role's main thread after a collection, in MB: objects, and the bytes outside of the heap
 * that they hold. The role runs with {@link INSPECTABLE}.
 */
export async function liveMegabytes(role: RoleProcess): Promise<number> {
  const inspector = await connect(await inspectorOf(role));
  try {
    await inspector.ask('HeapProfiler.collectGarbage');
    const { result } = (await inspector.ask('Runtime.evaluate', {
      expression: '(({ heapUsed, external }) => (heapUsed + external) / 1048576)(process.memoryUsage())',
      returnByValue: true,
    })) as { result: { value: number } };
    return result.value;
  } finally {
    inspector.close();
  }
}

async function inspectorOf({ child, output }: RoleProcess): Promise<string> {
  const address = () => /Debugger listening on (ws:\S+)/.exec(output())?.[1];
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = address();
    if (found) return found;
    if (attempt === 0) child.kill('SIGUSR1');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The role opens no inspector.');
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let asked = 0;
  return {
    ask(method: string, params: object = {}): Promise<unknown> {
      const id = (asked += 1);
      const answer = new Promise<unknown>((resolve) => {
        socket.addEventListener('message', ({ data }) => {
          const message = JSON.parse(String(data)) as { id?: number; result: unknown };
          if (message.id === id) resolve(message.result);
        });
      });
      socket.send(JSON.stringify({ id, method, params }));
      return answer;
    },
    close: () => socket.close(),
  };
}
