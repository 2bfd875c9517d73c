import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as git from 'isomorphic-git';
import { changedPaths } from '../../src/git/commit/diff-trees.ts';
import { memoryFiles } from '../../src/git/commit/memory-files.ts';
import { NewObjects } from '../../src/git/commit/new-objects.ts';
import { overlaidTree } from '../../src/git/commit/overlaid-tree.ts';
import { rewriteTree } from '../../src/git/commit/rewrite-tree.ts';
import { blobIdOf } from '../../src/git/object-id.ts';
import { parseCommit } from '../../src/git/objects/commit.ts';
import { readPack } from '../../src/git/objects/pack-reader.ts';
import { parseTree } from '../../src/git/objects/tree.ts';
import { readAdvertisement } from '../../src/git/protocol/advertisement.ts';
import { fetchPack } from '../../src/git/protocol/fetch-pack.ts';
import { listBranches } from '../../src/git/protocol/list-refs.ts';
import { FLUSH, pktLine, readPackets } from '../../src/git/protocol/pkt-line.ts';
import { fetchSnapshot } from '../../src/git/snapshot/fetch-snapshot.ts';
import { SnapshotCache } from '../../src/git/snapshot/snapshot-cache.ts';
import type { Snapshot } from '../../src/git/snapshot/snapshot.ts';
import { DEFAULT_TRANSFER_LIMITS } from '../../src/git/transport/transport.ts';
import { median, ms, printRows, type BenchRow } from './bench-row.ts';
import { PAGE, REPOSITORIES } from './git-repositories.ts';

const ROUNDS = 7;
const options = { limits: DEFAULT_TRANSFER_LIMITS };

/**
 * The pieces of Docent's git code that isomorphic-git has an exported function for, beside that function, on the 1,500 files: all in
 * this process, in memory where it can be. Packets and deltas, for which it exports nothing, are part of a function that it has.
 */
export async function benchGitPieces(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-pieces-'));
  try {
    const repository = path.join(folder, 'docs.git');
    await REPOSITORIES['1,500 files'](repository);
    const endpoint = { kind: 'local', path: repository } as const;
    const tip = (await listBranches(endpoint, options)).get('main') ?? '';
    const snapshot = await fetchSnapshot(new SnapshotCache(path.join(folder, 'cache')), endpoint, tip, options);
    const pages = path.join(folder, 'pages.pack');
    const pagesBytes = (await fetchPack(endpoint, { wants: [tip], depth: 1 }, pages, options)).bytes;
    const history = path.join(folder, 'history.pack');
    const historyBytes = (await fetchPack(endpoint, { wants: [tip] }, history, options)).bytes;
    const store = await objectsInMemory(snapshot);
    return [
      await advertisements(),
      await namesOfBlobs(snapshot),
      await commits(snapshot, store),
      await trees(snapshot, store),
      await packs('Unpack the pages', pages, pagesBytes),
      await packs('Unpack 200 commits, most of their trees deltas', history, historyBytes),
      await changesOfTrees(snapshot, store),
      await differences(snapshot, store),
      await newObjects(folder),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Store = { fs: git.PromiseFsClient; gitdir: string };
type Work = () => unknown;

function advertisements(): Promise<BenchRow> {
  const id = 'a'.repeat(40);
  const refs = Array.from({ length: 5_000 }, (_, i) => pktLine(`${id} refs/heads/branch-${i}${i === 0 ? '\0report-status' : ''}\n`)); // prettier-ignore
  const said = Buffer.concat([...refs, FLUSH]);
  const type = 'application/x-git-receive-pack-advertisement';
  const service = Buffer.concat([pktLine('# service=git-receive-pack\n'), FLUSH, said]);
  const answer = { url: '', method: 'GET', statusCode: 200, statusMessage: 'OK', headers: { 'content-type': type } };
  const http = { request: async () => ({ ...answer, body: inPieces(service) }) };
  return row(
    `Read packets of ${refs.length} branches (listServerRefs)`,
    () => readAdvertisement(readPackets(inPieces(said))),
    () => git.listServerRefs({ http, url: 'http://localhost/docs.git', forPush: true, protocolVersion: 1 }),
  );
}

/** As they come from a network. */
async function* inPieces(bytes: Buffer): AsyncIterableIterator<Buffer> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384);
}

function namesOfBlobs(snapshot: Snapshot): Promise<BenchRow> {
  const texts = snapshot.files().map((file) => snapshot.readText(file.path) ?? '');
  return row(
    `Name ${texts.length} blobs (hashBlob)`,
    () => texts.map(blobIdOf),
    () => Promise.all(texts.map((text) => git.hashBlob({ object: text }))),
  );
}

function commits(snapshot: Snapshot, store: Store): Promise<BenchRow> {
  const times = Array.from({ length: 200 });
  return row(
    `Read ${times.length} commits (readCommit)`,
    () => times.map(() => parseCommit(snapshot.commitObject)),
    () => Promise.all(times.map(() => git.readCommit({ ...store, oid: snapshot.commit }))),
  );
}

function trees(snapshot: Snapshot, store: Store): Promise<BenchRow> {
  const ids = treesOf(snapshot);
  return row(
    `Read ${ids.length} trees (readTree)`,
    () => ids.map((id) => parseTree(treeOf(snapshot, id))),
    () => Promise.all(ids.map((oid) => git.readTree({ ...store, oid }))),
  );
}

function packs(name: string, pack: string, bytes: number): Promise<BenchRow> {
  const [dir, filepath] = [path.dirname(pack), path.basename(pack)];
  return row(
    `${name} (indexPack, the index alone)`,
    async () => {
      const fd = fs.openSync(pack, 'r');
      await readPack(fd, bytes, () => {});
      fs.closeSync(fd);
    },
    () => git.indexPack({ fs, dir, gitdir: dir, filepath }),
  );
}

function changesOfTrees(snapshot: Snapshot, store: Store): Promise<BenchRow> {
  const change = { path: PAGE, content: 'New.\n', blobId: null };
  return row(
    'Change a page in its trees (readTree, writeTree)',
    () => rewriteTree(snapshot.rootTree, [change], (id) => treeOf(snapshot, id)),
    () => changedTree(store, snapshot.rootTree, PAGE.split('/'), blobIdOf(change.content)),
  );
}

async function differences(snapshot: Snapshot, store: Store): Promise<BenchRow> {
  const change = { path: PAGE, content: 'New.\n', blobId: null };
  const changed = overlaidTree(snapshot, [change], 'changed');
  const tree = await changedTree(store, snapshot.rootTree, PAGE.split('/'), blobIdOf(change.content));
  const commit = await git.writeCommit({ ...store, commit: { tree, parent: [], author: PERSON, committer: PERSON, message: 'x' } }); // prettier-ignore
  return row(
    'Paths that differ (walk)',
    () => changedPaths(snapshot, changed),
    () =>
      git.walk({
        ...store,
        trees: [git.TREE({ ref: snapshot.commit }), git.TREE({ ref: commit })],
        map: async (at, [before, after]) => {
          if ((await before?.oid()) === (await after?.oid())) return null;
          return (await after?.type()) === 'tree' ? undefined : at;
        },
      }),
  );
}

/** Both are isomorphic-git: on our files in memory, and on a disk. */
function newObjects(folder: string): Promise<BenchRow> {
  let round = 0;
  const texts = () => Array.from({ length: 20 }, (_, i) => Buffer.from(`Page ${i} of round ${(round += 1)}\n`));
  return row(
    'Write and pack 20 new blobs (on a disk)',
    async () => {
      const objects = new NewObjects();
      for (const blob of texts()) await objects.addBlob(blobIdOf(blob.toString()), blob);
      await objects.pack();
    },
    async () => {
      const at = { fs, gitdir: path.join(folder, `new-${round}`) };
      const oids: string[] = [];
      for (const blob of texts()) oids.push(await git.writeBlob({ ...at, blob }));
      await git.packObjects({ ...at, oids });
    },
  );
}

const PERSON = { name: 'Docent', email: 'docent@localhost', timestamp: 1_700_000_000, timezoneOffset: 0 };

async function changedTree(store: Store, oid: string, [name = '', ...rest]: string[], blob: string): Promise<string> {
  const { tree } = await git.readTree({ ...store, oid });
  const changed = tree.map(async (entry) => {
    if (entry.path !== name) return entry;
    return { ...entry, oid: rest.length > 0 ? await changedTree(store, entry.oid, rest, blob) : blob };
  });
  return git.writeTree({ ...store, tree: await Promise.all(changed) });
}

async function objectsInMemory(snapshot: Snapshot): Promise<Store> {
  const store = { fs: memoryFiles(), gitdir: '/git' };
  for (const id of treesOf(snapshot)) {
    await git.writeObject({ ...store, type: 'tree', format: 'content', object: treeOf(snapshot, id) });
  }
  await git.writeObject({ ...store, type: 'commit', format: 'content', object: snapshot.commitObject });
  return store;
}

function treesOf(snapshot: Snapshot): string[] {
  const found: string[] = [];
  for (const left = [snapshot.rootTree]; left.length > 0;) {
    const id = left.pop() ?? '';
    found.push(id);
    for (const entry of parseTree(treeOf(snapshot, id))) if (entry.mode === '40000') left.push(entry.id);
  }
  return found;
}

function treeOf(snapshot: Snapshot, id: string): Buffer {
  const tree = snapshot.tree(id);
  if (!tree) throw new Error(`The snapshot lacks tree ${id}.`);
  return tree;
}

/** The first time of each, then the median of the others. */
async function row(name: string, ours: Work, theirs: Work): Promise<BenchRow> {
  const [mine, other]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    mine.push(await timed(ours));
    other.push(await timed(theirs));
  }
  const ratio = median(mine.slice(1)) / median(other.slice(1));
  const measured = `${words(mine)} (isomorphic-git: ${words(other)})`;
  return { name, measured, ratio, goal: 'less than isomorphic-git', met: ratio < 1 };
}

function words(times: readonly number[]): string {
  return `${ms(median(times.slice(1)))}, first ${ms(times[0] ?? NaN)}`;
}

async function timed(work: Work): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

if (import.meta.main) printRows(await benchGitPieces());
