import { readFileSync, readdirSync } from 'node:fs';
import { createGitStore } from '../../src/git/git-store.ts';
import { openSnapshot } from '../../src/git/snapshot/snapshot.ts';

/** `first-read.ts REPOSITORY CACHE`: reads all texts of a repository that was never read before, and tells the parent what it took. */
const [repository = '', cacheDir = ''] = process.argv.slice(2);
const store = createGitStore({ cacheDir, poolSize: 1 });
const endpoint = { kind: 'local', path: repository } as const;
const at = performance.now();
const commit = (await store.listBranches(endpoint)).get('main') ?? '';
const base = openSnapshot(await store.ensureSnapshot(endpoint, { branch: 'main', commit }));
for (const { path } of base.files()) base.readText(path);
const ms = performance.now() - at;
const kilobytes = [process.pid, ...children()].map(peakOf);
process.send?.({ ms, mb: Math.max(...kilobytes) / 1_024 });
await store.close();
process.disconnect();

function children(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(statusOf(pid)));
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}
