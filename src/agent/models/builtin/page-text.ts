import { stringify } from 'yaml';
import { readPageFacts } from '../../content/page-facts.ts';

/** The text of a new page, as the site's pages begin. */
export function newPageText(
  title: string,
  text: string | null,
  style: { extension: string; titlesInFrontMatter: boolean },
): string {
  const body = (text ?? '').trim();
  if (/^---\r?\n[\s\S]*?\r?\n---/.test(body)) return withTitle(body, title);
  const written = style.extension === '.mdx' ? parsableAsMdx(body) : body;
  const own = /^# +(.*?) *#*(?:\n|$)/.exec(written);
  const rest = own && own[1] === title ? written.slice(own[0].length).trimStart() : written;
  const head = style.titlesInFrontMatter ? `---\ntitle: ${JSON.stringify(title)}\n---` : `# ${title}`;
  return rest === '' ? `${head}\n` : `${head}\n\n${rest}\n`;
}

function withTitle(page: string, title: string): string {
  if (/^title:/m.test(page.slice(0, page.indexOf('\n---', 3)))) return `${page}\n`;
  return `${page.replace(/^---\r?\n/, `---\ntitle: ${JSON.stringify(title)}\n`)}\n`;
}

/** A text as MDX. What does not parse was written as plain text: its braces and angle brackets mean themselves. */
export function parsableAsMdx(text: string): string {
  if (!/[{<]/.test(text) || parses(text)) return text;
  const facts = readPageFacts(text, 'markdown');
  const code = facts.opaque.filter(({ kind }) => kind === 'code');
  const escaped = text.replace(/[{}<]/g, (c, at: number) => {
    const inCode = code.some(({ start, end }) => at >= start && at < end);
    return inCode || text[at - 1] === '\\' ? c : `\\${c}`;
  });
  return parses(escaped) ? escaped : text;
}

function parses(text: string): boolean {
  return readPageFacts(text, 'mdx').problems.length === 0;
}

/** Front matter's `title` line with another title, quoted as the old one was or as YAML needs it. */
export function retitledLine(line: string, title: string): string | null {
  const match = /^(title:[ \t]*)(.*?)([ \t]*)$/.exec(line);
  if (!match) return null;
  const [, name, old] = match;
  if (/^[|>&*!]/.test(old!)) return null;
  const space = name!.endsWith(':') ? ' ' : '';
  if (old!.startsWith('"')) return `${name}${space}${JSON.stringify(title)}`;
  if (old!.startsWith("'")) return `${name}${space}'${title.replaceAll("'", "''")}'`;
  const plain = stringify(title, { lineWidth: 0 }).trim();
  return `${name}${space}${/[\n|>]/.test(plain[0] ?? '') || plain.includes('\n') ? JSON.stringify(title) : plain}`;
}

/** What a page's name tells of its title: `guides/first-steps` is "First steps". */
export function titleFromPath(path: string): string {
  const name =
    path
      .replace(/\/+$/, '')
      .replace(/\.\w+$/, '')
      .replace(/\/(index|README)$/i, '')
      .split('/')
      .at(-1) ?? '';
  const words = name.replace(/[-_]+/g, ' ').trim();
  return words === '' ? 'Untitled' : words[0]!.toUpperCase() + words.slice(1);
}
