import { stringify } from 'yaml';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import type { PageFacts } from '@docent/docs-check/read/page-facts';
import { applyTextEdits } from '@docent/docs-check/read/text-edits';

/** The text of a new page, as the site's pages begin. */
export function newPageText(
  title: string,
  text: string | null,
  style: { extension: string; titles: 'front matter' | 'headings' },
): string {
  const body = (text ?? '').trim();
  if (/^---\r?\n[\s\S]*?\r?\n---/.test(body)) return withTitle(body, title);
  const written = style.extension === '.mdx' ? parsableAsMdx(body) : body;
  const own = /^# +(.*?) *#*(?:\n|$)/.exec(written);
  const rest = own && own[1] === title ? written.slice(own[0].length).trimStart() : written;
  const head = style.titles === 'front matter' ? `---\ntitle: ${JSON.stringify(title)}\n---` : `# ${title}`;
  return rest === '' ? `${head}\n` : `${head}\n\n${rest}\n`;
}

function withTitle(page: string, title: string): string {
  if (/^title:/m.test(page.slice(0, page.indexOf('\n---', 3)))) return `${page}\n`;
  return `${page.replace(/^---\r?\n/, `---\ntitle: ${JSON.stringify(title)}\n`)}\n`;
}

/**
 * A text as MDX. Braces around words, and texts that do not parse, were written as plain text, so their
 * braces and angle brackets are escaped.
 */
export function parsableAsMdx(text: string): string {
  if (!/[{<]/.test(text)) return text;
  const facts = readPageFacts(text, 'mdx');
  if (facts.notRead) return text;
  if (facts.problems.length > 0) {
    const escaped = escapedOutsideCode(text, readPageFacts(text, 'markdown'));
    return parses(escaped) ? escaped : text;
  }
  if (/^(?:import|export)\s/m.test(text)) return text;
  const words = facts.opaque.filter(
    ({ kind, start, end }) => kind === 'markup' && /^\{[\p{L}\p{N}\s.,_-]*\}$/u.test(text.slice(start, end)),
  );
  return applyTextEdits(
    text,
    words.map(({ start, end }) => ({ start, end, text: `\\${text.slice(start, end - 1)}\\}` })),
  );
}

function escapedOutsideCode(text: string, { opaque }: PageFacts): string {
  const code = opaque.filter(({ kind }) => kind === 'code');
  return text.replace(/[{}<]/g, (c, at: number) => {
    const inCode = code.some(({ start, end }) => at >= start && at < end);
    return inCode || text[at - 1] === '\\' ? c : `\\${c}`;
  });
}

function parses(text: string): boolean {
  const { problems, notRead } = readPageFacts(text, 'mdx');
  return problems.length === 0 && !notRead;
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

/** A title from a page's name: `guides/first-steps` becomes "First steps". */
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
