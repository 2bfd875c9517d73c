import { enableCompileCache, registerHooks } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Makes the imports that follow cheap. Static imports of the same file are resolved before anything runs: only dynamic ones follow.
 *
 * - Compiled code is kept, in a folder that other users cannot write to, as Node's own default below /tmp could be. Where it
 *   cannot be made, everything is compiled as ever. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE go before it.
 * - For every ES module that it resolves, Node parses the whole `exports` of its package anew to find the module's format. With the
 *   179 KB of drizzle-orm and a hundred files, that is nine tenths of the time and 230 MB: inside this package, a relative path is said to
 *   be what it is.
 */
export function quickenImports(): void {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  enableCompileCache(path.join(cache, 'docent', 'node'));
  registerHooks({
    resolve(specifier, context, next) {
      const { conditions, parentURL = '' } = context;
      const isInside = specifier.startsWith('.') && specifier.endsWith('.js') && conditions.includes('import');
      if (!isInside || !parentURL.includes('/node_modules/drizzle-orm/')) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    },
  });
}
