/**
 * Instructions of a repository for agents, by the file names that common agents read (https://agents.md,
 * https://docs.claude.com/en/docs/claude-code/memory, https://cursor.com/docs/context/rules,
 * https://docs.github.com/en/copilot/how-tos/configure-custom-instructions). Changing one affects later jobs.
 */
export const AGENTS_FILE = /(?:^|\/)AGENTS\.md$/i;
export const CLAUDE_FILE = /(?:^|\/)(?:\.claude\/)?CLAUDE\.md$/i;
/** Rules with the files that they apply to in their front matter. */
export const SCOPED_RULE = /(?:^|\/)(?:\.cursor\/rules\/.+\.mdc|\.github\/instructions\/.+\.instructions\.md)$/i;
export const CURSOR_FILE = /(?:^|\/)\.cursorrules$/i;
export const COPILOT_FILE = /(?:^|\/)\.github\/copilot-instructions\.md$/i;
export const CONTRIBUTING_FILE = /(?:^|\/)CONTRIBUTING\.mdx?$/i;

/**
 * Teams' names for writing guides. The rest of the name or the title decides whether it is about docs, and
 * not about code.
 */
export const STYLE_GUIDE_FILE =
  /(?:^|\/)(?:[0-9]{1,4}[-_])?(?:(?:(?:docs?|documentation|writing|content|editorial|authoring)[-_ ]?)?style(?:[-_ ]?guide(?:lines?)?)?|(?:docs?|documentation|writing|editorial|authoring)[-_ ]?(?:guide(?:lines?)?|conventions|standards)|voice[-_ ]?(?:and[-_ ]?)?tone)\.mdx?$/i;

const BY_NAME = [AGENTS_FILE, CLAUDE_FILE, SCOPED_RULE, CURSOR_FILE, COPILOT_FILE, CONTRIBUTING_FILE, STYLE_GUIDE_FILE];

/**
 * Whether a file may become an instruction for the agents of later jobs: by its name, in any folder, or
 * because the project's settings name it. Wider than the files that are used: that is decided when a job
 * runs.
 */
export function isInstructionFile(path: string, named: readonly string[] = []): boolean {
  return named.includes(path) || BY_NAME.some((name) => name.test(path));
}
