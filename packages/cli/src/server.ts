import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDocentClient, type DocentClient } from '@docent/client';
import { Option, type Command } from 'commander';
import { messageOf } from '@docent/base/thrown';
import { fitsHeader, UNFIT_FOR_HEADER, withoutMargins } from '@docent/base/net/header-value';
import { CliFailure, EXIT, ServerUnreachable } from '@docent/base/terminal/failures';
import { contextNamed, LOCAL, readContexts, type Contexts } from './contexts.ts';
import { localHomeOf, type LocalHome } from './local-home.ts';

export interface ServerOptions {
  url?: string;
  home?: string;
  context?: string;
  json?: boolean;
}

/** A server, how to speak to it, and how that was found out. */
export interface Server {
  client: DocentClient;
  url: string;
  /** From the context; the demo project if the server was found by a home. */
  defaultProject: string | undefined;
  /** Null if the server was named in another way. */
  context: string | null;
  /** The origin of the address and the key: `DOCENT_URL`, `the context acme`. */
  foundBy: string;
  keyFrom: string;
  /** The command line's own server options, for suggested commands: ` --context acme`. */
  flags: string;
}

/** Adds the options by which every command finds its server. */
export function withServer(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <url>',
        'server address, with DOCENT_API_KEY or DOCENT_OPERATOR_TOKEN set, or after a login',
      ).env('DOCENT_URL'),
    )
    .addOption(
      new Option(
        '--home <folder>',
        'home of `docent start` on this machine (default: DOCENT_HOME, else that of npm start)',
      ),
    )
    .addOption(new Option('--context <name>', 'context saved by `docent login`; `local` is the Docent on this machine'))
    .option('--json', 'print JSON');
}

/** Adds the options by which a command finds its project on its server. */
export function withProject(command: Command): Command {
  return withServer(command).addOption(
    new Option('--project <id>', "project (default: the context's project, or the demo project for a local home)"),
  );
}

/** The server and project of a command. @throws CliFailure without a project */
export function targetOf(command: Command): { server: Server; projectId: string } {
  const server = serverOf(command);
  const projectId = command.opts<{ project?: string }>().project ?? server.defaultProject;
  if (projectId === undefined || projectId === '')
    throw new CliFailure('Specify the project with --project.', EXIT.usage);
  return { server, projectId };
}

/** Options that lead a suggested command to the same place: ` --project acme-docs --context acme`. */
export function targetFlags({ defaultProject, flags }: Server, projectId: string): string {
  return `${projectId === defaultProject ? '' : ` --project ${projectId}`}${flags}`;
}

export interface FindOptions extends ServerOptions {
  local: LocalHome;
}

/**
 * Finds the server, in this order: `--url`, `--home`, `--context`, DOCENT_URL, DOCENT_CONTEXT, DOCENT_HOME,
 * the current context, the default home.
 * @throws CliFailure with what to do
 */
export function findServer(
  { url, home, context, local }: FindOptions,
  env: NodeJS.ProcessEnv,
  urlIsExplicit: boolean,
): Server {
  const isUrl = urlIsExplicit || (home === undefined && context === undefined);
  if (url !== undefined && isUrl) {
    const found = byUrl(url, urlIsExplicit ? '--url' : 'DOCENT_URL', env);
    return urlIsExplicit ? { ...found, flags: ` --url ${url}` } : found;
  }
  if (home !== undefined) return { ...byHome(home, env, local), flags: ` --home ${home}` };
  const named = (name: string, by: string | null) =>
    name === LOCAL ? byHome(env.DOCENT_HOME || local.defaultFolder(), env, local) : byContext(name, by, env);
  if (context !== undefined) return { ...named(context, '--context'), flags: ` --context ${context}` };
  if (env.DOCENT_CONTEXT) return named(env.DOCENT_CONTEXT, 'DOCENT_CONTEXT');
  const { current } = env.DOCENT_HOME ? { current: null } : readContexts(env);
  return named(current ?? LOCAL, null);
}

export function serverOf(command: Command): Server {
  const urlIsExplicit = command.getOptionValueSource('url') === 'cli';
  return findServer({ ...command.opts<ServerOptions>(), local: localHomeOf(command) }, process.env, urlIsExplicit);
}

/** @throws CliFailure for an invalid server address */
export function checkedUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new CliFailure(`The server address must begin with http:// or https://. You passed "${url}".`, EXIT.usage);
}

function byUrl(given: string, foundBy: string, env: NodeJS.ProcessEnv): Server {
  const url = checkedUrl(given);
  const found = keyOfEnvironment(env) ?? keyOfLogin(url, readContexts(env));
  if (!found) {
    throw new CliFailure(
      `Set DOCENT_API_KEY or DOCENT_OPERATOR_TOKEN for ${url}, or log in with \`docent login ${url}\`.`,
      EXIT.usage,
    );
  }
  return { ...connection(url, found), defaultProject: undefined, context: null, foundBy };
}

/** A named context uses its own key; the current one yields to a key in the environment. */
function byContext(name: string, namedBy: string | null, env: NodeJS.ProcessEnv): Server {
  const { url, key, project } = contextNamed(name, readContexts(env));
  const own = { key, from: `the context ${name}` };
  const found = namedBy === '--context' ? own : (keyOfEnvironment(env) ?? own);
  const foundBy = `the context ${name}${namedBy === null ? '' : ` (${namedBy})`}`;
  return { ...connection(url, found), defaultProject: project ?? undefined, context: name, foundBy };
}

function byHome(given: string, env: NodeJS.ProcessEnv, local: LocalHome): Server {
  const home = path.resolve(given);
  const run = local.run(home);
  if (!run) {
    const others = Object.keys(readContexts(env).contexts);
    const login =
      others.length > 0
        ? `choose a context (${others.join(', ')}) with --context`
        : 'log in to a server with `docent login`';
    throw new ServerUnreachable(
      `Docent is not running in ${home}. Start it with \`docent start\`, choose a server with --url or DOCENT_URL, or ${login}.`,
    );
  }
  const key = local.operatorToken(home);
  const file = path.join(home, 'operator-token');
  if (!key) throw new CliFailure(`${file} cannot be read.`, EXIT.usage);
  return {
    ...connection(run.apiUrl, { key, from: file }),
    defaultProject: run.projectId,
    context: LOCAL,
    foundBy: `the home ${home}`,
  };
}

interface FoundKey {
  key: string;
  from: string;
}

function connection(url: string, { key, from }: FoundKey): Pick<Server, 'client' | 'url' | 'keyFrom' | 'flags'> {
  return { url, keyFrom: from, flags: '', client: clientFor(url, key, from) };
}

/** A client whose errors about a key name the key's origin. */
export function clientFor(url: string, apiKey: string, keyFrom: string): DocentClient {
  const client = createDocentClient({ baseUrl: url, apiKey });
  client.use({
    async onResponse({ response }) {
      if (response.status !== 401) return undefined;
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => null);
      if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
      const { status, statusText } = response;
      return Response.json({ ...body, error: `${body.error} The key is from ${keyFrom}.` }, { status, statusText });
    },
  });
  return client;
}

function keyOfEnvironment(env: NodeJS.ProcessEnv): FoundKey | null {
  for (const from of ['DOCENT_API_KEY', 'DOCENT_OPERATOR_TOKEN'] as const) {
    const key = withoutMargins(env[from] ?? '');
    if (key) return sendable({ key, from });
  }
  const file = env.DOCENT_OPERATOR_TOKEN_FILE;
  if (!file) return null;
  try {
    const key = withoutMargins(readFileSync(file, 'utf8'));
    return key ? sendable({ key, from: `${file} (DOCENT_OPERATOR_TOKEN_FILE)` }) : null;
  } catch (err) {
    if (err instanceof CliFailure) throw err;
    throw new CliFailure(`DOCENT_OPERATOR_TOKEN_FILE cannot be read: ${messageOf(err)}`, EXIT.usage);
  }
}

/** A key that does not fit into a header is invalid; the header's error would quote it. @throws CliFailure */
function sendable(found: FoundKey): FoundKey {
  if (fitsHeader(found.key)) return found;
  throw new CliFailure(`The key of ${found.from} ${UNFIT_FOR_HEADER}.`, EXIT.usage);
}

/** A key is sent to no other server than the one that it was entered for. */
function keyOfLogin(url: string, { contexts }: Contexts): FoundKey | null {
  const [found] = Object.entries(contexts).filter(([, context]) => context.url === url);
  return found ? { key: found[1].key, from: `the context ${found[0]}` } : null;
}
