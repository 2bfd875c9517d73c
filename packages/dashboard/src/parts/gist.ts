/** A summary in Markdown as one line of plain text: its first paragraph introduces the rest. */
export function gist(markdown: string): string {
  return markdown
    .trim()
    .replace(/\n\s*\n/, ': ')
    .replaceAll(/!?\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g, '$1')
    .replaceAll(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g, (_, code?: string, strong?: string) => code ?? strong ?? '')
    .replaceAll(/\s+/g, ' ');
}
