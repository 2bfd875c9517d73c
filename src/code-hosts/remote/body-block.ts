/**
 * The part of a pull request's description that is ours: between two HTML comments, which no host shows. What people write
 * around it stays.
 */
const BEGIN = '<!-- docent:begin -->';
const END = '<!-- docent:end -->';

export function asBlock(text: string): string {
  return `${BEGIN}\n${withoutMarkers(text)}\n${END}`;
}

/**
 * The description with our block made new. One that has none (somebody deleted it) gets it at its end.
 */
export function withBlock(body: string, text: string): string {
  const unified = body.replaceAll('\r\n', '\n');
  const begin = unified.indexOf(BEGIN);
  const end = unified.indexOf(END, Math.max(begin, 0));
  if (begin === -1 || end < begin) {
    const rest = unified.replaceAll(BEGIN, '').replaceAll(END, '').trimEnd();
    return rest === '' ? asBlock(text) : `${rest}\n\n${asBlock(text)}`;
  }
  return unified.slice(0, begin) + asBlock(text) + unified.slice(end + END.length);
}

/** Prompts and repositories may imitate a marker: its comment is opened no more. */
function withoutMarkers(text: string): string {
  return text.replace(/<!--(?=\s*docent:)/gi, '&lt;!--');
}
