import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';

import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../packages/client/src/index.ts';
import { FakeHost, type FakeKind, type FakeToken } from './fake-host/fake-host.ts';
import type { FakeRepository } from './fake-host/fake-repository.ts';
import { git } from './git-fixture.ts';
import { historyText } from './history-text.ts';
import { Installation } from './installation.ts';
import { SITE } from './repository.ts';
import type { RoleProcess } from './role-process.ts';
import { services } from './run-services.ts';
import { patience, patienceMs } from './patience.ts';

type Job = components['schemas']['Job'];
type ProjectSettings = components['schemas']['ProjectSettings'];

export const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
export const FOLLOW_UP = 'Replace "Install" with "Set up" in guides/start';

/** A token of GitHub, and what it may. */
export const GITHUB_ACCESS = {
  token: `ghp_${'a1B2'.repeat(9)}`,
  may: { account: 'docent-bot', scopes: ['repo'], contents: 'write', pulls: 'write' },
} satisfies { token: string; may: FakeToken };

/**
 * A Docent whose repositories are on a fake code host. Each test takes its own repository and project.
 */
export class HostBench {
  readonly docent: Installation;
  readonly host: FakeHost;
  readonly token: string;
  readonly roles: RoleProcess[];
  readonly hostId: string;
  readonly #others: FakeHost[] = [];

  private constructor(docent: Installation, host: FakeHost, token: string, roles: RoleProcess[]) {
    this.docent = docent;
    this.host = host;
    this.token = token;
    this.roles = roles;
    this.hostId = host.kind.name;
  }

  static async start(
    kind: FakeKind,
    options: { token: string; may: FakeToken; env?: Record<string, string> },
  ): Promise<HostBench> {
    const host = await FakeHost.start(kind);
    host.tokens.set(options.token, options.may);
    const docent = await Installation.create({
      env: {
        DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
        DOCENT_PRIVATE_HOSTS: '127.0.0.1',
        DOCENT_HOST_POLL_SECONDS: '0',
        DOCENT_LOG_LEVEL: 'debug',
        ...options.env,
      },
    });
    const roles = await Promise.all([docent.startApi(), docent.startWorker()]);
    return new HostBench(docent, host, options.token, roles);
  }

  /** Another code host of the same Docent, which {@link stop} of that bench stops. */
  async withHost(kind: FakeKind, { token, may }: { token: string; may: FakeToken }): Promise<HostBench> {
    const host = await FakeHost.start(kind);
    host.tokens.set(token, may);
    this.#others.push(host);
    return new HostBench(this.docent, host, token, this.roles);
  }

  async stop(): Promise<void> {
    await this.docent.stop();
    for (const host of [this.host, ...this.#others]) await host.close();
  }

  async addHost(credential = this.token, id = this.hostId, appId?: string) {
    const { kind, url } = this.host;
    const added = await this.docent.client.POST('/v1/hosts', {
      body: { id, kind: kind.name, url, credential, ...(appId ? { appId } : {}) },
    });
    return { status: added.response.status, data: added.data, error: added.error };
  }

  /** A repository with the small site, and a project on it. */
  async project(settings: ProjectSettings = {}, host = this.hostId): Promise<BenchProject> {
    const id = `p${randomUUID().slice(0, 8)}`;
    const repository = this.host.addRepository(`acme/docs-${id}`, SITE);
    const { response, error } = await this.createProject(id, repository.path, { settings, host });
    if (!response.ok) throw new Error(`The project was refused: ${JSON.stringify(error)}`);
    return new BenchProject(this, id, repository);
  }

  /** Another repository with the name that this one had, and with its history. */
  impostorOf(repository: FakeRepository, name: string): FakeRepository {
    const impostor = this.host.addRepository(name, SITE);
    git(impostor.folder, 'fetch', '-q', repository.folder, '+refs/heads/main:refs/heads/main');
    return impostor;
  }

  /** Renames a repository, and gives its name to another one. */
  swap(repository: FakeRepository): FakeRepository {
    const name = repository.path;
    this.host.rename(repository, `acme/swapped-${repository.id}`);
    return this.impostorOf(repository, name);
  }

  createProject(id: string, path: string, more: { settings?: ProjectSettings; host?: string; ref?: string } = {}) {
    return this.docent.client.POST('/v1/projects', { body: { id, repository: `${this.host.url}/${path}`, ...more } });
  }

  /** Everything that was printed or stored: where a credential must not be. */
  async everything(): Promise<string> {
    const { pool } = this.docent.database;
    const { rows: tables } = await pool.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    const dumps = await Promise.all(
      tables.map(async ({ tablename }) =>
        JSON.stringify((await pool.query(`SELECT row_to_json(t)::text AS row FROM "${tablename}" t`)).rows),
      ),
    );
    const pulls = this.host.repositories.map(({ pulls: all }) => JSON.stringify(all));
    return [...this.roles.map((role) => role.output()), ...dumps, ...pulls].join('\n');
  }
}

export class BenchProject {
  readonly bench: HostBench;
  readonly id: string;
  readonly repository: FakeRepository;

  constructor(bench: HostBench, id: string, repository: FakeRepository) {
    this.bench = bench;
    this.id = id;
    this.repository = repository;
  }

  async post(prompt = SECTION, told: Omit<components['schemas']['NewJob'], 'prompt'> = {}): Promise<string> {
    const { data, error } = await this.bench.docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: this.id } },
      body: { prompt, ...told },
    });
    if (!data) throw new Error(`The job was refused: ${JSON.stringify(error)}`);
    return data.id;
  }

  async say(id: string, prompt = FOLLOW_UP): Promise<void> {
    const { response } = await this.bench.docent.client.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId: this.id, id } },
      body: { prompt },
    });
    if (!response.ok) throw new Error(`The message was refused: ${response.status}`);
  }

  async settled(id: string, withinMs = patienceMs()): Promise<Job> {
    const startedAt = Date.now();
    for (;;) {
      const { data } = await this.bench.docent.client.GET('/v2/agent/{projectId}/job/{id}', {
        params: { path: { projectId: this.id, id } },
      });
      if (data && data.status !== 'active') return data;
      if (Date.now() - startedAt > withinMs) {
        throw new Error(
          `Job ${id} is still active.\n${this.bench.roles.map((role) => role.output().slice(-4_000)).join('\n')}`,
        );
      }
      await sleep(patience(startedAt, 2_000));
    }
  }

  /** The texts of the job’s events, as one text. */
  async events(id: string): Promise<string> {
    const { rows } = await this.bench.docent.database.pool.query('SELECT text FROM job_events WHERE job_id = $1', [id]);
    return rows.map(({ text }) => text).join('\n');
  }

  async pullRequests(id: string): Promise<{ id: string; state: string; number: number }[]> {
    const { rows } = await this.bench.docent.database.pool.query(
      'SELECT id, state, number FROM pull_requests WHERE job_id = $1 ORDER BY chain_no',
      [id],
    );
    return rows;
  }

  change(pullRequestId: string, action: 'merge' | 'close'): Promise<Response> {
    return fetch(`${this.bench.docent.apiUrl}/pull-requests/${pullRequestId}/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.bench.docent.operatorToken}`, accept: 'application/json' },
    });
  }

  /** Of all of the installation's workflows, as Temporal keeps them. */
  async histories(): Promise<string> {
    const connection = await Connection.connect({ address: services.temporalAddress });
    const client = new Client({ connection });
    const { rows } = await this.bench.docent.database.pool.query('SELECT id FROM installation');
    const parts: string[] = [];
    const found = client.workflow.list({ query: `WorkflowId STARTS_WITH 'docent-${rows[0].id}'` });
    for await (const { workflowId, runId } of found)
      parts.push(historyText(await client.workflow.getHandle(workflowId, runId).fetchHistory()));
    await connection.close();
    return parts.join('\n');
  }

  /** Posts a job and waits for its end. */
  async run(prompt = SECTION): Promise<Job> {
    return this.settled(await this.post(prompt));
  }
}
