import path from 'node:path';

/** Caches that tests share. */
export const CACHE_FOLDER = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'docent-test');
/** Processes of tests as bundles: see `scripts/build-test-processes.ts`. */
export const BUILT_PROCESSES = path.join(CACHE_FOLDER, 'processes');

/**
 * What a program of ours gets of this machine's variables, and nothing else that happens to be set: where
 * programs are, and Node's cache of compiled code. Hundreds of processes load the same code, which is two
 * thirds of a start.
 */
export const BARE_ENV = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: path.join(CACHE_FOLDER, 'node') };
