import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kept } from '../../../scripts/cluster/kept.ts';
import { trySignal, type Cluster, type Role } from './cluster.ts';

/** The pause between two faults. */
const LEAST_MS = 3_000;
const MOST_MS = 9_000;

interface Fault {
  name: string;
  inject: () => Promise<void>;
}

/** The faults of a cluster, in rounds: each kind once, in random order, then all of them again. */
export class FaultRounds {
  /** How often which. */
  readonly injected = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #random: () => number;
  #round: Fault[] = [];

  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** One after the other until `isOver`. */
  async run(isOver: () => boolean, say: (text: string) => void): Promise<void> {
    while (!isOver()) {
      await sleep(this.#between(LEAST_MS, MOST_MS));
      if (isOver()) return;
      if (this.#round.length === 0) this.#round = this.#shuffled();
      const fault = this.#round.pop()!;
      say(fault.name);
      await fault.inject();
      this.injected.set(fault.name, (this.injected.get(fault.name) ?? 0) + 1);
    }
  }

  #between = (least: number, most: number) => least + this.#random() * (most - least);

  #shuffled(): Fault[] {
    const faults = this.#all();
    for (let i = faults.length - 1; i > 0; i -= 1) {
      const j = Math.floor(this.#random() * (i + 1));
      [faults[i], faults[j]] = [faults[j]!, faults[i]!];
    }
    return faults;
  }

  #all(): Fault[] {
    const { roles, apis, workers, temporal, postgres, objectStore, disks } = this.#cluster;
    const paused = (part: () => Kept, least: number, most: number) => async () => {
      const { pid } = part();
      trySignal(pid, 'SIGSTOP');
      await sleep(this.#between(least, most));
      trySignal(pid, 'SIGCONT');
    };
    const full = (disk: (typeof disks)['database']) => async () => {
      await disk.fillUp();
      await sleep(this.#between(4_000, 12_000));
      await disk.makeRoom();
    };
    return [
      ...roles.flatMap((role) => [
        { name: `kill -9 of ${role.name}`, inject: signal(() => role.kept, 'SIGKILL') },
        { name: `restart of ${role.name}`, inject: signal(() => role.kept, 'SIGTERM') },
        // Workers past their heartbeat, APIs past their lease of the log.
        {
          name: `pause of ${role.name}`,
          inject: paused(() => role.kept, 2_000, role.kind === 'api' ? 25_000 : 20_000),
        },
      ]),
      ...temporal.flatMap((kept) => [
        { name: `kill -9 of ${kept.name}`, inject: signal(() => kept, 'SIGKILL') },
        { name: `restart of ${kept.name}`, inject: signal(() => kept, 'SIGTERM') },
        { name: `pause of ${kept.name}`, inject: paused(() => kept, 1_000, 8_000) },
      ]),
      { name: 'kill -9 of PostgreSQL', inject: signal(() => postgres.kept, 'SIGKILL') },
      { name: 'immediate shutdown of PostgreSQL', inject: signal(() => postgres.kept, 'SIGQUIT') },
      { name: 'restart of PostgreSQL', inject: signal(() => postgres.kept, 'SIGINT') },
      { name: 'pause of PostgreSQL', inject: paused(() => postgres.kept, 2_000, 8_000) },
      {
        name: 'kill -9 of every role at once',
        inject: async () => {
          for (const { kept } of roles) trySignal(kept.pid, 'SIGKILL');
        },
      },
      { name: 'loss of a worker’s disk', inject: () => loseDisk(workers.at(-1)!) },
      // With a shared folder it is the folder of all, and its loss a loss.
      ...(objectStore
        ? [
            { name: 'loss of an API’s disk', inject: () => loseDisk(apis.at(-1)!) },
            { name: 'kill -9 of the object store', inject: signal(() => objectStore.kept, 'SIGKILL') },
            { name: 'restart of the object store', inject: signal(() => objectStore.kept, 'SIGTERM') },
            // Longer than a request may take, and longer than an answer waits.
            { name: 'pause of the object store', inject: paused(() => objectStore.kept, 2_000, 25_000) },
          ]
        : []),
      ...(disks.cache.canBeFull ? [{ name: 'full disk of a worker', inject: full(disks.cache) }] : []),
      ...(disks.events.canBeFull ? [{ name: 'full disk of the events', inject: full(disks.events) }] : []),
      ...(disks.database.canBeFull ? [{ name: 'full disk of PostgreSQL', inject: full(disks.database) }] : []),
    ];
  }
}

async function loseDisk({ kept, folders }: Role): Promise<void> {
  trySignal(kept.pid, 'SIGKILL');
  // Removed immediately, before the next process searches for it.
  await sleep(100);
  for (const folder of folders) {
    await rename(folder, `${folder}-lost`).catch(() => {}); // It has none since the last time.
    await rm(`${folder}-lost`, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** The target is looked up then, because an upgrade replaces the process. */
const signal = (part: () => Kept, name: NodeJS.Signals) => async () => void trySignal(part().pid, name);
