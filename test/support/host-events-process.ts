/**
 * A worker's part in events of code hosts, until it dies at a fault point. The code host is in the process
 * that started it: what is asked of it goes there over HTTP. Its orders come as JSON in the first argument.
 */
import { dispatchHostEvent } from '../../src/activities/host-events/host-event-dispatcher.ts';
import type { HostEventDeps } from '../../src/activities/host-events/host-event-consumer.ts';
import { pollHost } from '../../src/activities/host-events/host-poller.ts';
import { deliverReplies } from '../../src/activities/host-events/host-replies.ts';
import { armFault } from '../../src/platform/faults.ts';
import { createLogger } from '../../src/platform/log.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { listDueHostEvents } from '../../src/store/automations/trigger-events.ts';
import { openDatabase } from '../../src/store/database.ts';
import { listDueRepositories } from '../../src/store/hosts/host-repositories.ts';
import { MANY_SLOTS } from './job-rows.ts';

export interface HostEventOrders {
  databaseUrl: string;
  hostUrl: string;
  fault: string;
  work: 'poll' | 'dispatch' | 'reply';
}

const { databaseUrl, hostUrl, fault, work } = JSON.parse(process.argv[2] ?? '{}') as HostEventOrders;

/** All of its methods are those of the object with this name in the other process. */
function remote(object: string, own: object = {}) {
  return new Proxy(own, {
    get: (_, method) => {
      if (method in own || method === 'then') return Reflect.get(own, method) as unknown;
      return async (...args: unknown[]) => {
        const body = JSON.stringify({ object, method, args });
        const answer = await fetch(hostUrl, { method: 'POST', body });
        return (JSON.parse(await answer.text()) as { result: unknown }).result;
      };
    },
  });
}

const { db } = openDatabase(databaseUrl);
const open = remote('open', { talk: remote('talk', { isPrivate: false }) });
const host = remote('host', { open: async () => open });
const deps = {
  db,
  hosts: { get: async () => host } as unknown as HostEventDeps['hosts'],
  jobWorkflows: { signal: async () => {} },
  log: createLogger({ level: 'silent', name: 'test' }),
  settings: {} as HostEventDeps['settings'],
  acceptance: {
    secrets: new SecretBox([]),
    slots: MANY_SLOTS,
    jobsPerHour: 9_999,
    messagesPerHour: 9_999,
    model: undefined,
  },
};

armFault(fault);
if (work === 'poll') {
  for (const at of await listDueRepositories(db, 10)) await pollHost({ ...deps, everySeconds: 60 }, at);
} else if (work === 'dispatch') {
  for (const { id } of await listDueHostEvents(db, 10)) await dispatchHostEvent(deps, id);
} else {
  await deliverReplies(deps);
}
process.exit(0);
