/**
 * Files by which a repository tells agents how to work on it, by the names that agents of the field read
 * (https://agents.md, https://docs.claude.com/en/docs/claude-code/memory,
 * https://cursor.com/docs/context/rules,
 * https://docs.github.com/en/copilot/how-tos/configure-custom-instructions). Who changes one steers later
 * jobs.
 */
export const AGENTS_FILE = /(?:^|\/)AGENTS\.md$/i;
export const CLAUDE_FILE = /(?:^|\/)(?:\.claude\/)?CLAUDE\.md$/i;
/** Rules that say in their front matter for which files they are. */
export const SCOPED_RULE = /(?:^|\/)(?:\.cursor\/rules\/.+\.mdc|\.github\/instructions\/.+\.instructions\.md)$/i;
export const CURSOR_FILE = /(?:^|\/)\.cursorrules$/i;
export const COPILOT_FILE = /(?:^|\/)\.github\/copilot-instructions\.md$/i;
export const CONTRIBUTING_FILE = /(?:^|\/)CONTRIBUTING\.mdx?$/i;

/**
 * How teams call what says how they write. Whether it is about docs, and not about code, is said by the rest
 * of the name or by the title.
 */
export const STYLE_GUIDE_FILE =
  /(?:^|\/)(?:[0-9]{1,4}[-_])?(?:(?:(?:docs?|documentation|writing|content|editorial|authoring)[-_ ]?)?style(?:[-_ ]?guide(?:lines?)?)?|(?:docs?|documentation|writing|editorial|authoring)[-_ ]?(?:guide(?:lines?)?|conventions|standards)|voice[-_ ]?(?:and[-_ ]?)?tone)\.mdx?$/i;

const BY_NAME = [AGENTS_FILE, CLAUDE_FILE, SCOPED_RULE, CURSOR_FILE, COPILOT_FILE, CONTRIBUTING_FILE, STYLE_GUIDE_FILE];

/**
 * Whether what a file says may be told to the agent of later jobs as instructions: by its name, wherever it
 * stands, or because the project's settings name it. Wider than what is told: which of them count is decided
 * when a job runs.
 */
export function isInstructionFile(path: string, named: readonly string[] = []): boolean {
  return named.includes(path) || BY_NAME.some((name) => name.test(path));
}
