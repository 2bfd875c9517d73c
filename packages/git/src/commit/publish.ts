import type { CommitRequest, Endpoint, Published, PushOutcome } from '../contract.ts';
import type { BaseTree } from '@docent/base/files/base-tree';
import { assertBranchName } from '../branch-name.ts';
import { RepositoryProblem } from '../repository-problem.ts';
import { fetchHistory, isAncestor, type History } from '../history.ts';
import { blobIdOf } from '@docent/base/files/object-id';
import { newCommit, type CommitFields } from '../objects/commit.ts';
import { receiveAdvertisement, sendPack } from '../protocol/send-pack.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { Workspace } from '../workspace.ts';
import { listCommits } from './describe-branch.ts';
import { changedPages } from './changed-pages.ts';
import { movedExecutables } from './kept-modes.ts';
import { diffTrees } from './diff-trees.ts';
import { uploadToLfs } from '../lfs/upload.ts';
import { commitSigner } from '../signing/signing-key.ts';
import { overlaidTree } from './overlaid-tree.ts';
import { rewriteTree, type RewrittenTree } from './rewrite-tree.ts';
import {
  packObjects,
  readObject,
  writeBlob,
  writeCommit,
  writeObject,
  type CommitObject,
  type PromiseFsClient,
} from 'isomorphic-git';

/** The file system that isomorphic-git needs, in memory: four times faster, and leaves nothing. */
function memoryFiles(): PromiseFsClient {
  const files = new Map<string, Uint8Array>();
  const found = (path: string): Uint8Array => {
    const file = files.get(path);
    // This code means "file not found" to isomorphic-git, which checks before each write.
    if (!file) throw Object.assign(new Error(`There is no ${path}.`), { code: 'ENOENT' });
    return file;
  };
  const stat = async (path: string) => {
    found(path);
    return { isFile: () => true, isDirectory: () => false };
  };
  return {
    promises: {
      readFile: async (path: string) => found(path),
      writeFile: async (path: string, content: Uint8Array) => void files.set(path, content),
      // Any path may hold a file.
      mkdir: async () => {},
      stat,
      lstat: stat,
      readdir: async () => [],
      unlink: unsupported,
      rmdir: unsupported,
      readlink: unsupported,
      symlink: unsupported,
    },
  };
}

async function unsupported(): Promise<never> {
  throw new Error('Objects in memory are written and read alone.');
}

/** The new objects of one push, in memory. See docs-internal/architecture.md for why git reads elsewhere. */
export class NewObjects {
  readonly #git = { fs: memoryFiles(), gitdir: '/git' };
  readonly #ids = new Set<string>();

  /** @param id the expected id: throws if isomorphic-git computes another one, so that it is never pushed */
  async addBlob(id: string, blob: Uint8Array): Promise<void> {
    this.#add(await writeBlob({ ...this.#git, blob }), id);
  }

  /** The tree's own bytes: parsing would lose odd modes and names that are not UTF-8. */
  async addTree(id: string, object: Uint8Array): Promise<void> {
    this.#add(await writeObject({ ...this.#git, type: 'tree', format: 'content', object }), id);
  }

  /**
   * The message must end in one line feed and have no carriage return, so that it is written unchanged.
   * @param sign signs the commit's bytes
   * @returns the commit's id
   */
  async addCommit(commit: CommitObject, sign?: (unsigned: Buffer) => Promise<string>): Promise<string> {
    const unsigned = await writeCommit({ ...this.#git, commit });
    if (!sign) return this.#add(unsigned);
    const { object } = await readObject({ ...this.#git, oid: unsigned, format: 'content' });
    if (!(object instanceof Uint8Array)) throw new Error('isomorphic-git returned no bytes of a commit.');
    const gpgsig = await sign(Buffer.from(object));
    return this.#add(await writeCommit({ ...this.#git, commit: { ...commit, gpgsig } }));
  }

  /** A pack of all objects, without deltas. */
  async pack(): Promise<Uint8Array> {
    const { packfile } = await packObjects({ ...this.#git, oids: [...this.#ids] });
    if (!packfile) throw new Error('isomorphic-git made no pack.');
    return packfile;
  }

  #add(written: string, expected = written): string {
    if (written !== expected) throw new Error(`Object ${expected} was written as ${written}.`);
    this.#ids.add(written);
    return written;
  }
}

/** A ref that is locked is being changed by someone: a moment later it is free, or elsewhere. */
const LOCKED_RETRIES = 5;
const LOCKED_WAIT_MS = 100;

interface NewCommit {
  id: string;
  fields: CommitFields;
  tree: BaseTree;
}

/** Adds the deterministic commit and its new objects. Null if the changes change nothing. */
export async function buildCommit(
  parent: Snapshot,
  request: CommitRequest,
  objects: NewObjects,
): Promise<NewCommit | null> {
  const { rootTree, trees } = rewrittenTree(parent, request.changes);
  if (rootTree === parent.rootTree) return null;
  const commit = newCommit({ ...request, tree: rootTree });
  const sign = request.signingKey === undefined ? null : await commitSigner(request.signingKey);
  const id = await objects.addCommit(commit, sign ? (unsigned) => sign(unsigned, request.timestamp) : undefined);
  for (const [treeId, raw] of trees) if (!parent.hasTree(treeId)) await objects.addTree(treeId, raw);
  for (const [blobId, content] of neededBlobs(request))
    if (!parent.hasBlob(blobId)) await objects.addBlob(blobId, content);
  for (const { content } of request.changes) {
    if (content === null) continue;
    const blobId = blobIdOf(content);
    if (!parent.hasBlob(blobId)) await objects.addBlob(blobId, Buffer.from(content));
  }
  const { tree, parent: parents, author, message } = commit;
  return {
    id,
    fields: { tree, parents, authorName: author.name, time: author.timestamp, message },
    tree: overlaidTree(parent, request.changes, id),
  };
}

/** The parent's tree with the changes. */
export function rewrittenTree(parent: Snapshot, changes: CommitRequest['changes']): RewrittenTree {
  const readTree = (id: string) => {
    const raw = parent.tree(id);
    if (!raw) throw new Error(`The parent's snapshot lacks tree ${id}.`);
    return raw;
  };
  return rewriteTree(parent.rootTree, changes, readTree, movedExecutables(parent, changes));
}

/** Throws WorkspaceRefusal for changes that break the policy. */
export function checkChanges(parent: Snapshot, request: CommitRequest): void {
  assertBranchName(request.branch);
  if (request.expectedTip !== null && request.expectedTip !== request.parent) {
    throw new Error('A push to an existing branch needs its tip as the parent, or it would be forced.');
  }
  const sizes = new Map([...(request.blobs ?? [])].map(([id, { length }]) => [id, length]));
  Workspace.check(parent, request.changes, request.policy ?? UNBOUNDED, sizes);
}

function neededBlobs({ changes, blobs }: CommitRequest): Map<string, Uint8Array> {
  const named = new Set(
    changes.flatMap(({ content, blobId }) => (content === null && blobId !== null ? [blobId] : [])),
  );
  return new Map([...(blobs ?? [])].filter(([id]) => named.has(id)));
}

/**
 * Builds the commit and pushes it. Every returned outcome is final for this request; after an exception it
 * may be repeated unchanged. Throws RepositoryProblem, and WorkspaceRefusal for changes that break the
 * policy.
 */
export async function commitAndPush(
  cache: SnapshotCache,
  endpoint: Endpoint,
  request: CommitRequest,
  snapshots: { parent: Snapshot; chainBase: Snapshot },
  options: ExchangeOptions,
): Promise<PushOutcome> {
  const { parent, chainBase } = snapshots;
  checkChanges(parent, request);
  const changes = await uploadToLfs(endpoint, parent, request, options);
  const objects = new NewObjects();
  const commit = await buildCommit(parent, { ...request, changes }, objects);
  if (!commit) return { status: 'empty' };
  return push(cache, endpoint, request, { commit, objects, parent, chainBase }, options);
}

async function push(
  cache: SnapshotCache,
  endpoint: Endpoint,
  request: CommitRequest,
  made: { commit: NewCommit; objects: NewObjects; parent: Snapshot; chainBase: Snapshot },
  options: ExchangeOptions,
): Promise<PushOutcome> {
  const { commit, objects, parent, chainBase } = made;

  const ref = `refs/heads/${request.branch}`;
  const before = mayPushAtOnce(endpoint, request) ? null : await receiveAdvertisement(endpoint, options);
  const elsewhere = before && (await whereElse(before.refs.get(ref) ?? null));
  if (elsewhere) return elsewhere;
  const published = await describe();

  const pack = await objects.pack();
  for (let round = 0; ; round++) {
    const update = { ref, oldId: request.expectedTip, newId: commit.id, pack };
    const sent = await sendPack(endpoint, update, before?.capabilities ?? OF_EVERY_GIT, options).catch(
      (err: unknown) => ({ err }),
    );
    if ('ok' in sent && sent.ok) return { status: 'published', ...published };
    const after = await receiveAdvertisement(endpoint, options);
    const moved = await whereElse(after.refs.get(ref) ?? null);
    if (moved) return moved;
    if ('err' in sent) throw sent.err;
    if (!/\.lock': File exists/.test(sent.reason)) return { status: 'refused', reason: refusalReason(sent.reason) };
    if (round === LOCKED_RETRIES) {
      throw new RepositoryProblem('unreachable', `The branch ${request.branch} stays locked: ${sent.reason}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCKED_WAIT_MS * 2 ** round));
    options.signal?.throwIfAborted();
  }

  async function whereElse(tip: string | null): Promise<PushOutcome | null> {
    if (tip === request.expectedTip) return null;
    const there = tip !== null && (await isAncestor(cache, endpoint, commit.id, tip, options));
    return there ? { status: 'already-there', ...(await describe()) } : { status: 'stale', tip };
  }

  async function describe(): Promise<Published> {
    const diff = diffTrees(parent, commit.tree);
    return {
      commit: commit.id,
      diff,
      pages: changedPages(chainBase, commit.tree),
      pullRequestDiff: chainBase.commit === parent.commit ? diff : diffTrees(chainBase, commit.tree),
      commits: listCommits(await historyOf(), commit.id),
    };
  }

  async function historyOf(): Promise<History> {
    const earlier: History =
      request.parent === request.chainBase
        ? new Map()
        : await fetchHistory(cache, endpoint, request.parent, request.chainBase, options);
    return earlier.set(commit.id, commit.fields);
  }
}

/**
 * Whether to push without first asking the server for the branch, because the push compares and sets. Only
 * for a new branch that no earlier attempt can have created, so that hooks do not see a push that must fail;
 * and only for git itself, whose answers are known.
 */
function mayPushAtOnce(endpoint: Endpoint, { expectedTip, isFirstAttempt }: CommitRequest): boolean {
  return endpoint.kind === 'local' && expectedTip === null && isFirstAttempt === true;
}

/** Capabilities of every local git that receives a push. */
const OF_EVERY_GIT = ['report-status', 'side-band-64k', 'object-format=sha1'];

/** For callers that name no policy: the whole repository, and only the limits of git servers. */
const UNBOUNDED = {
  docsDir: '',
  maxFiles: 10_000,
  maxFileBytes: 50 * 1024 * 1024,
  maxTotalBytes: 200 * 1024 * 1024,
};

function refusalReason(reason: string): string {
  if (!/currently checked out/i.test(reason)) return reason;
  return 'a work tree of the repository has this branch checked out, so git refuses the push; switch that work tree to another branch';
}
