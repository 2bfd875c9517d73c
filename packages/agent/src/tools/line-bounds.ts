export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** A line as models are shown it, with its number in the file. */
export function numberedLine(line: number, text: string): string {
  return `${String(line).padStart(5)}\t${text}`;
}
