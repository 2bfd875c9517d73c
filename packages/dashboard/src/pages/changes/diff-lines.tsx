import type { DiffFile, DiffLine, DiffHunk } from '@docent/client';
import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { changedWords, pairsOf } from './changed-words.ts';
import { CommentBox } from './comment-box.tsx';
import { isSamePlace, placeOf, type Comments } from './comments.ts';
import type { Span } from './highlight.ts';
import { Near } from './near.tsx';
import { shownLine, shownText } from './shown-text.tsx';

const { changes: w } = text;

export type Layout = 'unified' | 'split';

/** Lines that are drawn together. */
const CHUNK = 150;
export const LINE_PX = 21;

const SIGNS: Record<DiffLine['kind'], string> = { add: '+', del: '−', same: ' ', note: '' };

/**
 * @param comments null for people who may not send any
 * @param isFirst whether its beginning is visible when the page is opened
 */
export function DiffLines({
  file,
  layout,
  comments,
  isFirst,
}: {
  file: DiffFile;
  layout: Layout;
  comments: Comments | null;
  isFirst: boolean;
}) {
  return (
    <div
      class={`diff-lines ${layout}`}
      role="group"
      aria-label={w.linesOf(file.path)}
      tabIndex={0}
      onKeyDown={moveFocus}
    >
      {file.hunks.map((hunk, i) => (
        <div key={i}>
          <div class="hunk-head">{shownText(hunk.header)}</div>
          {chunksOf(hunk).map((part, k) => (
            <Near key={k} height={part.lines.length * LINE_PX} isFirst={isFirst && i === 0 && k === 0}>
              {() => <Chunk hunk={part} file={file} layout={layout} comments={comments} />}
            </Near>
          ))}
        </div>
      ))}
    </div>
  );
}

/** A long hunk in parts; replaced lines stay beside their replacements. */
function chunksOf(hunk: DiffHunk): DiffHunk[] {
  if (hunk.lines.length <= CHUNK) return [hunk];
  const parts: DiffHunk[] = [];
  for (let from = 0; from < hunk.lines.length; from += CHUNK)
    parts.push({ header: '', lines: hunk.lines.slice(from, from + CHUNK) });
  return parts;
}

function Chunk({
  hunk,
  file,
  layout,
  comments,
}: {
  hunk: DiffHunk;
  file: DiffFile;
  layout: Layout;
  comments: Comments | null;
}) {
  const spans = useHighlight(hunk, file.path);
  const open = comments?.of(file.path).value ?? [];
  const rows = useMemo(() => {
    const changed = changedWords(hunk.lines);
    const shown = (line: DiffLine) => shownLine(line.text, spans?.get(line), changed.get(line));
    const comment = (line: DiffLine) => comments && (() => comments.begin(file.path, line));
    if (layout === 'unified')
      return hunk.lines.map((line) => ({ of: [line], row: unifiedRow(line, shown(line), comment(line)) }));
    return pairsOf(hunk.lines).map(({ left, right }) => ({
      of: [left, right].filter((line) => line !== null),
      row: (
        <div class="pair">
          {half(left, 'old', left && shown(left), left && left !== right ? comment(left) : null)}
          {half(right, 'now', right && shown(right), right && comment(right))}
        </div>
      ),
    }));
  }, [hunk, spans, layout, comments]);
  return (
    <>
      {rows.map(({ of, row }) => {
        const here = open.filter((each) => of.some((line) => isSamePlace(each, placeOf(line))));
        return here.length === 0 || !comments
          ? row
          : [row, here.map((each) => <CommentBox key={`${each.side}${each.line}`} of={each} comments={comments} />)];
      })}
    </>
  );
}

function unifiedRow(line: DiffLine, text: ComponentChild, onComment: (() => void) | null) {
  if (line.kind === 'note') return <div class="line note-line">{shownText(line.text)}</div>;
  return (
    <div class={`line ${line.kind}`}>
      <span class="no">{line.old}</span>
      <span class="no">{line.now}</span>
      {commentButton(line, onComment)}
      <span class="sign">{SIGNS[line.kind]}</span>
      <code key={keyOf(text)} dir="auto">
        {text}
      </code>
    </div>
  );
}

function half(line: DiffLine | null, side: 'old' | 'now', text: ComponentChild, onComment: (() => void) | null) {
  if (!line) return <div class="line nothing" />;
  return (
    <div class={`line ${line.kind}`}>
      <span class="no">{line[side]}</span>
      {commentButton(line, onComment)}
      <span class="sign">{SIGNS[line.kind]}</span>
      <code key={keyOf(text)} dir="auto">
        {text}
      </code>
    </div>
  );
}

/** A new element when it is colored: browsers treat a text that is split as one that has moved. */
function keyOf(text: ComponentChild): string {
  return Array.isArray(text) ? `${text.length}` : '';
}

/** Not in the Tab order, which would have one for every line: the arrow keys go from one to the next. */
function commentButton(line: DiffLine, onComment: (() => void) | null) {
  if (!onComment) return <span class="comment-at" />;
  const { line: no } = placeOf(line);
  return (
    <button type="button" class="comment-at" tabIndex={-1} aria-label={w.commentOn(no)} onClick={onComment}>
      +
    </button>
  );
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button.comment-at')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const next = buttons[at === -1 ? 0 : at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  event.preventDefault();
}

/** One after the other: the page answers in between. */
let queue: Promise<unknown> = Promise.resolve();

/** The parts of each line, once the code for that is there. */
function useHighlight(hunk: DiffHunk, path: string): Map<DiffLine, Span[]> | undefined {
  const [spans, setSpans] = useState<Map<DiffLine, Span[]>>();
  useEffect(() => {
    let isGone = false;
    queue = queue
      .then(() => new Promise((resolve) => setTimeout(resolve)))
      .then(async () => {
        if (isGone) return;
        const { highlighted } = await import('./highlight.ts');
        const name = path.slice(path.lastIndexOf('.') + 1);
        const found = new Map<DiffLine, Span[]>();
        for (const side of ['del', 'add'] as const) {
          const lines = hunk.lines.filter(({ kind }) => kind === 'same' || kind === side);
          const parts = highlighted(lines.map(({ text }) => text).join('\n'), name);
          for (const [i, line] of lines.entries()) if (parts?.[i]) found.set(line, parts[i]);
        }
        if (!isGone && found.size > 0) setSpans(found);
      })
      // Without colors, then.
      .catch(() => {});
    return () => {
      isGone = true;
    };
  }, [hunk, path]);
  return spans;
}
