import type { ChangedPage, WritePolicy } from '@docent/git/contract';
import type { OverlayEntry } from '@docent/base/files/base-tree';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { findSecrets } from '@docent/find-secrets/find-secrets';

/** A secret in a page that is about to be published, without its value. */
export interface PageSecret {
  path: string;
  line: number;
  kind: string;
  /** See secretId. */
  id: string;
}

const MAX_NAMED = 50;

/**
 * The secrets that changed pages add, at most 50. Secrets that were in the same file before, or in a file
 * that the change removes or moves, do not count. Depends only on the overlay and its snapshot: the same
 * input gives the same answer.
 * @param allowed ids of secrets that a person allowed
 */
export async function addedSecrets(at: {
  snapshotPath: string;
  overlay: readonly OverlayEntry[];
  policy: WritePolicy;
  allowed: readonly string[];
}): Promise<PageSecret[]> {
  const base = new Workspace(openSnapshot(at.snapshotPath), [], at.policy);
  const added: PageSecret[] = [];
  let removed: Set<string> | null = null;
  for (const { path, content } of at.overlay) {
    if (content === null) continue;
    const found = (await findSecrets(content)).filter(({ id }) => !at.allowed.includes(id));
    if (found.length === 0) continue;
    const before = await idsIn(base.readText(path));
    const fresh = found.filter(({ id }) => !before.has(id));
    if (fresh.length === 0) continue;
    removed ??= await idsInRemoved(base, at.overlay);
    for (const { line, kind, id } of fresh) if (!removed.has(id)) added.push({ path, line, kind, id });
    if (added.length >= MAX_NAMED) return added.slice(0, MAX_NAMED);
  }
  return added;
}

/** Whether a change may be shown: its pages add no secret, and its file names hold none. */
export async function holdsNoSecrets(at: Parameters<typeof addedSecrets>[0]): Promise<boolean> {
  if ((await addedSecrets(at)).length > 0) return false;
  const names = at.overlay.filter(({ content, blobId }) => content !== null || blobId !== null).map(({ path }) => path);
  return (await findSecrets(names.join('\n'))).every(({ id }) => at.allowed.includes(id));
}

/** The pages that may be shown whole: neither their names nor their old and new texts hold a secret. */
export async function pagesWithoutSecrets(
  pages: readonly ChangedPage[],
  allowed: readonly string[],
): Promise<ChangedPage[]> {
  const kept: ChangedPage[] = [];
  for (const page of pages) {
    const ids = [...(await idsIn(page.path)), ...(await idsIn(page.before)), ...(await idsIn(page.after))];
    if (ids.every((id) => allowed.includes(id))) kept.push(page);
  }
  return kept;
}

async function idsIn(text: string | null): Promise<Set<string>> {
  return new Set((await findSecrets(text ?? '')).map(({ id }) => id));
}

async function idsInRemoved(base: Workspace, overlay: readonly OverlayEntry[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { path, content, blobId } of overlay) {
    if (content !== null || blobId !== null) continue;
    for (const id of await idsIn(base.readText(path))) ids.add(id);
  }
  return ids;
}
