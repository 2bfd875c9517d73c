import { enableCompileCache, registerHooks } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Makes the imports that follow cheap. Static imports of the same file are resolved before anything runs: only dynamic ones follow.
 * Compiled code is kept, in a folder that other users cannot write to, as they could to Node's own default below /tmp. Where it cannot
 * be made, everything is compiled as ever. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE go before it.
 */
export function quickenImports(): void {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  enableCompileCache(path.join(cache, 'docent', 'node'));
  resolveNeighbours();
}

/**
 * To find the format of an ES module, Node parses the whole `exports` of its package, for each file anew. With the 179 KB of drizzle-orm
 * and its hundred files, that is nine tenths of the time and 230 MB. Where a file of a folder is an ES module, for it ends in `.js` and its
 * package says so, all such files of the folder are: Node is told, and need not look.
 */
function resolveNeighbours(): void {
  const foldersOfModules = new Set<string>();
  registerHooks({
    resolve(specifier, context, next) {
      const { conditions, parentURL = '' } = context;
      const isInside = specifier.startsWith('.') && specifier.endsWith('.js') && parentURL.includes('/node_modules/');
      if (!isInside || !conditions.includes('import')) return next(specifier, context);
      const { href } = new URL(specifier, parentURL);
      const folder = href.slice(0, href.lastIndexOf('/'));
      if (foldersOfModules.has(folder)) return { url: href, format: 'module', shortCircuit: true };
      const found = next(specifier, context);
      if (found.format === 'module' && found.url === href) foldersOfModules.add(folder);
      return found;
    },
  });
}
