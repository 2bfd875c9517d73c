const ABOUT_DOCS =
  /\b(?:docs?|documentation|writing|written|write|style|tone|voice|wording|grammar|terminology|markdown|mdx|editing|content)\b/i;
const ABOUT_OTHER_THINGS =
  /\b(?:cod(?:e|ing)|commits?|commit messages?|css|tests?|testing|issues?|bugs?|pull requests?|prs?|changelogs?|releas\w*|translat\w*|licen[cs]\w*|table of contents)\b/i;

/** Sections about docs of a CONTRIBUTING file, by heading, with everything below. May be empty. */
export function docsSections(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  /** Level of the heading of the section to keep; 0: none. */
  let level = 0;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    const heading = fence === null && mark === undefined ? /^(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    if (heading) {
      const depth = heading[1]!.length;
      if (level === 0 || depth <= level) level = depth > 1 && isAboutDocs(heading[2]!) ? depth : 0;
    }
    if (level > 0) kept.push(line);
  }
  return kept.join('\n').trim();
}

function isAboutDocs(heading: string): boolean {
  return ABOUT_DOCS.test(heading) && !ABOUT_OTHER_THINGS.test(heading);
}

const DOCS_WORD = /\b(?:docs?|documentation|writing|writers?|editorial|prose)\b/i;
const CODE_WORD = /\b(?:cod(?:e|ing)|program\w*|components?|css|design|brand\w*|ui|api|tests?|commits?)\b/i;

/** Whether a style guide's name or title names docs, and its title does not name code. */
export function isDocsStyleGuide(path: string, text: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/[-_.]/g, ' ');
  const title = titleOf(text);
  const isVoice = /voice\b.*\btone/i.test(name);
  return (isVoice || DOCS_WORD.test(name) || DOCS_WORD.test(title)) && !CODE_WORD.test(title);
}

function titleOf(text: string): string {
  const head = text.slice(0, 5_000);
  const named = /^---\r?\n(?:[^\n]*\n){0,50}?title:[ \t]*([^\n]*)/.exec(head)?.[1] ?? '';
  const heading = /^#[ \t]+([^\n]*)/m.exec(head)?.[1] ?? '';
  return `${named} ${heading}`;
}
