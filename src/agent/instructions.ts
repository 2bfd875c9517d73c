import type { SiteFiles } from '../docs-site/read/site.ts';

/** A file in which a repository tells agents how to work on it. */
export interface AgentInstructions {
  path: string;
  text: string;
}

const MAX_CHARACTERS = 20_000;

/** `AGENTS.md` of the root, the docs folder and `.mintlify/`, where there are any; long ones are cut. */
export function readAgentInstructions(files: SiteFiles, docsDir: string): AgentInstructions[] {
  const folders = ['', docsDir, '.mintlify', docsDir && `${docsDir}/.mintlify`];
  const paths = new Set(folders.map((folder) => (folder ? `${folder}/AGENTS.md` : 'AGENTS.md')));
  return [...paths].flatMap((path) => {
    const text = files.readText(path);
    if (text === null || text.trim() === '') return [];
    return [{ path, text: text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n[cut]` }];
  });
}

/** Names under which docs teams keep how they write, without extension. */
const STYLE_GUIDE =
  /^(?:(?:docs?|writing|content|editorial)[-_ ]?)?(?:style|style[-_ ]?guide|writing[-_ ]?guide|guidelines|voice|voice[-_ ]?(?:and[-_ ]?)?tone|tone|terminology|glossary|conventions)\.mdx?$/i;
const MAX_GUIDES = 3;
const MAX_GUIDE_CHARACTERS = 10_000;

/**
 * The team's own style guide and list of terms: at most three, those of the docs folder first, then those nearest to the top. Long
 * ones are cut; the agent can read the rest.
 */
export function readStyleGuides(files: SiteFiles, docsDir: string): AgentInstructions[] {
  const outside = (path: string) => (docsDir !== '' && !path.startsWith(`${docsDir}/`) ? 1 : 0);
  return files
    .paths()
    .filter((path) => STYLE_GUIDE.test(path.slice(path.lastIndexOf('/') + 1)))
    .toSorted((a, b) => outside(a) - outside(b) || depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, MAX_GUIDES)
    .flatMap((path) => {
      const text = files.readText(path);
      if (text === null || text.trim() === '') return [];
      return [
        { path, text: text.length <= MAX_GUIDE_CHARACTERS ? text : `${text.slice(0, MAX_GUIDE_CHARACTERS)}\n[cut]` },
      ];
    });
}

function depth(path: string): number {
  return path.split('/').length;
}
