/**
 * Takes out of package-lock.json which Node its packages want. All of them run on the Node that is one of
 * them, whichever installs them; npm holds what they want against the one that runs npm, and would warn, or
 * leave optional ones out. What Docent itself wants stays. With `--check` it writes nothing: see
 * {@link writeGenerated}.
 */
import { textOf, writeGenerated } from './generated-files.ts';

const FILE = 'package-lock.json';

const lock = JSON.parse(await textOf(FILE)) as { packages: Record<string, { engines?: unknown }> };
for (const [place, entry] of Object.entries(lock.packages)) if (place.startsWith('node_modules/')) delete entry.engines;
await writeGenerated({ [FILE]: `${JSON.stringify(lock, null, 2)}\n` });
