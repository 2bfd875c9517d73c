import type { BaseTree } from '@docent/base/files/base-tree';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { secretFileNoun } from '@docent/git/secret-files';

/** A source in a turn, as plain data: it crosses into a child process. */
export interface SourceAt {
  name: string;
  /** The URL or path of its repository. */
  repository: string;
  ref: string;
  /** Readable folders and files; empty for all. */
  paths: readonly string[];
  /** The same for all steps of a turn. */
  commit: string | null;
  /** File of the commit's snapshot; null if it cannot be read, or no call needs it. */
  snapshotPath: string | null;
  /** Why it cannot be read, in a sentence; null if it can. */
  problem: string | null;
}

/** A source with its files. */
export interface Source extends Omit<SourceAt, 'snapshotPath'> {
  base: BaseTree | null;
}

export function openSource({ snapshotPath, ...source }: SourceAt): Source {
  return { ...source, base: snapshotPath === null ? null : openSnapshot(snapshotPath) };
}

/** Whether a path is in the readable part of the source. */
export function isWithin({ paths }: Pick<Source, 'paths'>, path: string): boolean {
  return paths.length === 0 || paths.some((one) => path === one || path.startsWith(`${one}/`));
}

const readable = new WeakMap<BaseTree, Map<string, readonly string[]>>();

/** Paths of readable texts: in the source's part, and without names of secret files. */
export function readablePaths({ base, paths }: Source): readonly string[] {
  if (!base) return [];
  const known = readable.get(base) ?? new Map<string, readonly string[]>();
  readable.set(base, known);
  const key = JSON.stringify(paths);
  const found = known.get(key) ?? base.files().flatMap(({ path, kind }) => (isReadable(path, kind) ? [path] : []));
  known.set(key, found);
  return found;

  function isReadable(path: string, kind: string): boolean {
    const isText = kind === 'text' || kind === 'executable-text';
    return isText && isWithin({ paths }, path) && secretFileNoun(path) === null;
  }
}

/** The shown part of a line, in characters. */
export const MAX_SHOWN_LINE = 2_000;

/** Lines of a text as citations count them: a break at the end begins no line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
