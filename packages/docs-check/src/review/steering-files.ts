import { isInstructionFile } from '../read/instruction-files.ts';

/**
 * Files that agents, including Docent's own, use as instructions in later jobs, by the names of tools: rules
 * and skills of agents, contributing guides, and writing guides. Each of them affects later texts.
 */
const STEERING: readonly RegExp[] = [
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|CODEX|QWEN|WARP|SKILL|CONVENTIONS|CONTRIBUTING|PROMPT|RULES|COPILOT|copilot-instructions|llms(?:-[\w-]+)?)(?:\.(?:local|override|[a-z]{2}))?\.(?:mdx?|markdown|mdc|txt|rst)$/i,
  /(?:^|\/)\.[a-z]+(?:rules|ignore-rules)$/i,
  /(?:^|\/)\.(?:cursor|windsurf|clinerules|roo|kiro|continue|augment|amazonq|junie|trae|mintlify|claude|codex|gemini|agents?|ai)\//i,
  /\.(?:mdc|instructions\.md|prompt\.md|chatmode\.md|agent\.md)$/i,
  /(?:^|\/)\.aider[^/]*$/i,
  /(?:^|\/)(?:[0-9]{1,4}[-_])?(?:(?:docs?|documentation|writing|content|editorial|authoring)[-_ ]?)?(?:style(?:[-_ ]?guide(?:lines?)?)?|writing[-_ ]?(?:guide(?:lines?)?|standards?|style)|guidelines|voice(?:[-_ ]?(?:and[-_ ]?)?tone)?|tone(?:[-_ ]?of[-_ ]?voice)?|terminology|glossary|conventions|standards)\.(?:mdx?|markdown|rst|txt)$/i,
  /(?:^|\/)(?:docs?|documentation)[-_ ]?(?:guide(?:lines?)?|conventions|standards)\.mdx?$/i,
  /(?:^|\/)styles\/(?:config\/)?(?:vocabularies|vocab)\//i,
];

/**
 * Whether the file may become an instruction for later agents: by its path alone, or because it is named.
 * @param named paths of instruction files in the project's settings
 */
export function isSteeringFile(path: string, named: readonly string[]): boolean {
  return isInstructionFile(path, named) || STEERING.some((pattern) => pattern.test(path));
}
