import { realpathSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown, type InputOptions, type Plugin } from 'rolldown';
import { inAscii } from './in-ascii.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
/** What is ours. */
const SOURCES = [path.join(ROOT, 'src'), path.join(ROOT, 'packages')];
/** Modules are named by where they really are. */
const MODULES = realpathSync(path.join(ROOT, 'node_modules'));
/** Below `dist/`, with all chunks side by side. */
const FOLDER = 'program';

/**
 * Entry points: the program, its child processes and its threads. By their file in the checkout, without its
 * extension.
 */
const ENTRIES = [
  'src/cli/main',
  'packages/docs-check/src/cli/facts-worker',
  'src/git/git-child',
  'src/agent/agent-child',
  'packages/servers/src/processes/reaper-process',
];
/** The thread in which the SDK of Temporal runs workflows. */
const WORKFLOW_THREAD = 'workflow-worker-thread';
/**
 * Packages that are not bundled: native programs, and packages that are found as a folder. The published
 * package depends on them.
 */
export const OWN_PACKAGES: readonly string[] = [
  '@duckdb/node-bindings',
  '@temporalio/core-bridge',
  'lowlight',
  'nodemailer',
  'open',
];
/** Packages of which no code is bundled. Of the bridge to Temporal's SDK, the JavaScript part is. */
const EXTERNAL = [/^@duckdb\/node-bindings/, 'lowlight', 'nodemailer', 'open', 'pg-native', 'swagger-ui-dist'];
/** How our sources are bundled for Node. */
export const BUNDLED_AS: InputOptions = {
  cwd: ROOT,
  platform: 'node',
  external: EXTERNAL,
  transform: { target: 'node24' },
  resolve: {
    // The other one requires its own files by computed names, which no bundler sees.
    alias: { 'jsonc-parser': path.join(MODULES, 'jsonc-parser/lib/esm/main.js') },
  },
};

/**
 * Writes the program and all that it imports as few files, with maps to the sources. One module is loaded in
 * a third of the time and half of the memory that it takes as hundreds. Code that looks for files beside
 * itself finds them in `dist/`: see {@link placeOf}.
 * @param dist existing folder
 * @returns the folders of the packages of which something went in
 */
export async function bundleProgram(dist: string): Promise<string[]> {
  const bundle = await rolldown({
    ...BUNDLED_AS,
    input: {
      ...Object.fromEntries(ENTRIES.map((entry) => [path.basename(entry), path.join(ROOT, `${entry}.ts`)])),
      [WORKFLOW_THREAD]: path.join(MODULES, `@temporalio/worker/lib/workflow/${WORKFLOW_THREAD}.js`),
    },
    plugins: [ownPlaces(), partsOfTemporal()],
    onLog(level, log, handle) {
      // protobufjs' way to be found by other loaders, and what a package does not use of another.
      if (log.code === 'EVAL' || level !== 'warn') return;
      handle('error', log);
    },
  });
  const { output } = await bundle.write({
    dir: path.join(dist, FOLDER),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: false, annotation: false, jsdoc: false },
    minify: false,
  });
  await bundle.close();
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    const file = path.join(dist, FOLDER, chunk.fileName);
    await writeFile(file, inAscii(await readFile(file, 'utf8')));
  }
  // By which the SDK of Temporal reads the map of the workflows.
  const wasm = 'mappings.wasm';
  await copyFile(path.join(MODULES, 'source-map/lib', wasm), path.join(dist, FOLDER, wasm));
  for (const entry of ENTRIES) await writeEntry(dist, entry);
  return packagesOf(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])));
}

/** At its usual path, so that callers need not know about bundles. */
async function writeEntry(dist: string, entry: string): Promise<void> {
  const file = path.join(dist, placeOf(path.join(ROOT, `${entry}.js`)));
  await mkdir(path.dirname(file), { recursive: true });
  const bundle = path.relative(path.dirname(file), path.join(dist, FOLDER, `${path.basename(entry)}.js`));
  await writeFile(file, `import './${bundle}';\n`.replace("'./..", "'.."));
}

/** A file's location in `dist/`: that in `src/`, or for packages, that in the checkout. */
function placeOf(file: string): string {
  return path.relative(ROOT, file).replace(/^src[/\\]/, '');
}

/** A module that asks where it is, gets its place in `dist/` as if it were its own file. */
function ownPlaces(): Plugin {
  return {
    name: 'own-places',
    transform(code, id) {
      const isOurs = SOURCES.some((folder) => id.startsWith(`${folder}${path.sep}`));
      if (!isOurs || !code.includes('import.meta.')) return null;
      const place = `../${placeOf(id).replaceAll(path.sep, '/').replace(/\.ts$/, '.js')}`;
      const url = `new URL(${JSON.stringify(place)}, import.meta.url)`;
      const dirname = `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${url}))`;
      // Lines stay the same, so maps stay valid.
      const placed = code.replaceAll('import.meta.url', `${url}.href`).replaceAll('import.meta.dirname', dirname);
      return { code: placed, map: null };
    },
  };
}

/** What the SDK of Temporal finds beside its own files. */
function partsOfTemporal(): Plugin {
  return {
    name: 'parts-of-temporal',
    async load(id) {
      const code = () => readFile(id, 'utf8');
      switch (path.relative(MODULES, id).replaceAll(path.sep, '/')) {
        // Workflows are bundled by the build: neither webpack nor SWC is wanted later.
        case '@temporalio/worker/lib/workflow/bundler.js':
          return `const built = () => { throw new Error('The workflows were bundled when this package was built.'); };
            exports.bundleWorkflowCode = built;
            exports.WorkflowCodeBundler = class { constructor() { built(); } };
            exports.defaultWorkflowInterceptorModules = [];`;
        case '@temporalio/worker/lib/workflow/threaded-vm.js':
          return replaced(
            await code(),
            `require.resolve('./${WORKFLOW_THREAD}')`,
            `new URL('./${WORKFLOW_THREAD}.js', import.meta.url)`,
          );
        case '@temporalio/core-bridge/common.js':
          return replaced(
            await code(),
            '__dirname',
            `path.dirname(process.getBuiltinModule('node:module').createRequire(import.meta.url).resolve('@temporalio/core-bridge/package.json'))`,
          );
        case 'source-map/lib/read-wasm.js':
          return replaced(await code(), '__dirname', 'import.meta.dirname');
        default:
          return null;
      }
    },
  };
}

/** @throws if the text is missing because the package has changed */
function replaced(code: string, text: string, by: string): string {
  if (!code.includes(text)) throw new Error(`There is no ${text} any more: see partsOfTemporal.`);
  return code.replace(text, by);
}

function packagesOf(modules: readonly string[]): string[] {
  const folders = modules.flatMap(
    (id) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(id.replace(/^\0/, ''))?.[0] ?? [],
  );
  return [...new Set(folders)].toSorted();
}
