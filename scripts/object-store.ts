/**
 * Builds the object store that tests use, Versity's S3 gateway over a folder, unless it is there already. Go
 * takes about 2 minutes. Prints its path. Run it alone to do that beforehand, as CI does.
 */
import { execFile } from 'node:child_process';
import { access, constants, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '@docent/base/thrown';

const VERSION = 'v1.8.0';
const PACKAGE = 'github.com/versity/versitygw/cmd/versitygw';
const BUILD_MS = 15 * 60_000;

/** Where it is, or will be. */
export const OBJECT_STORE = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'docent',
  'versitygw',
  VERSION,
  'versitygw',
);

/** The settings of its clients. */
export const OBJECT_STORE_KEYS = { AWS_ACCESS_KEY_ID: 'docent-test', AWS_SECRET_ACCESS_KEY: 'docent-test-secret' };
export const BUCKET = 'page-views';

/**
 * Creates one empty bucket for {@link objectStoreArgs}. @returns the folder with its objects, each as a file
 * of its name
 */
export async function makeBucket(folder: string): Promise<string> {
  const objects = path.join(folder, 'data', BUCKET);
  for (const name of [objects, path.join(folder, 'meta')]) await mkdir(name, { recursive: true });
  return objects;
}

/** Its command line, to serve a folder on loopback. */
export function objectStoreArgs(folder: string, port: number): string[] {
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = OBJECT_STORE_KEYS;
  const flags = ['--port', `127.0.0.1:${port}`, '--access', access, '--secret', secret, '--quiet'];
  return [...flags, 'posix', '--sidecar', path.join(folder, 'meta'), path.join(folder, 'data')];
}

/** @throws if there is no Go, or no module proxy */
export async function buildObjectStore(): Promise<string> {
  try {
    await access(OBJECT_STORE, constants.X_OK);
    return OBJECT_STORE;
  } catch {
    // To be built.
  }
  const folder = path.join(path.dirname(OBJECT_STORE), `build-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    await promisify(execFile)('go', ['install', `${PACKAGE}@${VERSION}`], {
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
      timeout: BUILD_MS,
    });
    await rename(path.join(folder, 'versitygw'), OBJECT_STORE);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return OBJECT_STORE;
}

if (import.meta.main) {
  try {
    process.stdout.write(`${await buildObjectStore()}\n`);
  } catch (err) {
    process.stderr.write(`The object store cannot be built: ${messageOf(err)}\n`);
    process.exitCode = 1;
  }
}
