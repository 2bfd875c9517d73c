import { text as readAll } from 'node:stream/consumers';
import type { components } from '@docent/client';
import { Command } from 'commander';
import { withoutMargins } from '@docent/base/net/header-value';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT, ServerRefusal } from '@docent/base/terminal/failures';
import { print, safe } from '@docent/base/terminal/terminal-text';
import { ask, askSecret, mayAsk } from '@docent/base/terminal/ask';
import { contextName, contextsFile, nameOfUrl, readContexts, writeContexts } from '../contexts.ts';
import { describeCaller } from '../describe-caller.ts';
import { checkedUrl, clientFor } from '../server.ts';

interface Options {
  name?: string;
  project?: string;
  keyStdin?: boolean;
  json?: boolean;
}

/** `docent login` */
export function loginCommand(): Command {
  return new Command('login')
    .description('log in to a server, and save its address and key as a context')
    .argument('[url]', 'server (default: the one of the current context)')
    .option('--name <name>', 'name of the context (default: the host of the URL)')
    .option('--project <id>', 'default project for commands (default: the one that the key can access)')
    .option('--key-stdin', 'read the key from standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Asks for an API key (from \`docent key create\`) or the operator token, and checks it with the server. Your input is
hidden. The key is saved in ~/.config/docent/contexts.json (XDG_CONFIG_HOME), which only you can read.

Examples:
  $ docent login https://docent.example.com
  $ docent login https://docent.example.com --name work --key-stdin < key.txt`,
    )
    .action(login);
}

async function login(given: string | undefined, options: Options): Promise<void> {
  const { env } = process;
  const contexts = readContexts(env);
  const url = checkedUrl(given ?? (await urlToUse(contexts.contexts[contexts.current ?? '']?.url, options)));
  const name = contextName(options.name ?? nameOfUrl(url));
  warnOfPlainText(url);
  const key = await keyFor(url, options);
  const caller = await callerAt(url, key);
  const only = caller.key?.projectIds?.length === 1 ? caller.key.projectIds[0] : undefined;
  const project = options.project ?? only ?? null;
  const keyIs = describeCaller(caller);
  // Read again: someone may have logged in elsewhere while the key was typed.
  const now = readContexts(env).contexts;
  writeContexts(env, { current: name, contexts: { ...now, [name]: { url, key, keyIs, project } } });
  print(options.json, { context: name, url, project, key: caller.key, kind: caller.kind }, () =>
    [
      `Logged in at ${url} with ${safe(keyIs)}.`,
      `Commands now use the context ${name}${project === null ? '' : `, with the project ${safe(project)}`}. Its key is in ${contextsFile(env)}.`,
      ...overriding(env),
    ].join('\n'),
  );
}

async function urlToUse(current: string | undefined, { json, keyStdin }: Options): Promise<string> {
  if (current !== undefined) return current;
  if (keyStdin || !mayAsk(!json)) throw new CliFailure('Specify the server: docent login URL.', EXIT.usage);
  return ask('Server address: ');
}

async function keyFor(url: string, { keyStdin, json }: Options): Promise<string> {
  if (!keyStdin && !mayAsk(!json)) {
    throw new CliFailure('No terminal to ask for the key. Pass it with --key-stdin.', EXIT.usage);
  }
  const given = keyStdin ? await readAll(process.stdin) : await askSecret(`API key or operator token for ${url}: `);
  const key = withoutMargins(given);
  if (key === '') throw new CliFailure('No key entered. Nothing was saved.', EXIT.usage);
  // A key that does not fit into a header is invalid; the header's error would quote it.
  if (!/^[\u0021-\u007e]+$/.test(key))
    throw new CliFailure(
      'This is not a valid key: it contains spaces or other characters that keys do not have.',
      EXIT.usage,
    );
  return key;
}

/** @throws CliFailure if the key does not open this server, or if it is not a Docent server */
async function callerAt(url: string, key: string): Promise<components['schemas']['Caller']> {
  try {
    const caller = await answerOf(url, clientFor(url, key, 'what was entered').GET('/v1/me'));
    if (typeof caller?.version === 'string') return caller;
  } catch (err) {
    if (!(err instanceof ServerRefusal) || !/^(not_found|method_not_allowed|http_4)/.test(err.code)) throw err;
  }
  throw new CliFailure(`${url} is not a Docent server, or is older than this command. Check the address.`);
}

function warnOfPlainText(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return;
  process.stderr.write(
    `Warning: ${url} is not encrypted, so others on the network can read the key. Use https:// if you can.\n`,
  );
}

/** What takes precedence over the new context. */
function overriding(env: NodeJS.ProcessEnv): string[] {
  const set = ['DOCENT_URL', 'DOCENT_CONTEXT', 'DOCENT_HOME', 'DOCENT_API_KEY', 'DOCENT_OPERATOR_TOKEN'].filter(
    (name) => env[name],
  );
  return set.length === 0
    ? []
    : [`Note: ${set.join(' and ')} in your environment ${set.length === 1 ? 'takes' : 'take'} precedence over it.`];
}
