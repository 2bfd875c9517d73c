import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kept } from '../../../scripts/cluster/kept.ts';
import { trySignal, type Cluster, type Role } from './cluster.ts';

/** The pause between two faults. */
const LEAST_MS = 3_000;
const MOST_MS = 9_000;

interface Blow {
  name: string;
  strike: () => Promise<void>;
}

/** The faults of a cluster, in rounds: each kind once, in random order, then all of them again. */
export class Blows {
  /** How often which. */
  readonly struck = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #random: () => number;
  #round: Blow[] = [];

  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** One after the other until `isOver`. */
  async rain(isOver: () => boolean, say: (text: string) => void): Promise<void> {
    while (!isOver()) {
      await sleep(this.#between(LEAST_MS, MOST_MS));
      if (isOver()) return;
      if (this.#round.length === 0) this.#round = this.#shuffled();
      const blow = this.#round.pop()!;
      say(blow.name);
      await blow.strike();
      this.struck.set(blow.name, (this.struck.get(blow.name) ?? 0) + 1);
    }
  }

  #between = (least: number, most: number) => least + this.#random() * (most - least);

  #shuffled(): Blow[] {
    const blows = this.#all();
    for (let i = blows.length - 1; i > 0; i -= 1) {
      const j = Math.floor(this.#random() * (i + 1));
      [blows[i], blows[j]] = [blows[j]!, blows[i]!];
    }
    return blows;
  }

  #all(): Blow[] {
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
        { name: `kill -9 of ${role.name}`, strike: signal(() => role.kept, 'SIGKILL') },
        { name: `restart of ${role.name}`, strike: signal(() => role.kept, 'SIGTERM') },
        // Workers past their heartbeat, APIs past their lease of the log.
        {
          name: `pause of ${role.name}`,
          strike: paused(() => role.kept, 2_000, role.kind === 'api' ? 25_000 : 20_000),
        },
      ]),
      ...temporal.flatMap((kept) => [
        { name: `kill -9 of ${kept.name}`, strike: signal(() => kept, 'SIGKILL') },
        { name: `restart of ${kept.name}`, strike: signal(() => kept, 'SIGTERM') },
        { name: `pause of ${kept.name}`, strike: paused(() => kept, 1_000, 8_000) },
      ]),
      { name: 'kill -9 of PostgreSQL', strike: signal(() => postgres.kept, 'SIGKILL') },
      { name: 'immediate shutdown of PostgreSQL', strike: signal(() => postgres.kept, 'SIGQUIT') },
      { name: 'restart of PostgreSQL', strike: signal(() => postgres.kept, 'SIGINT') },
      { name: 'pause of PostgreSQL', strike: paused(() => postgres.kept, 2_000, 8_000) },
      {
        name: 'kill -9 of every role at once',
        strike: async () => {
          for (const { kept } of roles) trySignal(kept.pid, 'SIGKILL');
        },
      },
      { name: 'loss of a worker’s disk', strike: () => loseDisk(workers.at(-1)!) },
      // With a shared folder it is the folder of all, and its loss a loss.
      ...(objectStore
        ? [
            { name: 'loss of an API’s disk', strike: () => loseDisk(apis.at(-1)!) },
            { name: 'kill -9 of the object store', strike: signal(() => objectStore.kept, 'SIGKILL') },
            { name: 'restart of the object store', strike: signal(() => objectStore.kept, 'SIGTERM') },
            // Longer than a request may take, and longer than an answer waits.
            { name: 'pause of the object store', strike: paused(() => objectStore.kept, 2_000, 25_000) },
          ]
        : []),
      ...(disks.cache.canBeFull ? [{ name: 'full disk of a worker', strike: full(disks.cache) }] : []),
      ...(disks.events.canBeFull ? [{ name: 'full disk of the events', strike: full(disks.events) }] : []),
      ...(disks.database.canBeFull ? [{ name: 'full disk of PostgreSQL', strike: full(disks.database) }] : []),
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
