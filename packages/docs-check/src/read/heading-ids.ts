const HEADING_ID = /^([ \t>]*#{1,6}[ \t].*?)(\{[ \t]{0,20}#([^{}\r\n]{1,200})\})([ \t]*#*[ \t]*)$/gm;

const BRACKETED_ID = /^([ \t>]*#{1,6}[ \t].*?)(\[#([^[\]\r\n]{1,200})\])([ \t]*#*[ \t]*)$/gm;

/**
 * `## Title {#id}` is not MDX, but sites read it so before they parse; some write `[#id]`. The id is blanked
 * out, all offsets stay. The result maps the start of each such line to its id.
 */
export function maskHeadingIds(
  text: string,
  form: 'braces' | 'brackets' = 'braces',
): { text: string; ids: Map<number, string> } {
  const ids = new Map<number, string>();
  const [mark, pattern] = form === 'braces' ? ['{#', HEADING_ID] : ['[#', BRACKETED_ID];
  if (!text.includes(mark)) return { text, ids };
  const masked = text.replace(pattern, (_, before: string, own: string, id: string, after: string, at: number) => {
    ids.set(at, id.trim());
    return before + ' '.repeat(own.length) + after;
  });
  return { text: masked, ids };
}
