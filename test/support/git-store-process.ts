import { createGitStore } from '../../src/git/git-store.ts';

/**
 * A separate process that makes one snapshot: `node git-store-process.ts <cacheDir> <repository> <branch>`.
 */
const [cacheDir = '', repository = '', branch = ''] = process.argv.slice(2);
const store = createGitStore({ cacheDir });
const endpoint = { kind: 'local' as const, path: repository };
const commit = (await store.listBranches(endpoint)).get(branch) ?? '';
process.stdout.write('fetching\n');
const path = await store.ensureSnapshot(endpoint, { branch, commit });
await store.close();
process.stdout.write(`${path}\n`);
