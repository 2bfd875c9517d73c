import type { DocsSite } from '../read/docs-site.ts';
import type { PageFacts } from '../read/page-facts.ts';
import { isPartial } from '../read/site.ts';
import { TextLines } from '../read/text-lines.ts';
import type { Problem } from './problem.ts';

/**
 * What existing pages lose by a change although they still parse: their front matter, their title, the end of
 * a code block; and what an unfinished edit leaves in them: a second front matter, markers of a merge.
 * @param renames old paths to new ones
 */
export function lostParts(docs: DocsSite, base: DocsSite, renames: ReadonlyMap<string, string>): Problem[] {
  const problems: Problem[] = [];
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]));
  for (const path of docs.site.pages) {
    const oldPath = oldPaths.get(path) ?? path;
    if (!base.exists(oldPath) || base.blobKey(oldPath) === docs.blobKey(path)) continue;
    const [was, is] = [base.facts(oldPath), docs.facts(path)];
    const [textBefore, text] = [base.readText(oldPath), docs.readText(path)];
    if (!was || !is || was.notRead || is.notRead || !textBefore || !text?.trim()) continue;
    const matter = lostFrontMatter(was, is, text);
    if (matter) problems.push({ path, line: 1, code: 'front-matter', ...matter });
    else if (hasLostTitle(was, is) && !isPartial(docs.site, path)) {
      const message = 'The page has lost its title. Restore it.';
      problems.push({ path, line: 1, code: 'front-matter', message, severity: 'warning' });
    }
    const wrong = secondFrontMatter(is, text) ?? conflictMarker(is, text);
    if (wrong && !(secondFrontMatter(was, textBefore) ?? conflictMarker(was, textBefore))) {
      const line = new TextLines(text).lineAt(wrong.offset);
      problems.push({ path, line, code: wrong.code, message: wrong.message, severity: 'error' });
    }
    const left = swallowingFences(textBefore, was).length;
    for (const offset of swallowingFences(text, is).slice(left)) {
      const line = new TextLines(text).lineAt(offset);
      const message = 'The code block that begins here is not closed. Close it: everything after it is shown as code.';
      problems.push({ path, line, code: 'page-syntax', message, severity: 'error' });
    }
  }
  return problems;
}

function lostFrontMatter(was: PageFacts, is: PageFacts, text: string): Pick<Problem, 'message' | 'severity'> | null {
  if (!was.frontMatter || is.frontMatter || is.problems.some(({ kind }) => kind === 'front-matter')) return null;
  const { fields, flags, others } = was.frontMatter;
  const names = [...Object.keys(fields), ...Object.keys(flags ?? {}), ...(others ?? [])];
  if (names.length === 0) return null;
  const start = text.replace(/^\uFEFF/, '');
  if (/^\s+(?:---|\+\+\+)[ \t]*\r?\n/.test(start)) {
    return { message: 'The front matter must begin on the first line of the page.', severity: 'error' };
  }
  const listed = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`;
  const shown = start.slice(0, 2_000).split('\n');
  if (shown.some((line) => names.includes(/^([^\s:=]+)[ \t]*[:=]/.exec(line)?.[1] ?? ''))) {
    return {
      message: `The front matter has lost its fence. Restore the --- lines: ${listed} are shown as text.`,
      severity: 'error',
    };
  }
  return { message: `The page has lost its front matter (${listed}). Restore it.`, severity: 'warning' };
}

interface Leftover {
  offset: number;
  code: 'front-matter' | 'page-syntax';
  message: string;
}

function secondFrontMatter({ frontMatter }: PageFacts, text: string): Leftover | null {
  if (!frontMatter) return null;
  const [all, before = ''] =
    /^(\s*)(?:---|\+\+\+)[ \t]*\r?\n(?:[\w-]+[ \t]*[:=].*\r?\n)+(?:---|\+\+\+)[ \t]*(?:\r?\n|$)/.exec(
      text.slice(frontMatter.end),
    ) ?? [];
  if (all === undefined) return null;
  const message = 'The page has a second front matter, which is shown as text. Keep one.';
  return { offset: frontMatter.end + before.length, code: 'front-matter', message };
}

/** MDX has no `<` at such places: its syntax errors are reported already. */
function conflictMarker({ opaque, problems }: PageFacts, text: string): Leftover | null {
  if (problems.some(({ kind }) => kind === 'syntax')) return null;
  const isShown = (offset: number) => !opaque.some(({ start, end }) => start <= offset && offset < end);
  const [first] = Array.from(text.matchAll(/^<{7} .*$/gm)).filter(({ index }) => isShown(index));
  if (!first || !/^={7}\r?$/m.test(text) || !/^>{7} /m.test(text)) return null;
  const message = 'The page has the markers of a merge conflict. Keep one of both versions, and remove the markers.';
  return { offset: first.index, code: 'page-syntax', message };
}

function hasLostTitle(was: PageFacts, is: PageFacts): boolean {
  return (was.frontMatter?.fields['title'] ?? '').trim() !== '' && (is.title ?? '').trim() === '';
}

const FENCE = /^(`{3,}|~{3,})/;

/** Starts of code blocks that extend to the end of the page, or over the start of another one. */
function swallowingFences(text: string, { opaque }: PageFacts): number[] {
  const end = text.trimEnd().length;
  return opaque.flatMap(({ kind, start, end: stop }) => {
    const [fence] = (kind === 'code' && FENCE.exec(text.slice(start, start + 200))) || [];
    if (fence === undefined) return [];
    const lines = text.slice(start, stop).trimEnd().split('\n');
    const sign = fence[0]!;
    const runOf = (line: string) => new RegExp(`^[ \t>]*(\\${sign}{${fence.length},})(.*)$`).exec(line.trimEnd());
    const last = lines.length > 1 ? runOf(lines.at(-1)!) : null;
    const isOpen = stop >= end && (last === null || last[2] !== '');
    const opensAnother = lines.slice(1).some((line) => /^\w/.test(runOf(line)?.[2]?.trim() ?? ''));
    return isOpen || opensAnother ? [start] : [];
  });
}
