import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { makeRepository, SITE } from './repository.ts';

/** Gitea does not run as root: then it runs as this user. */
const NOBODY = 65_534;
const START_MS = 120_000;
const OWNER = 'acme';
const BOT = 'docent-bot';

export interface Person {
  login: string;
  token: string;
}

export interface GiteaRepository {
  id: number;
  full_name: string;
}

/**
 * A real Gitea on a port of loopback, with SQLite, an account and a token, all of it in a temporary folder.
 */
export class RealGitea {
  readonly url: string;
  readonly token: string;
  readonly version: string;
  readonly #folder: string;
  readonly #server: ChildProcess;
  readonly #admin: Admin;

  private constructor(
    at: { folder: string; url: string; token: string; version: string },
    { server, admin }: { server: ChildProcess; admin: Admin },
  ) {
    this.#folder = at.folder;
    this.url = at.url;
    this.token = at.token;
    this.version = at.version;
    this.#server = server;
    this.#admin = admin;
  }

  /**
   * @param binary of Gitea 1.22 or newer, with SQLite
   * @param staticRoot the source tree, for a binary that was built without `bindata`
   */
  static async start(binary: string, staticRoot?: string): Promise<RealGitea> {
    const folder = mkdtempSync(path.join(tmpdir(), 'docent-gitea-'));
    const isRoot = process.getuid?.() === 0;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = path.join(folder, 'app.ini');
    writeFileSync(config, configOf({ folder, url, port, user: isRoot ? 'nobody' : userInfo().username, staticRoot }));
    mkdirSync(path.join(folder, 'data'));
    if (isRoot) for (const file of [folder, config, path.join(folder, 'data')]) chownSync(file, NOBODY, NOBODY);
    chmodSync(folder, 0o755);

    const asUser = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : ['env'];
    const [command = '', ...args] = [...asUser, binary, '--config', config];
    const env = { PATH: process.env.PATH ?? '', HOME: folder, USER: isRoot ? 'nobody' : userInfo().username };
    const admin = (...more: string[]) =>
      execFileSync(command, [...args, ...more], {
        env,
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    try {
      admin('migrate');
      const token = makeAccount(admin, BOT, '--admin');
      const server = spawn(command, [...args, 'web'], { env, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
      const version = await untilAnswering(url, server);
      const gitea = new RealGitea({ folder, url, token, version }, { server, admin });
      for (const username of [OWNER, 'elsewhere']) await gitea.api('POST', '/orgs', { username });
      return gitea;
    } catch (err) {
      rmSync(folder, { recursive: true, force: true });
      throw err;
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    if (this.#server.exitCode === null) {
      this.#server.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  addPerson(login: string): Person {
    return { login, token: makeAccount(this.#admin, login) };
  }

  /** @param token of the person who asks */
  async api<T>(method: string, route: string, body?: object, token = this.token): Promise<T> {
    const response = await fetch(`${this.url}/api/v1${route}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: Gitea answered ${response.status} ${text.slice(0, 300)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** With the small site, always with the same first commit: as if one were made from the other. */
  async addRepository(name: string): Promise<GiteaRepository> {
    const made = await this.api<GiteaRepository>('POST', `/orgs/${OWNER}/repos`, { name, default_branch: 'main' });
    const bare = path.join(this.#folder, 'site.git');
    await makeRepositoryOnce(bare);
    const url = new URL(`${this.url}/${made.full_name}.git`);
    Object.assign(url, { username: BOT, password: this.token });
    const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
    execFileSync('git', ['-C', bare, 'push', '-q', url.href, 'main'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    // Gitea learns of the push behind its answer. Transferred before that, a repository counts as empty
    // forever.
    while (!(await this.branches(made.full_name)).includes('main')) await sleep(100);
    return made;
  }

  rename(from: string, name: string): Promise<GiteaRepository> {
    return this.api('PATCH', `/repos/${from}`, { name });
  }

  async branches(full: string): Promise<string[]> {
    const found = await this.api<{ name: string }[] | null>('GET', `/repos/${full}/branches?limit=50`);
    return (found ?? []).map(({ name }) => name).toSorted();
  }

  async file(full: string, file: string, branch: string): Promise<string> {
    const route = `/repos/${full}/contents/${file}?ref=${encodeURIComponent(branch)}`;
    const { content } = await this.api<{ content: string }>('GET', route);
    return Buffer.from(content, 'base64').toString();
  }

  /** Each as `number state head`. */
  async pulls(full: string): Promise<string[]> {
    const found = await this.api<{ number: number; state: string; head: { label: string } }[]>(
      'GET',
      `/repos/${full}/pulls?state=all&limit=50`,
    );
    return found.map(({ number, state, head }) => `${number} ${state} ${head.label}`).toSorted();
  }
}

type Admin = (...args: string[]) => string;

/** @returns a token of the new account */
function makeAccount(admin: Admin, login: string, ...more: string[]): string {
  const who = ['--username', login];
  const person = [...who, '--email', `${login}@example.org`, '--password', randomBytes(18).toString('hex')];
  admin('admin', 'user', 'create', '--must-change-password=false', ...person, ...more);
  const scopes = 'write:repository,write:issue,write:organization,write:user';
  const printed = admin('admin', 'user', 'generate-access-token', ...who, '--raw', '--scopes', scopes);
  return printed.trim().split('\n').at(-1) ?? '';
}

let made: string | null = null;
async function makeRepositoryOnce(bare: string): Promise<void> {
  if (made === bare) return;
  await makeRepository(bare, SITE);
  made = bare;
}

async function untilAnswering(url: string, server: ChildProcess): Promise<string> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`Gitea ended with ${server.exitCode}.`);
    try {
      const response = await fetch(`${url}/api/v1/version`, { signal: AbortSignal.timeout(5_000) });
      if (response.ok) return ((await response.json()) as { version: string }).version;
    } catch {
      // Not listening yet.
    }
    await sleep(200);
  }
  throw new Error(`Gitea did not answer within ${START_MS / 1_000} s.`);
}

function configOf(at: { folder: string; url: string; port: number; user: string; staticRoot: string | undefined }) {
  const { folder, url, port, user, staticRoot } = at;
  return `
RUN_USER = ${user}
RUN_MODE = prod
WORK_PATH = ${folder}/data
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${url}/
LOCAL_ROOT_URL = ${url}/
DISABLE_SSH = true
OFFLINE_MODE = true
LFS_START_SERVER = false
${staticRoot === undefined ? '' : `STATIC_ROOT_PATH = ${staticRoot}`}
[database]
DB_TYPE = sqlite3
PATH = ${folder}/data/gitea.db
[security]
INSTALL_LOCK = true
SECRET_KEY = ${randomBytes(32).toString('hex')}
[service]
DISABLE_REGISTRATION = true
[webhook]
ALLOWED_HOST_LIST = loopback
[session]
PROVIDER = memory
[indexer]
ISSUE_INDEXER_TYPE = db
[picture]
DISABLE_GRAVATAR = true
[cron]
ENABLED = false
[actions]
ENABLED = false
[packages]
ENABLED = false
[log]
MODE = console
LEVEL = Error
`;
}
