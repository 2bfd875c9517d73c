import type { ComponentChild } from 'preact';
import type { Range } from './changed-words.ts';
import type { Span } from './highlight.ts';

/**
 * Direction overrides, zero-width and control characters: they can make a text look like another. Tab and
 * line feed are harmless.
 */
const DECEIVING =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|\u{e0000}|[\u{e0001}-\u{e007f}]/gu;
const MAY_DECEIVE = new RegExp(DECEIVING.source, 'u');

/** A text as it is: characters that would show it otherwise are spelled out. */
export function shownText(text: string): ComponentChild {
  if (!MAY_DECEIVE.test(text)) return text;
  const parts: ComponentChild[] = [];
  let end = 0;
  for (const match of text.matchAll(DECEIVING)) {
    // Emoji are written with these.
    if (isOfEmoji(text, match.index, match[0])) continue;
    const code = match[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    parts.push(text.slice(end, match.index), <span class="hidden-character">U+{code}</span>);
    end = match.index + match[0].length;
  }
  return end === 0 ? text : [...parts, text.slice(end)];
}

function isOfEmoji(text: string, at: number, character: string): boolean {
  if (character !== '\u200d' && character !== '\ufe0f') return false;
  return /\p{Extended_Pictographic}\ufe0f?$|[\d#*]$/u.test(text.slice(Math.max(0, at - 4), at));
}

/** A line with its syntax colored and its changed words marked. */
export function shownLine(text: string, spans: readonly Span[] | undefined, ranges: readonly Range[] | undefined) {
  if (!spans && !ranges?.length) return shownText(text);
  const parts: ComponentChild[] = [];
  let at = 0;
  for (const span of spans ?? [{ text, kind: null }]) {
    for (const piece of cut(at, at + span.text.length, ranges ?? [])) {
      const shown = shownText(text.slice(piece.from, piece.to));
      const classes = [span.kind && `hl-${span.kind}`, piece.isChanged && 'word'].filter(Boolean).join(' ');
      parts.push(classes ? <span class={classes}>{shown}</span> : shown);
    }
    at += span.text.length;
  }
  return at < text.length ? [...parts, shownText(text.slice(at))] : parts;
}

function cut(from: number, to: number, ranges: readonly Range[]) {
  const pieces: { from: number; to: number; isChanged: boolean }[] = [];
  let at = from;
  for (const [start, end] of ranges) {
    if (end <= at || start >= to) continue;
    if (start > at) pieces.push({ from: at, to: start, isChanged: false });
    pieces.push({ from: Math.max(at, start), to: Math.min(end, to), isChanged: true });
    at = Math.min(end, to);
  }
  if (at < to) pieces.push({ from: at, to, isChanged: false });
  return pieces;
}
