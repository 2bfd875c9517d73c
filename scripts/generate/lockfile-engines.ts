/**
 * Removes the Node versions that packages require from package-lock.json. All of them run on the Node that is
 * one of the packages, but npm compares them with its own Node, and would warn or skip optional ones.
 * Docent's own requirement stays. With `--check` it writes nothing: see {@link writeGenerated}.
 */
import { textOf, writeGenerated } from './generated-files.ts';

const FILE = 'package-lock.json';

const lock = JSON.parse(await textOf(FILE)) as { packages: Record<string, { engines?: unknown }> };
for (const [place, entry] of Object.entries(lock.packages)) if (place.startsWith('node_modules/')) delete entry.engines;
await writeGenerated({ [FILE]: `${JSON.stringify(lock, null, 2)}\n` });
