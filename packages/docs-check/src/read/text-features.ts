/** What of a text decides which constructs of Markdown are worth a try. */
export interface TextFeatures {
  /** Lines, from 1, on which a table could begin or go on; null where there is no table. */
  tableLines: ReadonlySet<number> | null;
  /** Whether addresses could stand in words: of e-mail, of the web without its protocol, and with it. */
  emailAutolink: boolean;
  wwwAutolink: boolean;
  protocolAutolink: boolean;
}

const LINE = /\r\n|\n|\r/g;

/** In linear time. What it leaves out is certainly not there. */
export function featuresOf(text: string): TextFeatures {
  return {
    tableLines: tableLinesOf(text),
    emailAutolink: text.includes('@'),
    wwwAutolink: /www\./i.test(text),
    protocolAutolink: /https?:\/\//i.test(text),
  };
}

/** The line before each that may be a table's delimiter row, and those behind it up to an empty one. */
function tableLinesOf(text: string): ReadonlySet<number> | null {
  if (!/-[ \t]*[|:]|[|:][ \t]*-/.test(text)) return null;
  const found = new Set<number>();
  let isOpen = false;
  let line = 1;
  let start = 0;
  const look = (end: number) => {
    if (isDelimiterRow(text, start, end)) {
      found.add(line - 1);
      isOpen = true;
    } else if (isOpen && /^[ \t]*$/.test(text.slice(start, end))) isOpen = false;
    if (isOpen) found.add(line);
    line++;
  };
  for (const { 0: lineEnd, index } of text.matchAll(LINE)) {
    look(index);
    start = index + lineEnd.length;
  }
  look(text.length);
  return found.size === 0 ? null : found;
}

/** Whether a line ends with `- | :` alone, a dash and another of them included; before it may be what belongs to quotations and lists. */
function isDelimiterRow(text: string, start: number, end: number): boolean {
  let [hasDash, hasOther] = [false, false];
  for (let at = end - 1; at >= start; at--) {
    const code = text.charCodeAt(at);
    if (code === DASH) hasDash = true;
    else if (code === COLON || code === PIPE) hasOther = true;
    else if (code !== SPACE && code !== TAB) break;
    if (hasDash && hasOther) return true;
  }
  return false;
}

const [DASH, COLON, PIPE, SPACE, TAB] = [45, 58, 124, 32, 9];
