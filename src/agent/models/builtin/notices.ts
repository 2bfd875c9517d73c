import type { NoticeKind, TranscriptEntry } from '../../transcript.ts';

/** What a notice means to the built-in editor. */
export interface Notice {
  kind: NoticeKind | null;
  /** The files that a conflict is about. */
  paths: readonly string[];
  /** The items that it lists. */
  lines: readonly string[];
}

/** Reads a notice: its own fields where it has them, else its words. */
export function noticeOf({ text, kind, paths }: Extract<TranscriptEntry, { role: 'notice' }>): Notice {
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  return { kind: kind ?? kindIn(text), paths: paths ?? pathsIn(text), lines: lines.map((line) => line.slice(2)) };
}

const CONFLICT = /others changed the(?:se| same) files/;

function kindIn(text: string): NoticeKind | null {
  if (text.startsWith('The docs checks found problems')) return 'problems';
  if (CONFLICT.test(text)) return 'conflict';
  return /^The turn before (?:this )?was cancelled/.test(text) ? 'cancelled' : null;
}

/** The paths listed behind the sentence about the conflict, each as a JSON string. */
function pathsIn(text: string): string[] {
  const at = text.search(CONFLICT);
  if (at === -1) return [];
  return [...text.slice(at).matchAll(/^- ("(?:[^"\\]|\\.)*")$/gm)].flatMap(([, literal]) => {
    try {
      return [JSON.parse(literal!) as string];
    } catch {
      return [];
    }
  });
}
