import { commentRanges } from '@docent/docs-check/read/comment-ranges';
import { isBelow, type Site, type SiteFiles } from '@docent/docs-check/read/site';
import { commentsByPattern, visibleName, VisibleText } from '@docent/docs-check/read/visible-text';
import { beginningOf } from '@docent/base/ellipsis';
import {
  agentFiles,
  foldersAbove,
  nestedAgentFiles,
  RANK,
  styleGuides,
  type Candidate,
  type InstructionRole,
} from './instruction-candidates.ts';

/** Instruction files named in the settings. Absent: found by name; empty: none. */
export interface NamedInstructions {
  instructionFiles?: readonly string[] | null | undefined;
  styleGuides?: readonly string[] | null | undefined;
}

/** A file that is included in every step of the agent. */
export interface IncludedFile {
  path: string;
  role: InstructionRole;
  /** The visible text: without comments and invisible characters. */
  text: string;
  /** The files that it applies to, if not all. */
  scope?: string;
}

/** The result for a possible instruction file. Sizes in characters (code units). */
export interface InstructionFile {
  path: string;
  role: InstructionRole;
  /** Length of the visible text; null if the file cannot be read. */
  characters: number | null;
  /** 0: not included. */
  includedCharacters: number;
  /** Continues the path: why it is included, or why not or not completely. */
  why: string;
  /** A setting of the project names it, and it does not exist or cannot be read. */
  missing: boolean;
}

export interface Instructions {
  /** In the order of inclusion. */
  included: IncludedFile[];
  /** Agent files deeper in the docs. The agent should read them before it edits there. */
  nested: string[];
  /** Skills that the agent can read when a task needs them. */
  skills: Skill[];
  /** All files that were checked, included or not. */
  files: InstructionFile[];
}

/** In all. A third of a small model's window; more would drown the request in any. */
const MAX_CHARACTERS = 40_000;
const MAX_NAMED = 20_000;
const MAX_INSTRUCTIONS = 20_000;
const MAX_STYLE_GUIDE = 10_000;
const MAX_CONTRIBUTING = 5_000;
/** A shorter part is useless. */
const MIN_CHARACTERS = 500;
const MAX_NESTED = 20;
/** A file adds nothing if this share of its lines is already included. */
const SAME = 0.9;

/** The instructions for editing docs, named in the settings or found by name, and the used parts. */
export function readInstructions(
  files: SiteFiles,
  { docsDir, site, named }: { docsDir: string; site: Site; named: NamedInstructions },
): Instructions {
  const place = { docsDir, site };
  const candidates = [
    ...byName(named.instructionFiles, () => agentFiles(files, place)),
    ...namedFiles(named.instructionFiles, 'instructions'),
    ...byName(named.styleGuides, () => styleGuides(files, place)),
    ...namedFiles(named.styleGuides, 'styleGuide'),
  ];
  const once = candidates.filter(({ path }, i) => candidates.findIndex((other) => other.path === path) === i);
  const judged = new Map<Candidate, Judged>();
  const soFar: Candidate[] = [];
  let room = MAX_CHARACTERS;
  for (const candidate of once.toSorted((a, b) => a.rank - b.rank || nearness(b) - nearness(a))) {
    const verdict = judge(files, candidate, {
      room,
      before: soFar.flatMap((included) => judged.get(included)?.included ?? []),
    });
    judged.set(candidate, verdict);
    if (!verdict.included) continue;
    soFar.push(candidate);
    room -= verdict.file.includedCharacters;
  }
  const nested = byName(named.instructionFiles, () => nestedAgentFiles(files, place));
  const skills = byName(named.instructionFiles, () => readSkills(files, foldersAbove(place)));
  const inOrder = once.flatMap((candidate) => judged.get(candidate) ?? []);
  return {
    included: inOrder.flatMap(({ included }) => included ?? []),
    nested: nested.slice(0, MAX_NESTED),
    skills,
    files: [
      ...inOrder.map(({ file }) => file),
      ...nested.map((path, i) => nestedFile(files, path, i < MAX_NESTED)),
      ...skills.map((skill) => skillFile(files, skill)),
    ],
  };
}

/** Files found by name count if the project names none. */
function byName<T>(setting: readonly string[] | null | undefined, find: () => T[]): T[] {
  return setting ? [] : find();
}

/** A sentence for each file that the settings name and that cannot be included. */
export function absentText(files: readonly InstructionFile[]): string[] {
  return files
    .filter(({ missing }) => missing)
    .map(({ path, role, why }) => {
      const setting = role === 'styleGuide' ? 'styleGuides' : 'instructionFiles';
      return `The project’s setting \`${setting}\` names ${visibleName(path)}, which the agent cannot get: ${why}.`;
    });
}

interface Judged {
  included: IncludedFile | null;
  file: InstructionFile;
}

function judge(
  files: SiteFiles,
  { path, role, rank, why, pick, scope }: Candidate,
  { room, before }: { room: number; before: readonly IncludedFile[] },
): Judged {
  const isNamed = rank === RANK.named;
  const raw = files.readText(path);
  const none = (reason: string, characters: number | null, missing = false): Judged => ({
    included: null,
    file: { path, role, characters, includedCharacters: 0, why: reason, missing },
  });
  if (raw === null) return none(whyUnreadable(files, path), null, isNamed);
  const visible = visibleTextOf(raw, path).trim();
  const picked = pick(visible);
  if ('leftOut' in picked) return none(picked.leftOut, visible.length);
  const text = picked.text.trim();
  if (text === '') return none('empty', visible.length);
  const same = isNamed ? undefined : before.find((other) => isRepeated(text, other.text));
  if (same) return none(`says what ${same.path} says`, visible.length);
  const limit = Math.min(room, mostOf({ role, rank }));
  if (text.length > limit && limit < MIN_CHARACTERS) {
    return none(`no room: all files together have ${characterCount(MAX_CHARACTERS)}`, visible.length);
  }
  const shown = text.length > limit ? cutAt(text, limit) : text;
  const cut = shown.length < text.length;
  const note = `\n[cut: ${characterCount(shown.length)} of ${characterCount(text.length)}. Read the file for the rest.]`;
  return {
    included: { path, role, text: cut ? `${shown}${note}` : shown, ...(scope === undefined ? {} : { scope }) },
    file: {
      path,
      role,
      characters: visible.length,
      includedCharacters: shown.length,
      why: cut ? `${why}; cut, the agent can read the rest` : why,
      missing: false,
    },
  };
}

/** Agent files nearest to the pages count most. Style guides keep their order. */
function nearness({ role, path }: Candidate): number {
  return role === 'instructions' ? path.split('/').length : 0;
}

function mostOf({ role, rank }: Pick<Candidate, 'role' | 'rank'>): number {
  if (rank === RANK.named) return MAX_NAMED;
  if (rank === RANK.contributing) return MAX_CONTRIBUTING;
  return role === 'styleGuide' ? MAX_STYLE_GUIDE : MAX_INSTRUCTIONS;
}

function namedFiles(paths: readonly string[] | null | undefined, role: InstructionRole): Candidate[] {
  const why = 'named by the project’s settings';
  return (paths ?? []).map((path) => ({ path, role, rank: RANK.named, why, pick: (text) => ({ text }) }));
}

function nestedFile(files: SiteFiles, path: string, isTold: boolean): InstructionFile {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return {
    path,
    role: 'instructions',
    characters: files.readText(path)?.length ?? null,
    includedCharacters: 0,
    why: isTold
      ? `applies only below ${folder}: the agent is asked to read it before it edits there`
      : `applies only below ${folder}, and there are more than ${MAX_NESTED} such files`,
    missing: false,
  };
}

function skillFile(files: SiteFiles, { path, description }: Skill): InstructionFile {
  return {
    path,
    role: 'instructions',
    characters: files.readText(path)?.length ?? null,
    includedCharacters: description.length,
    why: 'a skill: the agent gets its name and description, and reads the rest when a task needs it',
    missing: false,
  };
}

function whyUnreadable(files: SiteFiles, path: string): string {
  const kind = files.paths().includes(path) ? files.kind(path) : null;
  if (kind === 'symlink') return 'a symbolic link: what it leads to counts where it has a name of its own';
  if (kind !== null) return 'not text, or larger than 1 MB';
  return files.paths().some((other) => isBelow(other, path)) ? 'a folder, not a file' : 'not in the repository';
}

/** Invisible text is left out: it could not be reviewed. */
function visibleTextOf(raw: string, path: string): string {
  const isPage = /\.(?:mdx?|markdown)$/i.test(path);
  return new VisibleText(raw, isPage ? commentsByPattern(raw, path) : commentRanges(raw, false)).text;
}

function isRepeated(text: string, included: string): boolean {
  const known = new Set(linesOf(included));
  const lines = linesOf(text);
  return lines.filter((line) => known.has(line)).length >= lines.length * SAME;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** At the end of a line, if there is one near. */
function cutAt(text: string, limit: number): string {
  const cut = beginningOf(text, limit);
  const line = cut.lastIndexOf('\n');
  return line > limit * 0.8 ? cut.slice(0, line) : cut;
}

function characterCount(characters: number): string {
  return `${characters.toLocaleString('en')} characters`;
}

/** A skill of the repository. The agent gets these fields, and reads the file when a task needs it. */
interface Skill {
  path: string;
  name: string;
  description: string;
}

const SKILL_FILE = /^(?:.*\/)?\.(?:claude|agents|cursor)\/skills\/([^/]+)\/SKILL\.md$/;
const MAX_SKILLS = 30;
const MAX_DESCRIPTION = 500;
const MAX_NAME = 64;

/** Skills by name; the first path of a name counts. Leaves out those without a description. */
function readSkills(files: SiteFiles, folders: readonly string[]): Skill[] {
  const found = new Map<string, Skill>();
  for (const path of files.paths()) {
    const [, name = ''] = SKILL_FILE.exec(path) ?? [];
    const folder = path.replace(/\/?\.(?:claude|agents|cursor)\/skills\/[^/]+\/SKILL\.md$/, '');
    if (name === '' || name.length > MAX_NAME || !folders.includes(folder) || found.has(name)) continue;
    const raw = files.readText(path);
    const description = raw === null ? '' : descriptionIn(raw, path);
    if (description !== '') found.set(name, { path, name, description });
    if (found.size === MAX_SKILLS) break;
  }
  return [...found.values()];
}

/** One line of the visible text. */
function descriptionIn(raw: string, path: string): string {
  const { text } = new VisibleText(raw, commentsByPattern(raw, path));
  const matter = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text)?.[1] ?? '';
  const block = /^description:[ \t]*[>|][+-]?[ \t]*\n((?:[ \t]+.*(?:\n|$))+)/m.exec(matter)?.[1];
  const line = block ?? /^description:[ \t]*(.*)$/m.exec(matter)?.[1] ?? '';
  const plain = line.replace(/\s+/g, ' ').trim();
  return beginningOf(plain.replace(/^(["'])(.*)\1$/, '$2'), MAX_DESCRIPTION);
}
