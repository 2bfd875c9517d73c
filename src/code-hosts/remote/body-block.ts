import { beginningOf } from '@docent/base/ellipsis';

/** Our part of a description, between two HTML comments. People's text around it stays. */
const BEGIN = '<!-- docent:begin -->';
const END = '<!-- docent:end -->';

/** Characters of a description: GitHub refuses longer ones, the other hosts take more. */
const MAX_DESCRIPTION = 65_536;
const CUT = '\n\n… The rest is shown with the job.';

/** @param room characters that it may have; empty if it has no room at all */
export function asBlock(text: string, room = MAX_DESCRIPTION): string {
  const inner = withoutMarkers(text);
  const whole = between(inner);
  if (whole.length <= room) return whole;
  const left = room - between(CUT).length;
  return left < 0 ? '' : between(beginningOf(inner, left) + CUT);
}

function between(part: string): string {
  return `${BEGIN}\n${part}\n${END}`;
}

/** Replaces or appends our block, shortened if the host's limit requires it: people's text stays. */
export function withBlock(body: string, text: string): string {
  const unified = body.replaceAll('\r\n', '\n');
  const begin = unified.indexOf(BEGIN);
  const end = unified.indexOf(END, Math.max(begin, 0));
  if (begin === -1 || end < begin) {
    const rest = unified.replaceAll(BEGIN, '').replaceAll(END, '').trimEnd();
    return rest === '' ? asBlock(text) : `${rest}\n\n${asBlock(text, MAX_DESCRIPTION - rest.length - 2)}`.trimEnd();
  }
  const [before, after] = [unified.slice(0, begin), unified.slice(end + END.length)];
  return before + asBlock(text, MAX_DESCRIPTION - before.length - after.length) + after;
}

/** Prompts and repositories may imitate a marker: its comment no longer opens. */
function withoutMarkers(text: string): string {
  return text.replace(/<!--(?=\s*docent:)/gi, '&lt;!--');
}
