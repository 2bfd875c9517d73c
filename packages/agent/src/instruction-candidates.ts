import { normalize } from 'node:path/posix';
import { folderOf } from '@docent/docs-check/read/folder';
import {
  AGENTS_FILE,
  CLAUDE_FILE,
  COPILOT_FILE,
  CURSOR_FILE,
  SCOPED_RULE,
  STYLE_GUIDE_FILE,
} from '@docent/docs-check/read/instruction-files';
import { isBelow, type Site, type SiteFiles } from '@docent/docs-check/read/site';
import { docsSections, isDocsStyleGuide } from './docs-sections.ts';
import { appliesToAny, readScopedRule } from './scoped-rule.ts';

export type InstructionRole = 'instructions' | 'styleGuide';

/** A file that may become an instruction for the agent. */
export interface Candidate {
  path: string;
  role: InstructionRole;
  /** If there is no room for all, files with a lower priority are left out first. */
  rank: number;
  /** Continues the path: `AGENTS.md of the docs folder`. */
  why: string;
  /** Selects the part to include from the whole text, or explains in a sentence why nothing is. */
  pick: (text: string) => { text: string } | { leftOut: string };
  /** The files that it applies to, if not all. */
  scope?: string;
}

/** Lower ranks come first. */
export const RANK = { named: 0, agents: 1, styleGuide: 2, claude: 3, rule: 4, contributing: 5, other: 6 } as const;

const MAX_RULES = 20;
const MAX_GUIDES = 2;
const MAX_IMPORTS = 5;

const whole = (text: string) => ({ text });

interface Place {
  docsDir: string;
  site: Site;
}

/** Folders from the top to the docs folder and to the site's, the top first. */
export function foldersAbove({ docsDir, site }: Place): string[] {
  const deepest = [docsDir, site.root, site.configPath === null ? '' : folderOf(site.configPath)];
  const chain = deepest.flatMap((folder) => {
    const parts = folder === '' ? [] : folder.split('/');
    return ['', ...parts.map((_part, i) => parts.slice(0, i + 1).join('/'))];
  });
  return [...new Set(chain)].toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
}

/** Agents' files by name and place: general ones first, then nearer to the docs. */
export function agentFiles(files: SiteFiles, place: Place): Candidate[] {
  const { docsDir, site } = place;
  const folders = new Set(foldersAbove(place));
  const found: Candidate[] = [];
  const pages = site.pages.filter((path) => isBelow(path, docsDir));
  let rules = 0;
  for (const path of files.paths()) {
    const add = (rank: number, why: string, more: Partial<Candidate> = {}) =>
      found.push({ path, role: 'instructions', rank, why, pick: whole, ...more });
    if (AGENTS_FILE.test(path)) {
      if (folders.has(ownerOf(path, '.mintlify')))
        add(RANK.agents, `AGENTS.md of ${placeName(ownerOf(path, '.mintlify'))}`);
    } else if (CLAUDE_FILE.test(path)) {
      if (folders.has(ownerOf(path, '.claude'))) {
        add(RANK.claude, `CLAUDE.md of ${placeName(ownerOf(path, '.claude'))}`, { pick: withoutMereImports });
      }
    } else if (SCOPED_RULE.test(path)) {
      const owner = path.slice(0, Math.max(0, path.search(/(?:^|\/)\.(?:cursor|github)\//)));
      if (folders.has(owner) && ++rules <= MAX_RULES)
        found.push(scopedRule(path, owner, files.readText(path) ?? '', pages));
    } else if (CURSOR_FILE.test(path)) {
      if (folders.has(folderOf(path))) add(RANK.other, 'rules of Cursor');
    } else if (COPILOT_FILE.test(path) && path.startsWith('.github/')) {
      add(RANK.other, 'instructions of Copilot');
    }
  }
  return [...found, ...imported(files, found)].toSorted(
    (a, b) => depthOf(folderOf(a.path)) - depthOf(folderOf(b.path)),
  );
}

/** Files of agents in folders of the docs: they count for pages below alone. */
export function nestedAgentFiles(files: SiteFiles, place: Place): string[] {
  const { docsDir, site } = place;
  const above = new Set(foldersAbove(place));
  const nested = files
    .paths()
    .filter((path) => AGENTS_FILE.test(path) || (CLAUDE_FILE.test(path) && !path.includes('.claude/')))
    .filter((path) => isBelow(path, docsDir) && !above.has(ownerOf(path, '.mintlify')))
    .filter((path) => !isTranslationOrAside(path, docsDir))
    .filter((path) => site.pages.some((page) => page !== path && isBelow(page, folderOf(path))));
  const agents = new Set(nested.filter((path) => AGENTS_FILE.test(path)).map(folderOf));
  return nested.filter((path) => AGENTS_FILE.test(path) || !agents.has(folderOf(path)));
}

/** The team's writing guides, by the names that docs teams use. Translations are left out. */
export function styleGuides(files: SiteFiles, place: Place): Candidate[] {
  const { docsDir } = place;
  const folders = foldersAbove(place);
  const outside = (path: string) => (isBelow(path, docsDir) ? 0 : 1);
  const guides = files
    .paths()
    .filter((path) => STYLE_GUIDE_FILE.test(path) && !isTranslationOrAside(path, docsDir))
    .filter((path) => isBelow(path, docsDir) || isBesideDocs(path, folders))
    .filter((path) => isDocsStyleGuide(path, files.readText(path) ?? ''))
    .toSorted((a, b) => outside(a) - outside(b) || depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
    .slice(0, MAX_GUIDES)
    .map((path): Candidate => ({
      path,
      role: 'styleGuide',
      rank: RANK.styleGuide,
      why: 'a style guide of docs by its name and title',
      pick: whole,
    }));
  return [...guides, ...contributing(files, folders)];
}

function contributing(files: SiteFiles, folders: readonly string[]): Candidate[] {
  const places = new Set([...folders, '.github', 'docs', 'contributing'].map((folder) => folder.toLowerCase()));
  return files
    .paths()
    .filter((path) => /(?:^|\/)CONTRIBUTING\.mdx?$/i.test(path) && places.has(folderOf(path).toLowerCase()))
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
    .map((path) => ({
      path,
      role: 'styleGuide' as const,
      rank: RANK.contributing,
      why: 'the sections of CONTRIBUTING about docs',
      pick: (text: string) => {
        const sections = docsSections(text);
        return sections === '' ? { leftOut: 'no heading in it names docs or writing' } : { text: sections };
      },
    }));
}

function scopedRule(path: string, owner: string, text: string, pages: readonly string[]): Candidate {
  const rule = readScopedRule(text);
  const inside = owner === '' ? pages : pages.filter((page) => isBelow(page, owner));
  const relative = owner === '' ? [] : inside.map((page) => page.slice(owner.length + 1));
  const base = { path, role: 'instructions' as const, rank: RANK.rule };
  const body = () => ({ text: rule.body });
  if (rule.always) return { ...base, why: 'a rule for all files', pick: body };
  if (rule.globs.length === 0) {
    const leftOut =
      rule.description === ''
        ? 'a rule that applies only when a prompt names it'
        : 'a rule that names no files: agents choose it by its description';
    return { ...base, why: leftOut, pick: () => ({ leftOut }) };
  }
  const scope = rule.globs.join(', ');
  if (appliesToAny(rule, inside) || appliesToAny(rule, relative)) {
    return { ...base, why: `a rule for ${scope}`, pick: body, scope };
  }
  return { ...base, why: '', pick: () => ({ leftOut: `a rule for ${scope}: no page of the docs is among them` }) };
}

/** A line of CLAUDE.md that is only `@path` imports that file. */
const IMPORT = /^@((?:\.{1,2}\/)*[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*\.(?:md|mdx|mdc|txt))[ \t]*$/;

function imported(files: SiteFiles, found: readonly Candidate[]): Candidate[] {
  const known = new Set(found.map(({ path }) => path));
  const brought: Candidate[] = [];
  for (const { path, rank } of found.filter((candidate) => CLAUDE_FILE.test(candidate.path))) {
    for (const target of importsOf(files.readText(path) ?? '', folderOf(path))) {
      if (known.has(target) || files.readText(target) === null || brought.length >= MAX_IMPORTS) continue;
      known.add(target);
      brought.push({ path: target, role: 'instructions', rank, why: `included by ${path}`, pick: whole });
    }
  }
  return brought;
}

function importsOf(text: string, folder: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const path = IMPORT.exec(line)?.[1];
    return path === undefined ? [] : [normalize(folder === '' ? path : `${folder}/${path}`)];
  });
}

/** Many CLAUDE.md files only refer to AGENTS.md. */
function withoutMereImports(text: string): ReturnType<Candidate['pick']> {
  const lines = text.split(/\r?\n/);
  const imports = lines.flatMap((line) => IMPORT.exec(line)?.[1] ?? []);
  const isMere = lines.every((line) => line.trim() === '' || line.startsWith('#') || IMPORT.test(line));
  return imports.length > 0 && isMere ? { leftOut: `says nothing but to read ${imports.join(', ')}` } : { text };
}

/** Guides beside the docs are in a folder above them, or in a folder for contributors or guides there. */
function isBesideDocs(path: string, folders: readonly string[]): boolean {
  const folder = folderOf(path);
  return folders.some((above) => {
    if (folder === above) return true;
    const below = isBelow(folder, above) ? folder.slice(above === '' ? 0 : above.length + 1) : '';
    return /^(?:\.github|docs?|documentation|contribut\w*|[\w-]*style[-_]?guides?)(?:\/[\w.-]+)?$/i.test(below);
  });
}

/** The folder that a file speaks for: one in `special` speaks for the folder around that. */
function ownerOf(path: string, special: string): string {
  const folder = folderOf(path);
  if (folder === special) return '';
  return folder.endsWith(`/${special}`) ? folder.slice(0, -special.length - 1) : folder;
}

function placeName(folder: string): string {
  return folder === '' ? 'the whole repository' : folder;
}

function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** Folders outside the team's own docs: third-party code, versions, packages and translations. */
const ASIDE =
  /(?:^|\/)(?:node_modules|vendor|third[-_]party|packages|examples?|templates?|archetypes|fixtures?|tests?|__tests__|i18n|l10n|locales?|langs?|translations?|translated|versioned_docs|archives?)(?:\/|$)/i;

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * Whether a file is, by its path, a translation (`i18n/…`, `zh-CN/…`, `guide.fr.md`) or in a part of the
 * repository with its own rules. The docs folder itself may be in any language.
 */
function isTranslationOrAside(path: string, docsDir: string): boolean {
  const inside = docsDir !== '' && isBelow(path, docsDir) ? path.slice(docsDir.length + 1) : path;
  const folder = folderOf(inside);
  if (ASIDE.test(folder)) return true;
  const ofName = /\.([A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)\.mdx?$/.exec(inside)?.[1];
  return [...folder.split('/'), ofName ?? ''].some(isOtherLanguage);
}

/** `fr`, `pt-BR`, `zh_Hans`; English is what most docs are translated from. */
function isOtherLanguage(name: string): boolean {
  const language = /^([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.exec(name)?.[1]?.toLowerCase();
  return language !== undefined && language !== 'en' && LANGUAGES.of(language) !== undefined;
}
