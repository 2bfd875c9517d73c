import { constants } from 'node:fs';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@docent/base/thrown';
import { tryLock, type FileLock } from '@docent/base/file-lock';
import { buildWithGo } from './build.ts';
import { download, DOWNLOAD_BASES } from './download.ts';
import { checkBinary, CLI_VERSION } from './version.ts';

export interface FindOptions {
  /** Source of `PATH`, `HOME`, `XDG_CACHE_HOME` and Go's variables. */
  env: NodeJS.ProcessEnv;
  /** Called with each new step. */
  onProgress?: (text: string) => void;
  /** Address prefixes to download from. Default: the official ones. */
  downloadBases?: readonly string[];
  signal?: AbortSignal;
}

export interface FoundTemporal {
  binary: string;
  /** Version of the server inside. */
  server: string;
  source: 'path' | 'cache' | 'download' | 'build';
}

/** No way led to a Temporal server. The message names each and why it failed. */
const temporalNotFound = (reasons: readonly string[]): Error =>
  new Error(
    [
      'Docent needs a Temporal server, but could not get one:',
      ...reasons.map((reason) => `  - ${reason}`),
      'Do one of the following:',
      '  1. Set TEMPORAL_ADDRESS (host:port) to a running Temporal server.',
      '  2. Install the Temporal CLI so that `temporal` is on the PATH: https://docs.temporal.io/cli/setup-cli',
      '  3. Allow access to https://temporal.download (or https://github.com), so that Docent can download the CLI.',
      '  4. Install Go 1.24 or newer (https://go.dev/dl) with access to a Go module proxy, so that Docent can build the CLI.',
    ].join('\n'),
  );

/** The cache of downloaded and built servers, by version. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache');
  return path.join(base, 'docent', 'temporal', CLI_VERSION);
}

/**
 * Finds a Temporal CLI on the PATH or in our cache, downloads it, or builds it with Go. Concurrent processes
 * wait for one.
 * @throws Error that names each way and its failure
 */
export async function findTemporal(options: FindOptions): Promise<FoundTemporal> {
  const { env, onProgress = () => {} } = options;
  const reasons: string[] = [];

  const onPath = await whichTemporal(env);
  if (onPath === undefined) reasons.push('`temporal` is not on the PATH');
  else {
    try {
      return { binary: onPath, server: await checkBinary(onPath), source: 'path' };
    } catch (err) {
      reasons.push(messageOf(err));
    }
  }

  const folder = cacheFolder(env);
  const binary = path.join(folder, 'temporal');
  const cached = await checkCached(binary);
  if (cached) return cached;
  let lock: FileLock;
  try {
    await mkdir(folder, { recursive: true });
    lock = await waitForLock(path.join(folder, 'lock'), onProgress, options.signal);
  } catch (err) {
    options.signal?.throwIfAborted();
    throw temporalNotFound([...reasons, `the cache folder ${folder} cannot be used (${messageOf(err)})`]);
  }
  try {
    const madeMeanwhile = await checkCached(binary);
    if (madeMeanwhile) return madeMeanwhile;
    await removeUnfinished(folder);
    const job = { destination: binary, onProgress, signal: options.signal };
    try {
      await download({ ...job, bases: options.downloadBases ?? DOWNLOAD_BASES });
      return { binary, server: await checkBinary(binary), source: 'download' };
    } catch (err) {
      options.signal?.throwIfAborted();
      reasons.push(`the download failed: ${messageOf(err)}`);
    }
    try {
      await buildWithGo({ ...job, env });
      return { binary, server: await checkBinary(binary), source: 'build' };
    } catch (err) {
      options.signal?.throwIfAborted();
      reasons.push(`the build with Go failed: ${messageOf(err)}`);
    }
    throw temporalNotFound(reasons);
  } finally {
    lock.release();
  }
}

/** The Temporal CLI that is on this machine already, or null. Gets none. */
export async function temporalAtHand(env: NodeJS.ProcessEnv): Promise<FoundTemporal | null> {
  const onPath = await whichTemporal(env);
  const server = onPath === undefined ? null : await checkBinary(onPath).catch(() => null);
  if (onPath !== undefined && server !== null) return { binary: onPath, server, source: 'path' };
  return checkCached(path.join(cacheFolder(env), 'temporal'));
}

async function checkCached(binary: string): Promise<FoundTemporal | null> {
  try {
    await access(binary, constants.X_OK);
    return { binary, server: await checkBinary(binary), source: 'cache' };
  } catch {
    return null; // Absent or damaged: it is made again.
  }
}

/** Leftovers of a killed download or build. Only the holder of the lock may do this. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/^(download|build)-/.test(name)) await rm(path.join(folder, name), { recursive: true, force: true });
}

/** The first executable file `temporal` of the PATH. */
async function whichTemporal(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, 'temporal');
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return candidate;
  }
  return undefined;
}

async function waitForLock(
  file: string,
  onProgress: (text: string) => void,
  signal: AbortSignal | undefined,
): Promise<FileLock> {
  for (;;) {
    const lock = tryLock(file);
    if (lock) return lock;
    onProgress('waiting for another process that is installing the Temporal server');
    await sleep(500, undefined, { signal });
  }
}
