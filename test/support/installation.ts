import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { freePort } from './free-port.ts';
import { giveWorkflowBundle } from './caches.ts';
import { makeRepository, SITE } from './repository.ts';
import { spawnRole, untilReady, type RoleProcess } from './role-process.ts';
import { createTestDatabase, type TestDatabase } from './stack.ts';
import { ForbiddenTexts } from './forbidden-texts.ts';
import { services } from './run-services.ts';
import { patience, patienceMs } from './patience.ts';

const run = promisify(execFile);
/**
 * A Docent on the run's PostgreSQL and Temporal (or on others): real processes for every role, a real
 * repository, one project. `env` goes to all roles.
 */
export class Installation {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly repository: string;
  readonly apiUrl: string;
  readonly operatorToken: string;
  readonly projectId: string;
  readonly #env: Record<string, string>;
  readonly #roles: RoleProcess[];
  /** Of all roles. */
  readonly #home: string;
  /** WatchedJobRow for in the logs of all roles when the installation is stopped. */
  readonly forbiddenTexts: ForbiddenTexts;

  private constructor(
    parts:
      | { folder: string; database: TestDatabase; apiPort: number; env: Record<string, string> }
      | { of: Installation },
    projectId = 'acme',
  ) {
    this.projectId = projectId;
    if ('of' in parts) {
      const { of } = parts;
      this.folder = path.join(of.folder, projectId);
      this.database = of.database;
      this.apiUrl = of.apiUrl;
      this.operatorToken = of.operatorToken;
      this.forbiddenTexts = of.forbiddenTexts;
      this.#env = of.#env;
      this.#roles = of.#roles;
      this.#home = of.#home;
    } else {
      this.folder = parts.folder;
      this.database = parts.database;
      this.apiUrl = `http://127.0.0.1:${parts.apiPort}`;
      this.operatorToken = randomBytes(24).toString('hex');
      this.forbiddenTexts = new ForbiddenTexts();
      this.#env = {
        DATABASE_URL: parts.database.url,
        TEMPORAL_ADDRESS: services.temporalAddress,
        DOCENT_HOST: '127.0.0.1',
        DOCENT_PORT: String(parts.apiPort),
        DOCENT_PUBLIC_URL: this.apiUrl,
        DOCENT_OPERATOR_TOKEN: this.operatorToken,
        DOCENT_CACHE_DIR: path.join(parts.folder, 'cache'),
        DOCENT_JOBS_PER_HOUR: '100000',
        DOCENT_MESSAGES_PER_HOUR: '100000',
        DOCENT_LOG_LEVEL: 'info',
        ...parts.env,
      };
      this.#roles = [];
      this.#home = parts.folder;
    }
    this.repository = path.join(this.folder, 'docs.git');
  }

  /** Without roles yet; the repository holds `files`. */
  static async create(
    options: { files?: Record<string, string>; env?: Record<string, string>; database?: TestDatabase } = {},
  ): Promise<Installation> {
    const folder = await mkdtemp(path.join(tmpdir(), 'docent-installation-'));
    const database = options.database ?? (await createTestDatabase());
    const apiPort = await freePort();
    const installation = new Installation({ folder, database, apiPort, env: options.env ?? {} });
    const files = options.files ?? SITE;
    await Promise.all([makeRepository(installation.repository, files), giveWorkflowBundle(path.join(folder, 'cache'))]);
    installation.forbiddenTexts.addSecretsOf(installation.#env);
    installation.forbiddenTexts.add(...Object.values(files));
    return installation;
  }

  /** API and one worker, and the project. */
  static async started(options: Parameters<typeof Installation.create>[0] = {}): Promise<Installation> {
    const installation = await Installation.create(options);
    await Promise.all([installation.startApi(), installation.startWorker()]);
    await installation.createProject();
    return installation;
  }

  /**
   * The same processes and database with a repository, a folder and their own project. It is stopped
   * with the first.
   */
  async withOwnProject(files = SITE): Promise<Installation> {
    const other = new Installation({ of: this }, `acme-${randomBytes(4).toString('hex')}`);
    await makeRepository(other.repository, files);
    await other.createProject();
    return other;
  }

  get client(): DocentClient {
    return createDocentClient({ baseUrl: this.apiUrl, apiKey: this.operatorToken });
  }

  /** @param cli of another build; with another DOCENT_PORT in `env`, several run side by side */
  async startApi(env: Record<string, string> = {}, cli?: string): Promise<RoleProcess> {
    const role = this.spawn('api', env, cli);
    const url = env.DOCENT_PORT ? `http://127.0.0.1:${env.DOCENT_PORT}` : this.apiUrl;
    // Its own word, too: if it refuses to start, another program may have come to answer at this port.
    await untilReady(role, async () => role.output().includes('"answering"') && (await fetch(`${url}/healthz`)).ok);
    return role;
  }

  async startWorker(env: Record<string, string> = {}, cli?: string): Promise<RoleProcess> {
    const role = this.spawn('worker', env, cli);
    await untilReady(role, () => role.output().includes('ready for jobs'));
    return role;
  }

  async createProject(): Promise<void> {
    const { response, error } = await this.client.POST('/v1/projects', {
      body: { id: this.projectId, repository: this.repository, ref: 'main' },
    });
    if (!response.ok) throw new Error(`The project was refused: ${response.status} ${JSON.stringify(error)}`);
  }

  async post(prompt: string, idempotencyKey?: string): Promise<string> {
    this.forbiddenTexts.add(prompt);
    const { data, error } = await this.client.POST('/v2/agent/{projectId}/job', {
      params: {
        path: { projectId: this.projectId },
        ...(idempotencyKey ? { header: { 'Idempotency-Key': idempotencyKey } } : {}),
      },
      body: { prompt },
    });
    if (!data) throw new Error(`The job was refused: ${JSON.stringify(error)}`);
    return data.id;
  }

  async say(id: string, prompt: string): Promise<Response> {
    this.forbiddenTexts.add(prompt);
    const { response } = await this.client.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId: this.projectId, id } },
      body: { prompt },
    });
    return response;
  }

  async job(id: string) {
    const { data, error } = await this.client.GET('/v2/agent/{projectId}/job/{id}', {
      params: { path: { projectId: this.projectId, id } },
    });
    if (!data) throw new Error(`No job ${id}: ${JSON.stringify(error)}`);
    return data;
  }

  /** Waits until the job is no longer active; says what it last looked like if that takes too long. */
  async settled(id: string, withinMs = patienceMs()) {
    const startedAt = Date.now();
    const deadline = startedAt + withinMs;
    for (;;) {
      const job = await this.job(id);
      if (job.status !== 'active') return job;
      if (Date.now() > deadline) {
        throw new Error(
          `Job ${id} is still active after ${withinMs} ms.\n${this.#roles.map((role) => role.output().slice(-3_000)).join('\n---\n')}`,
        );
      }
      await sleep(patience(startedAt, 500));
    }
  }

  async git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', ['-C', this.repository, ...args], { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  async branches(): Promise<string[]> {
    return (await this.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).trim().split('\n').toSorted();
  }

  /** Commits of a branch that the base branch lacks, oldest first, as `subject`s. */
  async commits(branch: string): Promise<string[]> {
    const log = await this.git('log', '--reverse', '--format=%H', `main..${branch}`);
    return log.trim() === '' ? [] : log.trim().split('\n');
  }

  async stop(): Promise<void> {
    await Promise.all(this.#roles.map((role) => role.kill('SIGKILL')));
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    this.forbiddenTexts.mustNotBeIn(this.#roles);
  }

  /** Starts a role and waits for nothing. */
  spawn(role: 'api' | 'worker', env: Record<string, string> = {}, cli?: string): RoleProcess {
    const started = spawnRole(role, { HOME: this.#home, ...this.#env, ...env }, cli);
    this.#roles.push(started);
    return started;
  }
}

/** A test with its own installation, which is gone afterwards: such tests may run side by side. */
export const testWithDocent = test.extend<{ docent: Installation }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of other fixtures from here
  docent: async ({}, use) => {
    const docent = await Installation.create();
    try {
      await use(docent);
    } finally {
      await docent.stop();
    }
  },
});

/**
 * A test with its own repository and project in the file's one installation, whose API and worker run:
 * for tests that have processes neither die nor start.
 */
export const testWithProject = test.extend<{ installation: Installation; docent: Installation }>({
  installation: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of other fixtures from here
    async ({}, use) => {
      const installation = await Installation.create();
      try {
        await Promise.all([installation.startApi(), installation.startWorker()]);
        await use(installation);
      } finally {
        await installation.stop();
      }
    },
    { scope: 'file' },
  ],
  docent: async ({ installation }, use) => use(await installation.withOwnProject()),
});

/** A file that a fault point creates when it strikes. */
export function markerIn(installation: Installation, name: string): { file: string; reached(): boolean } {
  const file = path.join(installation.folder, `marker-${name}`);
  return { file, reached: () => existsSync(file) };
}

/** A fault point of processes that run: it strikes once after each `arm()`. */
export interface Trap {
  /** For DOCENT_TEST_FAULT. Several, separated by commas, go to one process. */
  readonly spec: string;
  arm(): void;
  reached(): boolean;
}

/** A fault point that is not armed yet: `point` as in DOCENT_TEST_FAULT, without a file. */
export function trapAt(installation: Installation, point: string, name = point.replace(':', '-')): Trap {
  const { file, reached } = markerIn(installation, `trap-${name}`);
  writeFileSync(file, '');
  return { spec: `${point}@${file}`, arm: () => rmSync(file), reached };
}
