/**
 * Ranges of a page in which a link is only shown: fenced code, code in a line, comments, front matter. End
 * exclusive.
 */
function notProse(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  const add = (pattern: RegExp) => {
    for (const match of text.matchAll(pattern)) ranges.push([match.index, match.index + match[0].length]);
  };
  add(/^---\n[\s\S]*?\n---\n/g);
  add(/^([ \t>]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\2|$(?![\s\S]))/gm);
  add(/^(?: {4}|\t)[^\n]*$/gm);
  add(/(`+)[^`][\s\S]*?\1/g);
  add(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g);
  add(/<(pre|code|script|style)\b[\s\S]*?<\/\1>/gi);
  return ranges;
}

export interface Place {
  start: number;
  end: number;
  /** The text. */
  text: string;
}

/**
 * Positions of a pattern's first group in the prose of a page. Uses patterns, not the parser whose recall is
 * measured: text that only looks like prose is skipped.
 */
export function placesOf(page: string, pattern: RegExp): Place[] {
  const hidden = notProse(page);
  const places: Place[] = [];
  for (const match of page.matchAll(new RegExp(pattern, `${pattern.flags}d`))) {
    const [, range] = match.indices ?? [];
    if (!range) continue;
    const [start, end] = range;
    if (hidden.some(([from, to]) => start < to && end > from)) continue;
    places.push({ start, end, text: page.slice(start, end) });
  }
  return places;
}

/** Whether a paragraph can be appended to a page, and is prose there. */
export function endsInProse(page: string): boolean {
  const fences = page.match(/^[ \t>]*(?:`{3,}|~{3,})/gm)?.length ?? 0;
  return (
    fences % 2 === 0 &&
    !/<!--(?![\s\S]*-->)/.test(page) &&
    /(?:^|\n)(?![ \t>|:#<{}-])[^\n]*[.\w)]\s*$/.test(page.slice(-400))
  );
}

export function lineOf(page: string, offset: number): number {
  return page.slice(0, offset).split('\n').length;
}
