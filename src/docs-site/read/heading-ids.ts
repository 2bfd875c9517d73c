const HEADING_ID = /^([ \t>]*#{1,6}[ \t].*?)(\{[ \t]{0,20}#([^{}\r\n]{1,200})\})([ \t]*#*[ \t]*)$/gm;

/**
 * `## Title {#id}` is no MDX, but sites read it so before they parse. The id is blanked out, all offsets stay.
 * The result maps the start of each such line to its id.
 */
export function maskHeadingIds(text: string): { text: string; ids: Map<number, string> } {
  const ids = new Map<number, string>();
  if (!text.includes('{#')) return { text, ids };
  const masked = text.replace(HEADING_ID, (_, before: string, mark: string, id: string, after: string, at: number) => {
    ids.set(at, id.trim());
    return before + ' '.repeat(mark.length) + after;
  });
  return { text: masked, ids };
}
