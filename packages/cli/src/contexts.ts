import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { messageOf } from '@docent/base/thrown';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const Context = z.object({
  url: z.string(),
  /** An API key, or the operator token. Never printed. */
  key: z.string(),
  /** A description of the key for people. */
  keyIs: z.string(),
  project: z.string().nullable(),
});
export type Context = z.output<typeof Context>;

const ContextsFile = z.object({
  current: z.string().nullable(),
  contexts: z.record(z.string().regex(NAME), Context),
});
export type Contexts = z.output<typeof ContextsFile>;

/** The reserved name of the Docent on this machine, found by its home. */
export const LOCAL = 'local';

/** Where `docent login` keeps servers and keys, by the XDG Base Directory Specification. */
export function contextsFile(env: NodeJS.ProcessEnv): string {
  const config = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config');
  return path.join(config, 'docent', 'contexts.json');
}

/** @throws CliFailure if the file exists and is unreadable: contexts are never guessed */
export function readContexts(env: NodeJS.ProcessEnv): Contexts {
  const file = contextsFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return { current: null, contexts: {} };
    throw new CliFailure(`${file} cannot be read: ${messageOf(err)}`, EXIT.usage, { cause: err });
  }
  try {
    return ContextsFile.parse(JSON.parse(text));
  } catch (err) {
    // The reason may quote the text, and keys are in it.
    throw new CliFailure(`${file} is damaged. Delete it and log in again with \`docent login\`.`, EXIT.usage, {
      cause: err,
    });
  }
}

/** Atomically writes all contexts, readable only by the owner. @throws CliFailure */
export function writeContexts(env: NodeJS.ProcessEnv, contexts: Contexts): void {
  const file = contextsFile(env);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${process.pid}.new`;
    writeFileSync(fresh, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
    // The mode above holds for a new file only.
    chmodSync(fresh, 0o600);
    renameSync(fresh, file);
  } catch (err) {
    throw new CliFailure(`${file} cannot be written: ${messageOf(err)}`, EXIT.failed, { cause: err });
  }
}

/** @throws CliFailure that names those that there are */
export function contextNamed(name: string, { contexts }: Contexts): Context {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (found) return found;
  const names = [LOCAL, ...Object.keys(contexts)].join(', ');
  throw new CliFailure(`Context ${JSON.stringify(name)} does not exist. Available contexts: ${names}.`, EXIT.usage);
}

/** @throws CliFailure for an invalid name of a new context */
export function contextName(name: string): string {
  if (name === LOCAL) throw new CliFailure(`"${LOCAL}" always means the Docent on this machine.`, EXIT.usage);
  if (NAME.test(name)) return name;
  throw new CliFailure('A context name can contain letters, digits, dots, dashes and underscores.', EXIT.usage);
}

/** `docs.example.com`, or `127.0.0.1-4000` with a port. */
export function nameOfUrl(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname.replaceAll(/[^A-Za-z0-9.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
  return port ? `${host}-${port}` : host;
}
