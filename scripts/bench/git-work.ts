import { once } from 'node:events';
import * as fs from 'node:fs';
import path from 'node:path';
import type { TreeEntry } from 'isomorphic-git';
import type { Endpoint } from '../../src/git/contract.ts';
import { COMMITS, PAGE } from './git-repositories.ts';

/**
 * `git-work.ts docent|isomorphic-git WORK FOLDER URL NAME`: does one piece of work on the branch `main` of a repository twice, as Docent
 * or with isomorphic-git's own functions, in a process of its own, and tells the parent each time what it took. Begins
 * the second time when the parent says so. What is fetched is kept in FOLDER, for the next work there.
 */
export type Work = 'list' | 'fetch' | 'read' | 'push' | 'history';
export type Side = 'docent' | 'isomorphic-git';

export interface Spent {
  ms: number;
  /** Of this process alone: what the server takes is the same for both. */
  processorMs: number;
  /** By how much the most memory that the process ever held is above what it held before its first work. */
  megabytes: number;
  /** What both sides must agree about: how much there was. */
  found: number;
}

const LINE = 'One more line.\n';
const PERSON = { name: 'Docent', email: 'docent@localhost', timestamp: 1_700_000_000, timezoneOffset: 0 };

type Works = Record<Work, (name: string) => Promise<number>>;

async function docent(folder: string, url: string): Promise<Works> {
  const { fetchSnapshot } = await import('../../src/git/snapshot/fetch-snapshot.ts');
  const { SnapshotCache } = await import('../../src/git/snapshot/snapshot-cache.ts');
  const { listBranches } = await import('../../src/git/protocol/list-refs.ts');
  const { commitAndPush } = await import('../../src/git/commit/publish.ts');
  const { fetchHistory } = await import('../../src/git/history.ts');
  const { DEFAULT_TRANSFER_LIMITS } = await import('../../src/git/transport/transport.ts');
  const endpoint: Endpoint = { kind: 'http', url, headers: {}, privateHosts: ['127.0.0.1'] };
  const options = { limits: DEFAULT_TRANSFER_LIMITS };
  const cache = new SnapshotCache(folder);
  const snapshot = () => {
    const [latest] = cache.latest(endpoint, 1);
    if (!latest) throw new Error('Nothing was fetched.');
    return latest;
  };
  const tip = async () => (await listBranches(endpoint, options)).get('main') ?? '';
  return {
    list: async () => (await listBranches(endpoint, options)).size,
    fetch: async () => (await fetchSnapshot(cache, endpoint, await tip(), options)).files().length,
    history: async () => Math.min(COMMITS, (await fetchHistory(cache, endpoint, await tip(), null, options)).size),
    async read() {
      const base = snapshot();
      return base
        .files()
        .reduce((sum, { path: at }) => sum + (at.endsWith('.mdx') ? textLength(base.readText(at)) : 0), 0);
    },
    async push(name) {
      const parent = snapshot();
      const changes = [{ path: PAGE, content: `${parent.readText(PAGE)}${LINE}`, blobId: null }];
      const at = { branch: name, expectedTip: null, parent: parent.commit, chainBase: parent.commit };
      const request = { ...at, changes, message: name, author: PERSON, timestamp: PERSON.timestamp };
      const { status } = await commitAndPush(cache, endpoint, request, { parent, chainBase: parent }, options);
      if (status !== 'published') throw new Error(`The push ended as ${status}.`);
      return 1;
    },
  };
}

async function isomorphicGit(folder: string, url: string): Promise<Works> {
  const git = await import('isomorphic-git');
  const { default: http } = await import('isomorphic-git/http/node');
  const at = { fs, dir: folder, gitdir: path.join(folder, '.git'), cache: {} };
  const remote = { ...at, http, url, ref: 'main', singleBranch: true, tags: false, noTags: true };
  const tip = () => git.resolveRef({ ...at, ref: 'refs/remotes/origin/main' });

  /** Every file below a tree, by its path. */
  async function filesBelow(oid: string, prefix: string): Promise<TreeEntry[]> {
    const { tree } = await git.readTree({ ...at, oid });
    const nested = tree.map(async (entry) => {
      const here = `${prefix}${entry.path}`;
      return entry.type === 'tree' ? filesBelow(entry.oid, `${here}/`) : [{ ...entry, path: here }];
    });
    return (await Promise.all(nested)).flat();
  }

  async function changedTree(oid: string, [name = '', ...rest]: string[]): Promise<string> {
    const { tree } = await git.readTree({ ...at, oid });
    const entry = tree.find((candidate) => candidate.path === name);
    if (!entry) throw new Error(`There is no ${name}.`);
    const changed = rest.length > 0 ? await changedTree(entry.oid, rest) : await changedBlob(entry.oid);
    return git.writeTree({ ...at, tree: tree.map((old) => (old === entry ? { ...entry, oid: changed } : old)) });
  }

  async function changedBlob(oid: string): Promise<string> {
    const { blob } = await git.readBlob({ ...at, oid });
    return git.writeBlob({ ...at, blob: Buffer.concat([blob, Buffer.from(LINE)]) });
  }

  return {
    list: async () => (await git.listServerRefs({ http, url, prefix: 'refs/heads/', protocolVersion: 2 })).length,
    async fetch() {
      if (fs.existsSync(at.gitdir)) await git.fetch({ ...remote, depth: 1 });
      else await git.clone({ ...remote, depth: 1, noCheckout: true });
      return (await filesBelow(await tip(), '')).length;
    },
    async history() {
      if (fs.existsSync(at.gitdir)) await git.fetch({ ...remote, depth: 500 });
      else await git.clone({ ...remote, depth: 500, noCheckout: true });
      return Math.min(COMMITS, (await git.log({ ...at, ref: await tip() })).length);
    },
    async read() {
      const pages = (await filesBelow(await tip(), '')).filter((file) => file.path.endsWith('.mdx'));
      let sum = 0;
      for (const { oid } of pages) sum += textLength(Buffer.from((await git.readBlob({ ...at, oid })).blob).toString());
      return sum;
    },
    async push(name) {
      const parent = await tip();
      const tree = await changedTree(parent, PAGE.split('/'));
      const commit = { tree, parent: [parent], author: PERSON, committer: PERSON, message: name };
      const oid = await git.writeCommit({ ...at, commit });
      await git.writeRef({ ...at, ref: `refs/heads/${name}`, value: oid, force: true });
      const { ok } = await git.push({ ...at, http, url, ref: name, remoteRef: name });
      if (!ok) throw new Error('The push was refused.');
      return 1;
    },
  };
}

function textLength(text: string | null): number {
  return text?.length ?? 0;
}

if (import.meta.main) {
  const [side, work, folder = '', url = '', name = ''] = process.argv.slice(2);
  const works = await (side === 'docent' ? docent(folder, url) : isomorphicGit(folder, url));
  const held = process.memoryUsage.rss();
  for (const time of ['first', 'again']) {
    const [at, before] = [performance.now(), process.cpuUsage()];
    const found = await works[work as Work](`${name}-${time}`);
    const ms = performance.now() - at;
    const { user, system } = process.cpuUsage(before);
    const megabytes = Math.max(0, process.resourceUsage().maxRSS * 1_024 - held) / 1e6;
    process.send?.({ ms, processorMs: (user + system) / 1_000, megabytes, found } satisfies Spent);
    await once(process, 'message');
  }
  process.disconnect();
}
