import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkLink } from '../checks/check-docs.ts';
import type { Problem } from '../checks/problem.ts';
import type { DocsSite } from '../read/docs-site.ts';
import type { PageFacts } from '../read/page-facts.ts';
import { readPageFacts } from '../read/read-page-facts.ts';
import { dialectOf, isBelow } from '../read/site.ts';
import { applyTextEdits, type TextEdit } from '../read/text-edits.ts';
import { codeOf, messageOf } from '@docent/base/thrown';
import { entryEdit } from './fix-entries.ts';

/** A file as it would be with its links corrected. */
export interface FixedFile {
  /** In the repository. */
  path: string;
  before: string;
  after: string;
  links: number;
}

/** A file that was left alone, and why. */
export interface LeftFile {
  path: string;
  reason: string;
}

/** Link problems that the suggestion may fix. */
const FIXABLE: ReadonlySet<Problem['code']> = new Set([
  'missing-page',
  'missing-file',
  'missing-image',
  'missing-import',
  'missing-anchor',
  'redirected-link',
  'moved-link',
]);

/** The edit that writes the suggestion into a problem's link; null if none is possible. */
export function editOf(facts: PageFacts, { code, line, column, target, suggestion }: Problem): TextEdit | null {
  if (suggestion === undefined || !FIXABLE.has(code)) return null;
  const link = facts.links.find((one) => one.line === line && one.column === column && one.target === target);
  return link && link.kind !== 'autolink' ? { start: link.start, end: link.end, text: suggestion } : null;
}

/**
 * The checked folder's pages and navigations with suggestions instead of broken targets. Writes nothing. A
 * page is left alone if the result would be parsed differently than intended.
 * @param options `moved`: also links to moved external pages
 */
export function fixedFiles(
  docs: DocsSite,
  problems: readonly Problem[],
  { moved = false } = {},
): { fixed: FixedFile[]; left: LeftFile[] } {
  const fixed: FixedFile[] = [];
  const left: LeftFile[] = [];
  const wanted = problems.filter(
    ({ code, suggestion }) => suggestion !== undefined && (moved || code !== 'moved-link'),
  );
  for (const [file, own] of Map.groupBy(wanted, (problem) => problem.path)) {
    const [before, facts] = [docs.readText(file), docs.facts(file)];
    if (before === null) continue;
    const edits = own.flatMap((problem) => entryEdit(docs, before, problem) ?? (facts && editOf(facts, problem)) ?? []);
    if (edits.length === 0) continue;
    if (!isBelow(file, docs.docsDir)) {
      left.push({ path: file, reason: 'it is not in the checked folder' });
      continue;
    }
    const after = applyTextEdits(before, edits);
    if (isNoWorse(docs, file, after)) fixed.push({ path: file, before, after, links: edits.length });
    else left.push({ path: file, reason: 'the suggestion would have another meaning there' });
  }
  return { fixed, left };
}

/** Whether a page with new targets has the same links, and no valid link became invalid. */
function isNoWorse(docs: DocsSite, file: string, after: string): boolean {
  const [facts, dialect] = [docs.facts(file), dialectOf(docs.site, file)];
  if (!facts || !dialect) return true;
  const now = readPageFacts(after, dialect);
  if (now.links.length !== facts.links.length || now.problems.length > facts.problems.length) return false;
  return now.links.every((link, i) => {
    const before = facts.links[i]!;
    return link.target === before.target || link.isUnused || checkLink(docs, file, link) === null;
  });
}

/**
 * Writes corrected files, each completely or not at all. A file that changed since it was read, that is a
 * symbolic link or is reached through one, is left alone.
 * @param top the repository's folder
 * @returns the files that were left alone
 */
export function writeFixed(top: string, files: readonly FixedFile[]): LeftFile[] {
  const root = realpathSync(top);
  return files.flatMap(({ path: name, before, after }) => {
    const file = path.join(root, name);
    const temporary = `${file}.${randomUUID()}.tmp`;
    try {
      const stats = lstatSync(file);
      if (!stats.isFile() || realpathSync(file) !== file)
        return [{ path: name, reason: 'it is a symbolic link, or behind one' }];
      if (readFileSync(file, 'utf8') !== before) return [{ path: name, reason: 'it changed in the meantime' }];
      writeFileSync(temporary, after, { flag: 'wx' });
      chmodSync(temporary, stats.mode & 0o7777);
      renameSync(temporary, file);
      return [];
    } catch (thrown) {
      rmSync(temporary, { force: true });
      return [{ path: name, reason: codeOf(thrown) === 'ENOENT' ? 'it was deleted' : messageOf(thrown) }];
    }
  });
}
