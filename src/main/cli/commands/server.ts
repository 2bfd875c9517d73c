import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDocentClient, type DocentClient } from '@docent/client';
import { Option, type Command } from 'commander';
import { messageOf } from '../../../platform/errors.ts';
import { defaultHome, readOperatorToken, readRunFile } from '../../start/home.ts';
import { CliFailure, EXIT, ServerUnreachable } from '../../failures.ts';

export interface ServerOptions {
  url?: string;
  home?: string;
  json?: boolean;
}

/** A server, and how to speak to it. */
export interface Server {
  client: DocentClient;
  url: string;
  /** The demo project where the server is the one of a home. */
  defaultProject: string | undefined;
}

/** Adds the options by which every command finds its server. */
export function withServer(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'server to speak to; needs DOCENT_API_KEY or DOCENT_OPERATOR_TOKEN').env('DOCENT_URL'),
    )
    .addOption(
      new Option(
        '--home <folder>',
        'home of a `docent start` on this machine (default: DOCENT_HOME, else that of npm start)',
      ),
    )
    .option('--json', 'print JSON');
}

/**
 * Finds the server by `--url`, by `--home`, by DOCENT_URL, or in the default home, in this order.
 * @throws CliFailure with a sentence that says what to do
 */
export function findServer(options: ServerOptions, env: NodeJS.ProcessEnv, urlIsExplicit: boolean): Server {
  if (options.url !== undefined && (urlIsExplicit || options.home === undefined)) return byUrl(options.url, env);
  const home = path.resolve(options.home ?? (env.DOCENT_HOME || defaultHome()));
  const run = readRunFile(home);
  if (!run) {
    throw new ServerUnreachable(
      `No Docent runs on ${home}. Start one with \`docent start\`, or name a server with --url or DOCENT_URL.`,
    );
  }
  const token = readOperatorToken(home);
  if (!token) throw new CliFailure(`${path.join(home, 'operator-token')} cannot be read.`, EXIT.usage);
  return {
    url: run.apiUrl,
    client: createDocentClient({ baseUrl: run.apiUrl, apiKey: token }),
    defaultProject: run.projectId,
  };
}

function byUrl(url: string, env: NodeJS.ProcessEnv): Server {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CliFailure(`The server's address must begin with http:// or https://, and it is "${url}".`, EXIT.usage);
  const apiKey = env.DOCENT_API_KEY || env.DOCENT_OPERATOR_TOKEN || tokenFromFile(env.DOCENT_OPERATOR_TOKEN_FILE);
  if (!apiKey) throw new CliFailure(`Set DOCENT_API_KEY or DOCENT_OPERATOR_TOKEN to be let in at ${url}.`, EXIT.usage);
  return { url, client: createDocentClient({ baseUrl: url.replace(/\/+$/, ''), apiKey }), defaultProject: undefined };
}

function tokenFromFile(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (err) {
    throw new CliFailure(`DOCENT_OPERATOR_TOKEN_FILE cannot be read: ${messageOf(err)}`, EXIT.usage);
  }
}

/** The server that a running command was told to use. */
export function serverOf(command: Command): Server {
  const urlIsExplicit = command.getOptionValueSource('url') === 'cli';
  return findServer(command.opts<ServerOptions>(), process.env, urlIsExplicit);
}
