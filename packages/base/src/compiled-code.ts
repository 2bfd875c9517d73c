import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Keeps the compiled code of dynamic imports that follow, in a folder that other users cannot write to, as
 * they could to Node's own default below /tmp. Where the folder cannot be made, everything is compiled each
 * time. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE go before it.
 */
export function keepCompiledCode(): void {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  enableCompileCache(path.join(cache, 'docent', 'node'));
}
