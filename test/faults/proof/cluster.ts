import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Kept } from '../../../scripts/cluster/kept.ts';
import { startSystemPostgres, type SystemPostgres } from '../../../scripts/cluster/postgres.ts';
import { SERVER_VERSION, temporalPrograms } from '../../../scripts/cluster/temporal-programs.ts';
import { startTemporalServices } from '../../../scripts/cluster/temporal-services.ts';
import { freePort } from '../../../scripts/free-port.ts';
import { FEW_ARENAS } from '../../../src/platform/processes/heap-growth.ts';
import { Reaper } from '@docent/servers/processes/reaper';
import { BARE_ENV } from '../../support/bare-env.ts';
import { THIS_BUILD, type Build } from '../../support/builds.ts';
import { makeRepository } from '../../support/repository.ts';
import { Disk } from './disk.ts';
import { startObjectStore, type ObjectStore } from './object-store.ts';

const APIS = 2;
const WORKERS = 3;
/** Room for the databases of Docent and Temporal, and for events; in memory, used as it is written. */
const DATABASE_DISK = '2g';
const SMALL_DISK = '512m';

/** A role of Docent, and its process under a service manager. */
export interface Role {
  readonly name: string;
  readonly kind: 'api' | 'worker';
  /** Of an API. */
  readonly url: string | null;
  /** Its own data, which is lost with its machine. */
  readonly folders: readonly string[];
  readonly env: Record<string, string>;
  kept: Kept;
  /** Before it was replaced by another build. */
  startsBefore: number;
}

/**
 * PostgreSQL, Temporal's four services, two APIs and three workers, each its own process that is started
 * again when it ends.
 */
export class Cluster {
  readonly folder: string;
  readonly reaper: Reaper;
  readonly operatorToken = randomBytes(24).toString('hex');
  readonly repository: string;
  readonly versions: { postgres: string; temporal: string };
  readonly temporal: readonly Kept[];
  readonly postgres: SystemPostgres;
  /** Where event files are kept in a bucket. */
  readonly objectStore: ObjectStore | null;
  readonly databaseUrl: string;
  readonly disks: { database: Disk; events: Disk; cache: Disk };
  readonly roles: Role[] = [];
  readonly #logs: string;
  /** Workers that reported to be ready. */
  readonly #taking = new Set<string>();

  private constructor(
    of: Pick<Cluster, 'folder' | 'reaper' | 'temporal' | 'postgres' | 'objectStore' | 'disks'> & { logs: string },
  ) {
    this.folder = of.folder;
    this.reaper = of.reaper;
    this.temporal = of.temporal;
    this.postgres = of.postgres;
    this.objectStore = of.objectStore;
    this.disks = of.disks;
    this.#logs = of.logs;
    this.repository = path.join(of.folder, 'docs.git');
    this.databaseUrl = of.postgres.url.replace(/\/postgres$/, '/docent');
    this.versions = { postgres: of.postgres.version, temporal: SERVER_VERSION };
  }

  /**
   * @param hasBucket event files are kept in a bucket, and each role has its own disk; else all share
   * one
   * @param logs a folder: what each role printed
   */
  static async start(
    files: Record<string, string>,
    { logs, hasBucket, say }: { logs: string; hasBucket: boolean; say: (text: string) => void },
  ): Promise<Cluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'docent-proof-'));
    const reaper = new Reaper();
    reaper.deleteAfterDeath(folder);
    const disks = { database: new Disk(DATABASE_DISK), events: new Disk(SMALL_DISK), cache: new Disk(SMALL_DISK) };
    try {
      const programs = await temporalPrograms(say);
      const postgres = await startSystemPostgres(disks.database.folder, reaper, ['max_wal_size=256MB']);
      const temporal = await startTemporalServices(folder, programs, postgres, reaper);
      const objectStore = hasBucket ? await startObjectStore(path.join(folder, 'objects'), reaper) : null;
      const of = { folder, reaper, postgres, temporal: temporal.services, objectStore, disks, logs };
      const cluster = new Cluster(of);
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      await client.query('CREATE DATABASE docent');
      await client.end();
      await makeRepository(cluster.repository, files);
      await mkdir(logs, { recursive: true });
      await cluster.#startRoles({ TEMPORAL_ADDRESS: temporal.address, ...objectStore?.env });
      return cluster;
    } catch (err) {
      await reaper.close();
      for (const disk of Object.values(disks)) disk.remove();
      throw err;
    }
  }

  get apis(): Role[] {
    return this.roles.filter(({ kind }) => kind === 'api');
  }

  get workers(): Role[] {
    return this.roles.filter(({ kind }) => kind === 'worker');
  }

  get urls(): string[] {
    return this.apis.map(({ url }) => url ?? '');
  }

  /** The folder with the event files of the manifest, each under its name. */
  get filesFolder(): string {
    return this.objectStore?.objects ?? this.#folderOf('', 'analytics');
  }

  /** The services that the roles need. */
  get services(): Kept[] {
    return [...this.temporal, ...(this.objectStore ? [this.objectStore.kept] : []), this.postgres.kept];
  }

  /** How often each process was started. */
  get starts(): Record<string, number> {
    return Object.fromEntries([
      ...this.roles.map(({ name, kept, startsBefore }) => [name, startsBefore + kept.starts] as const),
      ...this.services.map(({ name, starts }) => [name, starts] as const),
    ]);
  }

  async #startRoles(more: Record<string, string>): Promise<void> {
    const ports = await Promise.all(Array.from({ length: APIS }, () => freePort()));
    const common = {
      ...BARE_ENV,
      ...FEW_ARENAS,
      DATABASE_URL: this.databaseUrl,
      HOME: this.folder,
      DOCENT_HOST: '127.0.0.1',
      DOCENT_PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
      DOCENT_OPERATOR_TOKEN: this.operatorToken,
      DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
      DOCENT_JOBS_PER_HOUR: '1000000',
      DOCENT_MESSAGES_PER_HOUR: '1000000',
      DOCENT_LOG_LEVEL: 'info',
      ...more,
    };
    const add = (name: string, kind: Role['kind'], port: number | null) => {
      const cache = this.#folderOf(name, 'cache');
      const events = this.#folderOf(name, 'analytics');
      const listen: Record<string, string> = port === null ? {} : { DOCENT_PORT: String(port) };
      const env = { ...common, DOCENT_CACHE_DIR: cache, DOCENT_ANALYTICS_DIR: events, ...listen };
      const url = port === null ? null : `http://127.0.0.1:${port}`;
      const folders = this.objectStore ? [cache, events] : [cache];
      this.roles.push({
        name,
        kind,
        url,
        folders,
        env,
        kept: this.#kept(name, kind, env, THIS_BUILD),
        startsBefore: 0,
      });
    };
    ports.forEach((port, i) => add(`api-${i + 1}`, 'api', port));
    for (let no = 1; no <= WORKERS; no += 1) add(`worker-${no}`, 'worker', null);
    // The first one brings the schema.
    for (const role of this.roles) await this.#begin(role);
  }

  /**
   * The first worker's cache is on a disk that can be full, and so are the page views that all share, or
   * those of the first API.
   */
  #folderOf(name: string, what: 'cache' | 'analytics'): string {
    const { cache, events } = this.disks;
    if (what === 'cache') return path.join(name === 'worker-1' ? cache.folder : this.folder, `cache-${name}`);
    if (!this.objectStore) return path.join(events.folder, 'analytics');
    return path.join(name === 'api-1' ? events.folder : this.folder, `analytics-${name}`);
  }

  #kept(name: string, kind: Role['kind'], env: Record<string, string>, build: Build): Kept {
    const log = createWriteStream(path.join(this.#logs, `${name}.log`), { flags: 'a' });
    return new Kept({
      name,
      command: process.execPath,
      args: [build.cli, kind],
      env: { ...env, ...build.env },
      cwd: this.folder,
      stopGraceMs: 60_000,
      onLine: (line) => {
        log.write(`${line}\n`);
        if (line.includes('ready for jobs')) this.#taking.add(name);
      },
      reaper: this.reaper,
    });
  }

  async #begin(role: Role): Promise<void> {
    this.#taking.delete(role.name);
    await role.kept.start();
    const deadline = Date.now() + 240_000;
    while (!(await this.#isReady(role))) {
      if (Date.now() > deadline) throw new Error(`${role.name} does not become ready:\n${role.kept.lastOutput}`);
      await sleep(200);
    }
  }

  async #isReady({ name, url }: Role): Promise<boolean> {
    if (url === null) return this.#taking.has(name);
    return fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Ends a role as a service manager does, and starts it from another build. */
  async replace(role: Role, build: Build): Promise<void> {
    await role.kept.stop();
    role.startsBefore += role.kept.starts;
    role.kept = this.#kept(role.name, role.kind, role.env, build);
    await this.#begin(role);
  }

  /** Kills all remaining processes: the checks are done. */
  async stop(): Promise<void> {
    const { services } = this;
    for (const { pid } of [...this.roles.map(({ kept }) => kept), ...services])
      if (pid !== null) trySignal(pid, 'SIGCONT');
    await Promise.all(this.roles.map(({ kept }) => kept.stop()));
    for (const kept of services) await kept.stop();
    await this.reaper.close();
    for (const disk of Object.values(this.disks)) disk.remove();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A process may just have ended on its own. */
export function trySignal(pid: number | null, signal: NodeJS.Signals): boolean {
  try {
    return pid !== null && process.kill(pid, signal);
  } catch {
    return false;
  }
}
