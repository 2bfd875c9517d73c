import type { BaseTree, OverlayEntry } from '@docent/base/files/base-tree';
import { withoutInvisible } from '../read/visible-text.ts';
import type { DocsFiles, DocsSite } from '../read/docs-site.ts';
import { fileKindOf } from '../review/docs-files.ts';
import { sentences } from '../review/effect-notes.ts';
import type { Effects } from '../review/effects.ts';
import { EffectReader } from '../review/file-effects.ts';
import { withoutKnown, type Fresh } from '../review/known-effects.ts';
import { siteNotes } from '../review/site-notes.ts';
import { isSteeringFile } from '../review/steering-files.ts';

/** Not a mistake, but a point that a person should check before the change counts. */
export interface ReviewNote {
  path: string;
  /** A sentence that continues the path. */
  message: string;
}

/** A change, and the site before and after it. */
export interface ReviewedChange {
  base: BaseTree;
  overlay: readonly OverlayEntry[];
  before: DocsSite;
  after: DocsSite;
  /** The files with the change. */
  files: DocsFiles;
  /** Paths of files that the project's settings name as instructions for agents. */
  instructionFiles?: readonly string[];
}

const MAX_NOTES = 50;

/** The most important point has the lowest number. */
const WEIGHT = { site: 0, unread: 1, code: 2, steering: 3, settings: 4, lost: 5, hidden: 6, loads: 7, names: 8 };

/**
 * The most important points of a change for reviewers, judged by its effect. Each file is parsed as its
 * consumer parses it, before and after, and new effects are noted: named or contacted servers; code that runs
 * in the build or in browsers; files that are not documentation; settings that load or run something; rules
 * for later jobs; invisible characters; removed pages and navigation. Unreadable parts are noted as well. At
 * most 50 notes, the most severe first; the last one counts the rest.
 */
export function reviewNotes({
  base,
  overlay,
  before,
  after,
  files,
  instructionFiles = [],
}: ReviewedChange): ReviewNote[] {
  const notes: { note: ReviewNote; weight: number }[] = [];
  const add = (kind: keyof typeof WEIGHT, path: string, message: string) =>
    notes.push({ note: { path, message }, weight: WEIGHT[kind] });
  const readBefore = (path: string) => (base.file(path) ? base.readText(path) : null);
  for (const { path, message, isLoss } of siteNotes(before, after, files, readBefore, overlay)) {
    add(isLoss ? 'lost' : 'site', path, message);
  }

  const changes = freshEffects({ base, overlay, before, after });
  let hiddenInDeleted = overlay.reduce(
    (sum, one) => sum + (one.content === null ? hiddenIn(readBefore(one.path) ?? '') : 0),
    0,
  );
  for (const entry of overlay) {
    const { path, content } = entry;
    const kind = fileKindOf(path, after.site);
    const verb = content === null && entry.blobId === null ? ' and is deleted' : '';
    if (isSteeringFile(path, instructionFiles))
      add('steering', path, `contains instructions for agents that work on this repository${verb}`);
    else if (kind === 'code') add('code', path, `is code that a build or a browser may run${verb}`);
    else if (kind === 'other') {
      add('code', path, `is not documentation: a build or a tool may run or read it${verb}`);
    }
    if (content === null) continue;
    const hidden = hiddenIn(content) - hiddenIn(readBefore(path) ?? '');
    if (hidden > 0 && (base.file(path) || hidden > hiddenInDeleted)) {
      add('hidden', path, 'has new characters that are invisible or change the text direction');
    } else if (hidden > 0) hiddenInDeleted -= hidden;
    if ((after.facts(path)?.ignores?.length ?? 0) > (before.facts(path)?.ignores?.length ?? 0))
      add('settings', path, 'has a new comment that makes the docs checks ignore problems after the merge');
    const effects = changes.get(path);
    if (!effects) continue;
    if (effects.unread !== null) add('unread', path, `${effects.unread}, so review the whole file`);
    // A file of code counts as a whole.
    if (kind !== 'code' && effects.code.size > 0)
      add('code', path, sentences.code([...effects.code.values()].map((one) => one.kind)));
    if (effects.settings.size > 0) add('settings', path, sentences.settings([...effects.settings.keys()]));
    if (effects.programs.size > 0) add('loads', path, sentences.programs([...effects.programs]));
    if (effects.loads.size > 0) add('loads', path, sentences.loads([...effects.loads]));
    const named = [...effects.names].filter((host) => !effects.loads.has(host));
    if (named.length > 0) add('names', path, sentences.names(named));
  }
  const sorted = notes.toSorted((a, b) => a.weight - b.weight).map(({ note }) => note);
  if (sorted.length <= MAX_NOTES) return sorted;
  const more = sorted.length - MAX_NOTES + 1;
  return [...sorted.slice(0, MAX_NOTES - 1), { path: sorted[MAX_NOTES - 1]!.path, message: `and other files have ${more} more notes, which are not shown here` }]; // oxfmt-ignore
}

/** By file, its new effects. A server is named only at its first file. */
function freshEffects({ base, overlay, before, after }: Omit<ReviewedChange, 'files'>): Map<string, Effects> {
  const [was, is] = [new EffectReader(before.site), new EffectReader(after.site)];
  const changed = new Map<string, Effects>();
  const fresh: Fresh = { names: new Set(), loads: new Set(), code: new Map() };
  for (const { path, content } of overlay) {
    if (content === null) continue;
    const old = base.file(path) ? base.readText(path) : null;
    const now = is.read(path, content);
    const then = old === null ? null : was.read(path, old);
    if (then) subtract(now, then, old === content);
    changed.set(path, now);
    for (const host of now.names) fresh.names.add(host);
    for (const host of now.loads) fresh.loads.add(host);
    for (const [key, piece] of now.code) fresh.code.set(key, piece);
  }
  withoutKnown(fresh, base, before, was);
  for (const effects of changed.values()) {
    for (const key of effects.code.keys()) if (!fresh.code.has(key)) effects.code.delete(key);
    for (const [hosts, left] of [
      [effects.names, fresh.names],
      [effects.loads, fresh.loads],
    ] as const) {
      // oxfmt-ignore
      for (const host of hosts) if (!left.delete(host)) hosts.delete(host);
    }
  }
  return changed;
}

function subtract(now: Effects, then: Effects, isSame: boolean): void {
  for (const host of then.names) now.names.delete(host);
  for (const host of then.loads) now.loads.delete(host);
  for (const scheme of then.programs) now.programs.delete(scheme);
  for (const key of then.code.keys()) now.code.delete(key);
  for (const name of new Set([...now.settings.keys(), ...then.settings.keys()])) {
    if (now.settings.get(name) === then.settings.get(name)) now.settings.delete(name);
    else if (!now.settings.has(name)) now.settings.set(name, '');
  }
  if (isSame) now.unread = null;
}

function hiddenIn(text: string): number {
  return text.replaceAll('\r\n', '\n').length - withoutInvisible(text).length;
}
