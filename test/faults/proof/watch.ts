import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { Cluster } from './cluster.ts';

/** One quantity over time. */
export interface Series {
  /** Hours since the beginning. */
  at: number[];
  values: number[];
}

const MB = 1_024 * 1_024;

/** Memory and open files of every process, connections, and sizes of tables, sampled periodically. */
export class Watch {
  readonly series = new Map<string, Series>();
  readonly #cluster: Cluster;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> = Promise.resolve();

  constructor(cluster: Cluster, everyMs: number) {
    this.#cluster = cluster;
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#look()).catch(() => {}); // PostgreSQL is unavailable: the next poll shows.
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { roles, services } = this.#cluster;
    for (const { name, kept } of [...roles, ...services.map((kept) => ({ name: kept.name, kept }))]) {
      if (kept.pid === null) continue;
      const pids = await treeOf(kept.pid);
      const sizes = await Promise.all(pids.map(megabytesOf));
      this.#note(
        `memory of ${name}, MB`,
        sizes.reduce((sum, mb) => sum + mb, 0),
      );
      const files = await readdir(`/proc/${kept.pid}/fd`).catch(() => []);
      if (files.length > 0) this.#note(`open files of ${name}`, files.length);
    }
    await this.#askDatabase();
  }

  async #askDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.#cluster.databaseUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {}); // The query fails with it.
    try {
      await client.connect();
      const one = async (sql: string) => (await client.query<{ name: string; n: number }>(sql)).rows;
      for (const { n } of await one(
        "SELECT '' AS name, count(*)::int AS n FROM pg_stat_activity WHERE datname = 'docent' AND pid <> pg_backend_pid()",
      ))
        this.#note('connections to the database', n);
      for (const { n } of await one("SELECT '' AS name, count(*)::int AS n FROM jobs")) this.#note('jobs', n);
      for (const { name, n } of await one(
        "SELECT relname AS name, pg_total_relation_size(oid)::float8 AS n FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
      ))
        this.#note(`table ${name}, MB`, n / MB);
      for (const { n } of await one("SELECT '' AS name, pg_database_size('temporal')::float8 AS n"))
        this.#note("Temporal's database, MB", n / MB);
    } finally {
      await client.end().catch(() => {}); // Broken, or never open.
    }
  }

  #note(name: string, value: number): void {
    const series = this.series.get(name) ?? { at: [], values: [] };
    this.series.set(name, series);
    series.at.push((performance.now() - this.#began) / 3_600_000);
    series.values.push(value);
  }
}

async function treeOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(treeOf));
  return [pid, ...below.flat()];
}

async function megabytesOf(pid: number): Promise<number> {
  // Shared pages by their share: PostgreSQL's processes have most of theirs in common.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1_024;
}
