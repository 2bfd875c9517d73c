import { createHash, randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { apiConfigOf, type ApiConfig } from '../../src/api/api-config.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createApp, type ApiDeps } from '../../src/api/app.ts';
import type { components } from '@docent/client';
import { listen, type ListeningServer } from '../../src/api/server.ts';
import { createLogger } from '../../src/platform/log.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { Secret } from '../../src/platform/secret.ts';
import { projects } from '../../src/store/schema.ts';
import type {
  WorkflowJob,
  ChangePullRequestInput,
  ChangePullRequestResult,
  CheckHostInput,
  CheckHostResult,
  CheckModelInput,
  CheckModelResult,
  CheckRepositoryInput,
  CheckRepositoryResult,
  JobWorkflows,
  RefreshPullRequestInput,
  RefreshPullRequestResult,
  TestModelResult,
  TestWebhookInput,
  TestWebhookResult,
  WakePayload,
  ShortWorkflows,
} from '../../src/workflows/contract.ts';
import { READY } from './ready.ts';
import { MANY_SLOTS } from './job-rows.ts';
import { createTestDatabase, type TestDatabase } from './stack.ts';

/** Replaces Temporal, and records signals. */
class RecordingWorkflows implements Pick<JobWorkflows, 'start' | 'signal' | 'signalOpen'> {
  readonly calls: { call: 'start' | 'signal' | 'signalOpen'; job: WorkflowJob; payload?: WakePayload }[] = [];
  /** While set, every call fails with it, as when Temporal is unavailable. */
  failure: Error | null = null;

  /** While set, every call waits for it, as when Temporal is slow. */
  hold: Promise<void> | null = null;
  /** How many wait now. */
  held = 0;

  async start(job: WorkflowJob): Promise<void> {
    await this.#reach();
    this.calls.push({ call: 'start', job });
  }

  async signal(job: WorkflowJob, payload: WakePayload): Promise<void> {
    await this.#reach();
    this.calls.push({ call: 'signal', job, payload });
  }

  async signalOpen(job: WorkflowJob, payload: WakePayload): Promise<void> {
    await this.#reach();
    this.calls.push({ call: 'signalOpen', job, payload });
  }

  async #reach(): Promise<void> {
    this.held += 1;
    await this.hold;
    this.held -= 1;
    if (this.failure) throw this.failure;
  }
}

/** Replaces a worker that inspects repositories. */
class AnsweringWorkflows implements ShortWorkflows {
  checked: CheckRepositoryInput[] = [];
  changed: ChangePullRequestInput[] = [];
  checkAnswer: (input: CheckRepositoryInput) => Promise<CheckRepositoryResult> = async ({
    repository,
    ref,
    readFolder,
  }) => ({
    ...(readFolder === undefined ? {} : { files: [] }),
    ok: true,
    repository,
    url: `file://${repository}`,
    ref: ref ?? 'main',
    commit: 'a'.repeat(40),
    repositoryId: null,
    site: null,
    instructions: null,
  });
  hostAnswer: (input: CheckHostInput) => Promise<CheckHostResult> = async () => ({
    ok: true,
    account: 'docent-bot',
    problems: [],
  });
  changeAnswer: (input: ChangePullRequestInput) => Promise<ChangePullRequestResult> = async ({ action }) => ({
    ok: true,
    state: action === 'merge' ? 'merged' : 'closed',
  });

  async checkRepository(input: CheckRepositoryInput): Promise<CheckRepositoryResult> {
    this.checked.push(input);
    return this.checkAnswer(input);
  }

  async surveyRepository(input: CheckRepositoryInput): Promise<CheckRepositoryResult> {
    return this.checkRepository({ ...input, survey: true });
  }

  async checkHost(input: CheckHostInput): Promise<CheckHostResult> {
    return this.hostAnswer(input);
  }

  modelAnswer: (input: CheckModelInput) => Promise<CheckModelResult> = async ({ model }) => ({
    ok: false,
    message: `The model "${model}" has no known provider.`,
  });

  async checkModel(input: CheckModelInput): Promise<CheckModelResult> {
    return this.modelAnswer(input);
  }

  testAnswer: (input: CheckModelInput) => Promise<TestModelResult> = async () => ({
    ok: true,
    ms: 12,
    inputTokens: 90,
    outputTokens: 10,
    costUsd: null,
  });

  async testModel(input: CheckModelInput): Promise<TestModelResult> {
    return this.testAnswer(input);
  }

  refreshAnswer: (input: RefreshPullRequestInput) => Promise<RefreshPullRequestResult> = async () => ({ ok: true });

  async refreshPullRequest(input: RefreshPullRequestInput): Promise<RefreshPullRequestResult> {
    return this.refreshAnswer(input);
  }

  pingAnswer: (input: TestWebhookInput) => Promise<TestWebhookResult> = async () => ({ state: 'delivered' });

  async testWebhook(input: TestWebhookInput): Promise<TestWebhookResult> {
    return this.pingAnswer(input);
  }

  async changePullRequest(input: ChangePullRequestInput): Promise<ChangePullRequestResult> {
    this.changed.push(input);
    return this.changeAnswer(input);
  }
}

interface ApiCall {
  method?: string;
  /** A string goes out as it is; anything else as JSON. */
  body?: unknown;
  /** The operator token by default; null sends none. */
  token?: string | null;
  headers?: Record<string, string>;
}

interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, undefined if it is not one. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface TestApi {
  url: string;
  database: TestDatabase;
  server: ListeningServer;
  jobWorkflows: RecordingWorkflows;
  /** That its secrets are sealed with. */
  secrets: SecretBox;
  workflows: AnsweringWorkflows;
  operatorToken: string;
  /** Everything that was logged. */
  logged: () => string;
  call(path: string, call?: ApiCall): Promise<ApiAnswer>;
  /** Puts a project into the database, without looking at its repository. */
  addProject(id?: string): Promise<string>;
  /** Makes a key through the API and gives the key itself. */
  addKey(key?: Partial<components['schemas']['NewKey']>): Promise<string>;
  close(): Promise<void>;
}

/** The real API on its own port and a fresh database, every answer compared with the contract. */
export async function startTestApi(
  options: {
    config?: Partial<ApiConfig>;
    deps?: Partial<ApiDeps> | ((database: TestDatabase) => Promise<Partial<ApiDeps>>);
    validateResponses?: boolean;
    /** One that has its rows already. */
    database?: TestDatabase;
  } = {},
): Promise<TestApi> {
  const database = options.database ?? (await createTestDatabase());
  const jobWorkflows = new RecordingWorkflows();
  const workflows = new AnsweringWorkflows();
  const secrets = new SecretBox([new Secret(randomBytes(32).toString('base64'))]);
  const operatorToken = `operator-${randomBytes(24).toString('hex')}`;
  let logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  let url = 'http://127.0.0.1';
  const app = createApp(
    {
      database,
      jobWorkflows,
      workflows,
      secrets,
      // No worker ends jobs here, so they would soon wait for each other.
      config: { ...apiConfigOf(loadConfig({})), ...MANY_SLOTS, ...options.config },
      log: createLogger({ level: 'debug', name: 'api' }, sink),
      readiness: async () => READY,
      workflowOf: (jobId) => ({
        workflowId: `docent-test-job-${jobId}`,
        namespace: 'default',
        link: `https://temporal.example.com/namespaces/default/workflows/docent-test-job-${jobId}`,
      }),
      publicUrl: () => url,
      operatorTokenHashes: [createHash('sha256').update(operatorToken).digest()],
      ...(typeof options.deps === 'function' ? await options.deps(database) : options.deps),
    },
    { validateResponses: options.validateResponses ?? true },
  );
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  url = server.url;

  async function call(
    path: string,
    { method, body, token = operatorToken, headers = {} }: ApiCall = {},
  ): Promise<ApiAnswer> {
    const isJson = body !== undefined && typeof body !== 'string';
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : body,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  return {
    url,
    database,
    server,
    jobWorkflows,
    workflows,
    operatorToken,
    secrets,
    logged: () => logged,
    call,
    async addProject(id = `p-${randomBytes(6).toString('hex')}`) {
      await database.db.insert(projects).values({ id, repository: `/srv/git/${id}`, ref: 'main', docsDir: 'docs' });
      return id;
    },
    async addKey(key = {}) {
      const body = { name: 'test', projectIds: null, scopes: ['write'], ...key };
      const answer = await call('/v1/keys', { body });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json.key as string;
    },
    async close() {
      await server.close({ deadlineMs: 2_000 });
      await database.drop();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
