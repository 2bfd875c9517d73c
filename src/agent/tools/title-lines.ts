import type { DataOf } from './tool-data.ts';

type TitleLines = DataOf<'read'>['titles'][number];

/** The lines with a page's title: in its front matter, and a first heading that repeats or replaces it. */
export function titleLines(lines: readonly string[]): TitleLines[] {
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  const inFront = end === -1 ? -1 : lines.findIndex((line, i) => i > 0 && i < end && line.startsWith('title:'));
  const title = inFront === -1 ? null : lines[inFront]!.replace(/^title:\s*["']?|["']?\s*$/g, '');
  const heading = headingBehind(lines, end);
  return [
    ...(inFront === -1 ? [] : [at('front matter', lines, inFront, 1)]),
    ...(heading && (title === null || heading.text === title)
      ? [at('heading', lines, heading.at, heading.length)]
      : []),
  ];
}

function at(place: TitleLines['place'], lines: readonly string[], start: number, length: number): TitleLines {
  const end = start + length;
  return {
    place,
    lines: lines.slice(start, end),
    before: lines.slice(Math.max(0, start - 1), start),
    after: lines.slice(end, end + 1),
  };
}

/** The first heading of the first level, in either form, and outside code. */
function headingBehind(lines: readonly string[], from: number): { at: number; length: number; text: string } | null {
  let fence: string | null = null;
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at]!;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) fence = mark?.startsWith(fence) ? null : fence;
    else if (mark !== null) fence = mark;
    else if (line.startsWith('# ')) return { at, length: 1, text: line.replace(/^# +| *#* *$/g, '') };
    else if (line.trim() !== '' && /^=+\s*$/.test(lines[at + 1] ?? '')) return { at, length: 2, text: line.trim() };
  }
  return null;
}
