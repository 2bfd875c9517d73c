import type { TemporalClient, TemporalClientOptions } from './temporal-client.ts';

/** An API's Temporal client, loaded on first use: the SDK takes 20 MB and an eighth of a second. */
export function deferTemporalClient(options: TemporalClientOptions): TemporalClient {
  let loading: Promise<TemporalClient> | undefined;
  const client = () =>
    (loading ??= import('./temporal-client.ts').then(({ openTemporalClient }) => openTemporalClient(options)));
  return {
    jobWorkflows: deferred(async () => (await client()).jobWorkflows),
    workflows: deferred(async () => (await client()).workflows),
    askHealth: async (withinMs) => (await client()).askHealth(withinMs),
    proveReady: async (withinMs) => (await client()).proveReady(withinMs),
    close: async () => (await loading)?.close(),
  };
}

/** An object with the asynchronous functions of another one, which is loaded when one of them is called. */
function deferred<T extends object>(load: () => Promise<T>): T {
  const call = async (name: string | symbol, given: unknown[]) =>
    Reflect.apply(Reflect.get(await load(), name) as (...given: unknown[]) => unknown, undefined, given);
  return new Proxy<T>({} as T, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        call(name, given),
  });
}
