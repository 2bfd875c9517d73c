import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { readOperatorToken } from '../../src/start/home.ts';
import type { DocsBlock } from './docs-blocks.ts';
import { clone, DOCS, makeFiles } from './docs-files.ts';
import { DocsHosts } from './docs-hosts.ts';
import { DocsWebhooks } from './docs-webhooks.ts';
import { Shell } from './docs-shell.ts';
import { CLI, ROOT, StartedDocent } from './processes.ts';
import { TEST_KEY } from './models.ts';
import { WarmCommand } from './warm-command.ts';
import { ScriptedModels, type Move } from './scripted-models.ts';
import { HAS_TERMINALS, terminalCommand } from './terminal.ts';

/** The page's path of what is on the test's disk. */
const IMITATED = { '/srv/git/': 'srv/', 'https://example.com/acme/': 'origin/acme/', '/var/log/nginx/': 'log/' };

/** What a model does for docs/guides/first-pull-request.mdx: a job, and a message to it. */
const FIRST_PULL_REQUEST: Move[] = [
  {
    say: 'I rewrite the introduction.',
    calls: [['edit', replaced('This page was written by a job.', 'Learn what a job does.')]],
  },
  { say: 'The introduction says what readers learn.' },
  { say: 'I change the title.', calls: [['edit', replaced('title: Hello', 'title: Welcome')]] },
  { say: 'The title is Welcome.' },
];

function replaced(oldText: string, newText: string): Record<string, string> {
  return { path: 'docs/guides/hello.mdx', oldText, newText };
}

/**
 * A new user's machine, with a Docent that runs: a home, the command, a checkout's folder with `.docent`.
 * What the pages name and is not here is in the test's folder, and code hosts are fakes.
 */
export class DocsBench {
  readonly #folder: string;
  readonly #hosts: DocsHosts;
  readonly #models: ScriptedModels;
  readonly #webhooks: DocsWebhooks;
  readonly #databaseUrl: string;
  readonly #docent: StartedDocent;
  readonly #client: DocentClient;
  readonly #key: string;
  readonly apiUrl: string;
  readonly #command: WarmCommand;
  #shell: Shell;

  private constructor(parts: {
    folder: string;
    hosts: DocsHosts;
    models: ScriptedModels;
    webhooks: DocsWebhooks;
    databaseUrl: string;
    docent: StartedDocent;
    client: DocentClient;
    key: string;
    apiUrl: string;
    command: WarmCommand;
    shell: Shell;
  }) {
    this.#folder = parts.folder;
    this.#hosts = parts.hosts;
    this.#models = parts.models;
    this.#webhooks = parts.webhooks;
    this.#databaseUrl = parts.databaseUrl;
    this.#docent = parts.docent;
    this.#client = parts.client;
    this.#key = parts.key;
    this.apiUrl = parts.apiUrl;
    this.#command = parts.command;
    this.#shell = parts.shell;
  }

  static async start(): Promise<DocsBench> {
    const folder = mkdtempSync(path.join(tmpdir(), 'docent-docs-'));
    await makeFiles(folder);
    const hosts = await DocsHosts.start(DOCS, path.join(folder, 'checkout'));
    const command = await WarmCommand.start();
    const shell = new Shell(folder, command);
    const linked = await shell.run(`cd ${ROOT} && npm link && ~/.local/bin/docent --version`);
    if (linked.code !== 0) throw new Error(`npm link gave no command that runs:\n${linked.output}`);
    const models = new ScriptedModels();
    models.play('You are asked whether you work', { say: 'Yes.', calls: [['report', { word: 'ready' }]] });
    models.play('say what readers learn', ...FIRST_PULL_REQUEST);
    const modelsUrl = await models.mock.start();
    const docent = new StartedDocent(path.join(folder, 'checkout', '.docent'), {
      // Only a terminal is shown all of it.
      ...(HAS_TERMINALS && { command: terminalCommand([process.execPath, CLI, 'start']) }),
      env: {
        DOCENT_PRIVATE_HOSTS: '127.0.0.1',
        DOCENT_HOST_POLL_SECONDS: '0',
        ANTHROPIC_API_KEY: TEST_KEY,
        ANTHROPIC_BASE_URL: modelsUrl,
        OPENAI_API_KEY: TEST_KEY,
        OPENAI_BASE_URL: `${modelsUrl}/v1`,
        OPENAI_COMPATIBLE_BASE_URL: `${modelsUrl}/v1`,
        // As `npm start` has it.
        npm_lifecycle_event: 'start',
      },
    });
    const { apiUrl, databaseUrl = '' } = await docent.ready();
    const client = createDocentClient({ baseUrl: apiUrl, apiKey: readOperatorToken(docent.home) ?? '' });
    const { data } = await client.POST('/v1/keys', {
      body: { name: 'docs', projectIds: null, scopes: ['write', 'events', 'analytics'] },
    });
    writeFileSync(path.join(folder, 'checkout', 'key.txt'), data?.key ?? '');
    const webhooks = await DocsWebhooks.start();
    return new DocsBench({
      folder,
      hosts,
      models,
      webhooks,
      databaseUrl,
      docent,
      client,
      key: data?.key ?? '',
      apiUrl,
      command,
      shell,
    });
  }

  async stop(): Promise<void> {
    await this.#docent.stop();
    await this.#hosts.close();
    await this.#models.mock.stop();
    await this.#webhooks.close();
    await this.#command.close();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** What `docent start` has printed. */
  get startOutput(): string {
    return this.#docent.output;
  }

  /** A new page: another shell, and nothing left of what the previous page has made. */
  async turnTo(page: string): Promise<void> {
    this.#shell = new Shell(this.#folder, this.#command, {
      // Not exported: `docent` finds the server by its home, as it does for a user of this machine.
      plain: { KEY: this.#key, DOCENT_API_KEY: this.#key, DOCENT_URL: this.apiUrl },
      folder: page.endsWith('concepts/pull-requests.mdx') ? path.join(this.#folder, 'srv/docs.git') : undefined,
    });
    await this.#client.PATCH('/v1/model', { body: { model: null } });
    for (const project of await this.#projects()) if (project !== 'demo') await this.#forget(project);
    const { data } = await this.#client.GET('/v1/hosts');
    for (const { id } of data?.hosts ?? []) if (id !== 'local') await this.#forgetHost(id);
    rmSync(path.join(this.#folder, 'srv'), { recursive: true, force: true });
    const isBare = page.endsWith('concepts/pull-requests.mdx') ? [] : ['--bare'];
    clone(this.#folder, 'origin/acme/docs.git', 'srv/docs.git', ...isBare);
    clone(this.#folder, 'origin/acme/server.git', 'srv/server.git', '--bare');
  }

  writeFile({ title, text }: DocsBlock): void {
    writeFileSync(path.join(this.#shell.folder, path.basename(title)), `${text}\n`);
  }

  /** Runs a block of commands, once what it takes for given is there. */
  async run({ text, page }: DocsBlock): Promise<{ output: string; code: number }> {
    await this.#makeRoomFor(text);
    const named =
      /(?:--project|project (?:update|show|delete|usage)|v[12]\/(?:agent|analytics)|"projectId":)[ /]"?([a-z-]+)/.exec(
        text,
      );
    const project = named?.[1] ?? (/pull-requests|own-docs/.test(page) ? 'acme-docs' : 'demo');
    const makes = new RegExp(`project create ${project}|/v1/projects .*"id": "${project}"`, 's').test(text);
    if (!makes && !(await this.#projects()).includes(project)) await this.#make(project);
    const isStopped = text.includes('docent job cancel');
    // There is something to cancel, for as long as no one works on it.
    if (isStopped) process.kill(this.#docent.pidOf('worker'), 'SIGSTOP');
    try {
      const jobId = /(?<!_)JOB_ID/.test(text) ? await this.#jobOf(project, isStopped) : '';
      const previews: Record<string, string> = {};
      for (const [name] of text.matchAll(/\b(?:OTHER_)?PREVIEW_ID\b/g))
        previews[name] ??= await this.#previewOf(project);
      const webhook = await this.#webhooks.variablesFor(text, this.#client, project);
      return await this.#shell.run(await this.#replaced(text), { JOB_ID: jobId, ...previews, ...webhook });
    } finally {
      if (isStopped) process.kill(this.#docent.pidOf('worker'), 'SIGCONT');
    }
  }

  /**
   * Type-checks programs that import `@docent/client`, as strictly as a careful user. The output is empty
   * if all is right.
   */
  async compile(files: Record<string, string>): Promise<{ output: string; code: number }> {
    const scope = path.join(this.#programs, 'node_modules/@docent');
    mkdirSync(scope, { recursive: true });
    symlinkSync(path.join(ROOT, 'packages/client'), path.join(scope, 'client'));
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(this.#programs, name), text.replaceAll('http://127.0.0.1:4000', this.apiUrl));
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    };
    const config = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
    writeFileSync(path.join(this.#programs, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(path.join(this.#programs, 'package.json'), JSON.stringify({ type: 'module' }));
    return this.#shell.run(`${ROOT}/node_modules/.bin/tsc -p '${this.#programs}'`);
  }

  runProgram(name: string): Promise<{ output: string; code: number }> {
    return this.#shell.run(`node '${path.join(this.#programs, name)}'`, {}, { DOCENT_API_KEY: this.#key });
  }

  get #programs(): string {
    return path.join(this.#folder, 'programs');
  }

  async #replaced(text: string): Promise<string> {
    let replaced = text
      // A person types the key.
      .replaceAll(/^docent login \S+$/gm, (command) => `${command} --key-stdin < key.txt`)
      .replaceAll(/^docent logout$/gm, 'docent login https://docent.example.com --key-stdin < key.txt\n$&')
      .replaceAll(/http:\/\/127\.0\.0\.1:4000|https:\/\/docent\.example\.com/g, this.apiUrl)
      .replaceAll("'docent_…'", this.#key)
      .replaceAll(/(?<!\$)JOB_ID/g, '$JOB_ID')
      .replaceAll('${{ github.base_ref }}', 'main')
      .replaceAll(/^npm link$/gm, `(cd ${ROOT} && npm link)`)
      .replaceAll(/^docent .*--follow /gm, (command) => `until_it_waits ${command}`)
      // Made from a key, and not with the operator token of this machine.
      .replaceAll(/^docent token /gm, 'DOCENT_URL="$DOCENT_URL" DOCENT_API_KEY="$DOCENT_API_KEY" $&')
      // People are asked.
      .replaceAll(
        /^docent (?:project delete|key revoke|host remove|analytics (?:delete|accept-folder))\b(?!.*--yes).*$/gm,
        (command) => `${command} --yes`,
      )
      .replaceAll('docent migrate', `DATABASE_URL='${this.#databaseUrl}' docent migrate`);
    for (const [shown, here] of Object.entries(IMITATED))
      replaced = replaced.replaceAll(shown, `${path.join(this.#folder, here)}/`.replace('//', '/'));
    replaced = this.#webhooks.replaced(this.#hosts.replaced(replaced));
    if (/key_\w{20}/.test(replaced)) {
      const { data } = await this.#client.POST('/v1/keys', { body: { name: 'old', projectIds: null } });
      replaced = replaced.replaceAll(/key_\w{20}/g, data?.id ?? '');
    }
    return replaced;
  }

  /** What a block makes is not there yet. */
  async #makeRoomFor(text: string): Promise<void> {
    for (const [, host = ''] of text.matchAll(/docent host add (\S+)/g)) await this.#forgetHost(host);
    for (const [, project = ''] of text.matchAll(/docent project create (\S+)/g)) await this.#forget(project);
    const [, posted] = /\/v1\/projects .*"id": "([a-z-]+)"/s.exec(text) ?? [];
    if (posted !== undefined) await this.#forget(posted);
    if (text.includes('git clone --bare'))
      rmSync(path.join(this.#folder, 'srv/docs.git'), { recursive: true, force: true });
    // What was added with another kind of credential is added again.
    if (text.includes('docent host update github')) await this.#forgetHost('github');
    if (/https:\/\/github\.com|host \w+ github/.test(text) && !text.includes('docent host add'))
      await this.#addGitHub();
  }

  async #projects(): Promise<string[]> {
    const { data } = await this.#client.GET('/v1/projects', { params: { query: { limit: 100 } } });
    return (data?.projects ?? []).map(({ id }) => id);
  }

  async #make(id: string): Promise<void> {
    const repository = path.join(this.#folder, 'srv/docs.git');
    const { error } = await this.#client.POST('/v1/projects', {
      body: { id, repository, ref: 'main', docsDir: 'docs' },
    });
    if (error) throw new Error(`The project ${id} was refused: ${error.error}`);
  }

  async #forget(projectId: string): Promise<void> {
    const params = { path: { projectId } };
    const { data } = await this.#client.GET('/v2/agent/{projectId}/jobs', {
      params: { ...params, query: { status: 'active' } },
    });
    for (const { id } of data?.jobs ?? [])
      await this.#client.POST('/v2/agent/{projectId}/job/{id}/archive', { params: { path: { projectId, id } } });
    const { error } = await this.#client.DELETE('/v1/projects/{projectId}', { params });
    if (error && error.code !== 'project_not_found') throw new Error(`${projectId} stays: ${error.error}`);
  }

  async #addGitHub(): Promise<void> {
    const { data } = await this.#client.GET('/v1/hosts');
    if (data?.hosts.some(({ id }) => id === 'github')) return;
    const { error } = await this.#client.POST('/v1/hosts', {
      body: { id: 'github', kind: 'github', ...this.#hosts.github },
    });
    if (error) throw new Error(`The host was refused: ${error.error}`);
  }

  async #forgetHost(hostId: string): Promise<void> {
    const { data } = await this.#client.GET('/v1/projects', { params: { query: { limit: 100 } } });
    for (const { id, host } of data?.projects ?? []) if (host === hostId) await this.#forget(id);
    const { error } = await this.#client.DELETE('/v1/hosts/{hostId}', { params: { path: { hostId } } });
    if (error && error.code !== 'host_not_found') throw new Error(`${hostId} stays: ${error.error}`);
  }

  /** A job with a change that is ready to be published. */
  #previewOf(projectId: string): Promise<string> {
    return this.#newJob(projectId, { mode: 'preview' });
  }

  /**
   * The newest job with a pull request, as the one that the page has just run; a new one where there is none.
   */
  async #jobOf(projectId: string, isStopped: boolean): Promise<string> {
    const params = { path: { projectId } };
    if (!isStopped) {
      const { data } = await this.#client.GET('/v2/agent/{projectId}/jobs', { params });
      const found = data?.jobs.find(({ prLink, status }) => prLink !== null && status === 'completed');
      if (found) return found.id;
    }
    return this.#newJob(projectId, {}, isStopped);
  }

  async #newJob(projectId: string, options: { mode?: 'preview' }, isStopped = false): Promise<string> {
    const { data: job, error } = await this.#client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId } },
      body: {
        ...options,
        prompt: `Add a page titled "Hello from Docent" at guides/docs-${Date.now()} with the text "Written by a job."`,
      },
    });
    if (!job) throw new Error(`The job was refused: ${error.error}`);
    if (isStopped) return job.id;
    for (let waited = 0; waited < 60_000; waited += 200) {
      const { data } = await this.#client.GET('/v2/agent/{projectId}/job/{id}', {
        params: { path: { projectId, id: job.id } },
      });
      if (data?.status === 'completed') break;
      if (data?.status === 'failed') throw new Error(`The job failed: ${data.error?.message}`);
      await sleep(200);
    }
    return job.id;
  }
}
