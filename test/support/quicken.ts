/**
 * With `--import`: makes imports of packages cheap for processes that run the sources; the program is
 * bundled. To find the format of an ES module, Node 24 parses the whole `exports` of its package, for each
 * file again: with the 179 KB of drizzle-orm and its hundred files, that is nine tenths of the time and 230
 * MB. Where one file of a folder is an ES module, since it ends in `.js` and its package declares that, all
 * such files of the folder are.
 */
import { registerHooks } from 'node:module';
import { keepCompiledCode } from '@docent/base/compiled-code';

keepCompiledCode();
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
