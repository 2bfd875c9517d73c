import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Caches the compiled code of later dynamic imports, in a folder that other users cannot write to, unlike
 * Node's default below /tmp. Without such a folder, everything is compiled each time. NODE_COMPILE_CACHE and
 * NODE_DISABLE_COMPILE_CACHE take precedence.
 */
export function keepCompiledCode(): void {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  enableCompileCache(path.join(cache, 'docent', 'node'));
}
