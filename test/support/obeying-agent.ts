import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { eq } from 'drizzle-orm';

import { createControlActivities } from '../../src/activities/requests/carry-out-request.ts';
import { createTurnActivities } from '../../src/activities/turn-activities.ts';
import type { ActivityDeps } from '../../src/activities/deps.ts';
import { createPageFetch } from '../../src/activities/step/fetch-page.ts';
import { TranscriptMemory } from '../../src/activities/step/transcript-memory.ts';
import { createAgentPool } from '../../src/agent/agent-pool.ts';
import type { Model, ModelAnswer, ModelRequest } from '@docent/models/model';
import { loadConfig } from '../../src/config/config.ts';
import { createJobWorkflows } from '../../src/temporal/job-workflows.ts';
import { createGitStore } from '../../src/git/git-store.ts';
import { createLocalHost } from '../../src/code-hosts/local/local.ts';
import { createLogger } from '../../src/platform/log.ts';
import { workflowBundle } from './caches.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import { changedPages } from '../../src/store/jobs/changes-schema.ts';
import { projects } from '../../src/store/schema.ts';
import { findPullRequestByHead, type PullRequestRow } from '../../src/store/pull-requests/pull-requests.ts';
import { jobWorkflowId, taskQueueOf } from '../../src/workflows/contract.ts';
import { startTestApi, type TestApi } from './api-server.ts';
import { git, makeBare, makeWorkTree, type WorkFile } from './git-fixture.ts';
import { historyText } from './history-text.ts';
import { patience } from './patience.ts';
import { services } from './run-services.ts';
import { NativeConnection, Worker } from './temporal-worker.ts';

/**
 * What the model does in one step: calls of tools by name and input, or its closing words; or decides when it
 * is asked.
 */
export type Obeyed =
  | [name: string, input: Record<string, unknown>][]
  | string
  | ((request: ModelRequest) => [name: string, input: Record<string, unknown>][] | string);

/** All that came of a job, as someone outside can see it. */
export interface Outcome {
  id: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  job: any;
  branch: string;
  /** `<mode> <path>` of what differs between the base branch and the job's; deleted: `000000 <path>`. */
  changed: string[];
  /** Refs that are new or moved, besides the job's own branch. */
  otherRefs: string[];
  pullRequest: PullRequestRow | null;
  /** What the model was given, call by call. */
  requests: ModelRequest[];
  /** What the tools answered, in order. */
  answers: string[];
  /** The workflow's history, its payloads as text. */
  history: string;
  /** The log of worker and API since the job began. */
  log: string;
  /** The pages of the change that are kept whole: of what is pending, and of the pull request. */
  pages: (typeof changedPages.$inferSelect)[];
  /** Job, events, diff, pages and the pull request's page, as the API gives them. */
  api: string;
}

/**
 * A Docent in this process whose model obeys the test, as a model does that obeys an attacker.
 * Everything else is real: API, workflow, activities, child processes, git.
 */
export class ObeyingAgent {
  readonly folder: string;
  readonly #api: TestApi;
  readonly #client: Client;
  readonly #installation: string;
  readonly #close: () => Promise<void>;
  readonly #model: ScriptedModel;
  readonly #logged: () => string;

  private constructor(parts: {
    folder: string;
    api: TestApi;
    client: Client;
    installation: string;
    model: ScriptedModel;
    logged: () => string;
    close: () => Promise<void>;
  }) {
    this.folder = parts.folder;
    this.#api = parts.api;
    this.#client = parts.client;
    this.#installation = parts.installation;
    this.#model = parts.model;
    this.#logged = parts.logged;
    this.#close = parts.close;
  }

  static async start(): Promise<ObeyingAgent> {
    const folder = mkdtempSync(path.join(tmpdir(), 'docent-attack-'));
    const address = services.temporalAddress;
    const connection = await Connection.connect({ address });
    const native = await NativeConnection.connect({ address });
    const client = new Client({ connection });
    let logged = '';
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged += chunk.toString();
        done();
      },
    });
    const log = createLogger({ level: 'debug', name: 'worker' }, sink);
    let installation = '';
    const api = await startTestApi({
      deps: async ({ db }) => {
        installation = await installationId(db);
        const settings = { installationId: installation, searchAttributes: false };
        return { jobWorkflows: createJobWorkflows(client, { ...settings, deadlineMs: 10_000 }) };
      },
    });
    const { db } = api.database;
    const git = createGitStore({ cacheDir: path.join(folder, 'git'), log });
    const agents = createAgentPool({ cacheDir: path.join(folder, 'pages'), log });
    const local = createLocalHost({ db, publicUrl: () => api.url });
    const model = new ScriptedModel();
    const deps: ActivityDeps = {
      db,
      git,
      agents,
      hosts: { get: async () => local, connect: async () => local, hookSecret: async () => null },
      transcripts: new TranscriptMemory(),
      jobWorkflows: createJobWorkflows(client, { installationId: installation, searchAttributes: false }),
      models: { find: () => model, resolve: async () => model },
      webhooks: { send: () => Promise.reject(new TypeError('There is none.')) },
      fetchPage: createPageFetch(['127.0.0.1']),
      log,
      settings: loadConfig({}),
    };
    const worker = await Worker.create({
      connection: native,
      taskQueue: taskQueueOf(installation),
      workflowBundle: await workflowBundle(),
      activities: { ...createTurnActivities(deps), ...createControlActivities(deps) },
    });
    const running = worker.run();
    return new ObeyingAgent({
      folder,
      api,
      client,
      installation,
      model,
      logged: () => logged + api.logged(),
      async close() {
        worker.shutdown();
        await running;
        await Promise.all([git.close(), agents.close(), native.close(), connection.close()]);
        await api.close();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    });
  }

  /** A bare repository with these files on `main`, and its own project. */
  async repository(
    files: Record<string, WorkFile>,
    options: { docsDir?: string; prepare?: (workTree: string) => void } = {},
  ): Promise<Attacked> {
    const id = `p-${randomUUID().slice(0, 8)}`;
    const work = path.join(this.folder, id);
    makeWorkTree(work, files);
    options.prepare?.(work);
    const bare = makeBare(work, path.join(this.folder, `${id}.git`));
    await this.#api.database.db
      .insert(projects)
      .values({ id, repository: bare, ref: 'main', model: 'builtin', docsDir: options.docsDir ?? '' });
    return { id, work, bare };
  }

  /** Posts a job (or a message to one) and lets the model do these steps; then checks everything. */
  async run(
    at: Attacked,
    steps: readonly Obeyed[],
    options: { prompt?: string; jobId?: string } = {},
  ): Promise<Outcome> {
    const prompt = options.prompt ?? 'Improve the docs';
    const refsBefore = refsOf(at.bare);
    const logFrom = this.#logged().length;
    this.#model.play(steps);
    const base = `/v2/agent/${at.id}/job`;
    const route = options.jobId ? `${base}/${options.jobId}/message` : base;
    const posted = await this.#api.call(route, { body: { prompt } });
    if (posted.status > 201) throw new Error(posted.text);
    const id: string = options.jobId ?? posted.json.id;
    const job = await this.#settled(`${base}/${id}`);
    const branch = `docent/${id}`;
    const pullRequest = await findPullRequestByHead(this.#api.database.db, at.id, branch);
    const refsAfter = refsOf(at.bare);
    const [events, diff, page] = await Promise.all([
      this.#api.call(`${base}/${id}/events`, { headers: { accept: 'application/json' } }),
      this.#api.call(`${base}/${id}/diff`),
      pullRequest ? this.#api.call(`/pull-requests/${pullRequest.id}`, { token: null }) : null,
    ]);
    const { db } = this.#api.database;
    const pages = await db.select().from(changedPages).where(eq(changedPages.jobId, id)).orderBy(changedPages.path);
    const handle = this.#client.workflow.getHandle(jobWorkflowId(this.#installation, id));
    return {
      id,
      job,
      branch,
      changed: refsAfter.has(`refs/heads/${branch}`) ? changedBetween(at.bare, 'main', branch) : [],
      otherRefs: [...refsAfter]
        .filter(([ref, tip]) => ref !== `refs/heads/${branch}` && refsBefore.get(ref) !== tip)
        .map(([ref]) => ref),
      pullRequest,
      requests: this.#model.requests,
      answers: this.#model.requests
        .at(-1)!
        .transcript.flatMap((entry) => (entry.role === 'tool' ? entry.results.map(({ text }) => text) : [])),
      history: historyText(await handle.fetchHistory()),
      log: this.#logged().slice(logFrom),
      pages,
      api: [JSON.stringify(job), events.text, diff.text, JSON.stringify(pages), page?.text ?? ''].join('\n'),
    };
  }

  /** What the operator sets of a project. */
  async update(at: Attacked, settings: Record<string, unknown>): Promise<void> {
    const { status, text } = await this.#api.call(`/v1/projects/${at.id}`, { method: 'PATCH', body: settings });
    if (status !== 200) throw new Error(text);
  }

  /** A file of the job's branch. */
  read(at: Attacked, branch: string, file: string): string {
    return git(at.bare, 'show', `${branch}:${file}`);
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async #settled(route: string): Promise<any> {
    const startedAt = Date.now();
    for (;;) {
      const { json } = await this.#api.call(route);
      if (json.status !== 'active') return json;
      if (Date.now() - startedAt > 45_000) throw new Error(`The job does not end:\n${this.#logged().slice(-3_000)}`);
      await sleep(patience(startedAt, 500));
    }
  }
}

export interface Attacked {
  id: string;
  /** Where a person works. */
  work: string;
  bare: string;
}

class ScriptedModel implements Model {
  readonly id = 'builtin';
  readonly contextTokens = null;
  readonly price = null;
  requests: ModelRequest[] = [];
  #steps: Obeyed[] = [];

  play(steps: readonly Obeyed[]): void {
    this.#steps = [...steps];
    this.requests = [];
  }

  async respond(request: ModelRequest): Promise<ModelAnswer> {
    this.requests.push(request);
    const next = request.toolChoice === 'none' ? 'Done' : (this.#steps.shift() ?? 'Done');
    const step = typeof next === 'function' ? next(request) : next;
    const usage = { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
    if (typeof step === 'string') return { text: step, toolCalls: [], usage };
    return { text: '', toolCalls: step.map(([name, input]) => ({ id: randomUUID(), name, input })), usage };
  }
}

function refsOf(bare: string): Map<string, string> {
  const lines = git(bare, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

function changedBetween(bare: string, from: string, to: string): string[] {
  const fields = git(bare, 'diff', '--raw', '--no-renames', '-z', from, to).split('\0').filter(Boolean);
  return fields.flatMap((field, i) => (i % 2 === 0 ? [`${field.split(' ')[1]} ${fields[i + 1]}`] : []));
}
