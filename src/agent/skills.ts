import type { SiteFiles } from '@docent/docs-check/read/site';
import { commentsByPattern, VisibleText } from '@docent/docs-check/read/visible-text';
import { beginningOf } from '@docent/base/ellipsis';

/** A skill of the repository. The agent gets these fields, and reads the file when a task needs it. */
export interface Skill {
  path: string;
  name: string;
  description: string;
}

const SKILL_FILE = /^(?:.*\/)?\.(?:claude|agents|cursor)\/skills\/([^/]+)\/SKILL\.md$/;
const MAX_SKILLS = 30;
const MAX_DESCRIPTION = 500;
const MAX_NAME = 64;

/** Skills by name; the first path of a name counts. Leaves out those without a description. */
export function readSkills(files: SiteFiles, folders: readonly string[]): Skill[] {
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
