import type { BaseTree, CommitRequest, Endpoint, Published, PushOutcome } from '../contract.ts';
import { mustBeBranchName } from '../branch-name.ts';
import { RepositoryProblem } from '../hosts/host.ts';
import { fetchHistory, isAncestor, oldestFirst, type History } from '../history.ts';
import { blobIdOf, objectId, type ObjectType } from '../object-id.ts';
import { parseCommit, serializeCommit } from '../objects/commit.ts';
import { writePack } from '../objects/pack-writer.ts';
import { receiveAdvertisement, sendPack } from '../protocol/send-pack.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { Workspace } from '../workspace.ts';
import { diffTrees } from './diff-trees.ts';
import { overlaidTree } from './overlaid-tree.ts';
import { rewriteTree } from './rewrite-tree.ts';

const MAX_LISTED_COMMITS = 250;
/** A ref that is locked is being changed by somebody: a moment later it is free, or elsewhere. */
const LOCKED_RETRIES = 5;
const LOCKED_WAIT_MS = 100;

export interface NewCommit {
  id: string;
  content: Buffer;
  tree: BaseTree;
  objects: { type: ObjectType; content: Uint8Array }[];
}

/** The deterministic commit and the objects that the parent does not have; null if the changes change nothing. */
export function buildCommit(parent: Snapshot, request: CommitRequest): NewCommit | null {
  const readTree = (id: string) => {
    const raw = parent.tree(id);
    if (!raw) throw new Error(`The parent's snapshot lacks tree ${id}.`);
    return raw;
  };
  const { rootTree, trees } = rewriteTree(parent.rootTree, request.changes, readTree);
  if (rootTree === parent.rootTree) return null;
  const blobs = new Map<string, Buffer>();
  for (const { content } of request.changes) {
    if (content === null) continue;
    const id = blobIdOf(content);
    if (!parent.hasBlob(id)) blobs.set(id, Buffer.from(content));
  }
  const content = serializeCommit({ ...request, tree: rootTree });
  const id = objectId('commit', content);
  return {
    id,
    content,
    tree: overlaidTree(parent, request.changes, id),
    objects: [
      { type: 'commit', content },
      ...[...trees]
        .filter(([tree]) => !parent.hasTree(tree))
        .map(([, raw]) => ({ type: 'tree' as const, content: raw })),
      ...[...blobs.values()].map((blob) => ({ type: 'blob' as const, content: blob })),
    ],
  };
}

/**
 * Builds the commit and pushes it. Every outcome that is not an exception is final for this request; after an exception
 * the request may be repeated as it is. Throws RepositoryProblem, and WorkspaceRefusal for changes that break the policy.
 */
export async function commitAndPush(
  cache: SnapshotCache,
  endpoint: Endpoint,
  request: CommitRequest,
  snapshots: { parent: Snapshot; chainBase: Snapshot },
  options: ExchangeOptions,
): Promise<PushOutcome> {
  mustBeBranchName(request.branch);
  if (request.expectedTip !== null && request.expectedTip !== request.parent) {
    throw new Error('A push to an existing branch needs its tip as the parent, or it would be forced.');
  }
  const { parent, chainBase } = snapshots;
  Workspace.check(parent, request.changes, request.policy ?? UNBOUNDED);
  const commit = buildCommit(parent, request);
  if (!commit) return { status: 'empty' };

  const before = await receiveAdvertisement(endpoint, options);
  const ref = `refs/heads/${request.branch}`;
  const elsewhere = await whereElse(before.refs.get(ref) ?? null);
  if (elsewhere) return elsewhere;
  const published = await describe();

  const pack = writePack(commit.objects);
  for (let round = 0; ; round++) {
    const update = { ref, oldId: request.expectedTip, newId: commit.id, pack };
    const sent = await sendPack(endpoint, update, before.capabilities, options).catch((err: unknown) => ({ err }));
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
    const there = tip !== null && (await isAncestor(cache, endpoint, commit!.id, tip, options));
    return there ? { status: 'already-there', ...(await describe()) } : { status: 'stale', tip };
  }

  async function describe(): Promise<Published> {
    const diff = diffTrees(parent, commit!.tree);
    return {
      commit: commit!.id,
      diff,
      pullRequestDiff: chainBase.commit === parent.commit ? diff : diffTrees(chainBase, commit!.tree),
      commits: await listCommits(cache, endpoint, request, commit!, options),
    };
  }
}

/** For callers that name no policy: the whole repository, and only the limits of git servers. */
const UNBOUNDED = {
  docsDir: '',
  maxFiles: 10_000,
  maxFileBytes: 50 * 1024 * 1024,
  maxTotalBytes: 200 * 1024 * 1024,
};

async function listCommits(
  cache: SnapshotCache,
  endpoint: Endpoint,
  { parent, chainBase }: CommitRequest,
  commit: NewCommit,
  options: ExchangeOptions,
): Promise<Published['commits']> {
  const earlier: History =
    parent === chainBase ? new Map() : await fetchHistory(cache, endpoint, parent, chainBase, options);
  earlier.set(commit.id, parseCommit(commit.content));
  return oldestFirst(earlier, commit.id)
    .slice(-MAX_LISTED_COMMITS)
    .map(({ id, commit: { message, authorName, time } }) => ({
      id,
      message: message.slice(0, 10_000),
      authorName: authorName.slice(0, 200),
      time: new Date(Math.min(Math.max(time, -8.64e12), 8.64e12) * 1000).toISOString(),
    }));
}

function refusalReason(reason: string): string {
  if (!/currently checked out/i.test(reason)) return reason;
  return 'a work tree of the repository has this branch checked out, so git lets no push change it; switch that work tree to another branch';
}
