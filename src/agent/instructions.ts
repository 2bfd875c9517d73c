import type { SiteFiles } from './content/site.ts';

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
