import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a site of MDX pages of about 5 KB with headings, links, anchors, components and code, in a folder
 * that is created if needed.
 * @returns the bytes of all pages
 */
export function writeCheckSite(site: string, pages: number): number {
  let bytes = 0;
  const names = Array.from({ length: pages }, (_, i) => pageName(i));
  for (const [i, name] of names.entries()) {
    const file = path.join(site, `${name}.mdx`);
    mkdirSync(path.dirname(file), { recursive: true });
    const text = checkPage(i, 'First', pages);
    bytes += Buffer.byteLength(text);
    writeFileSync(file, text);
  }
  writeFileSync(path.join(site, 'docs.json'), JSON.stringify({ name: 'Bench', navigation: { pages: names } }, null, 2));
  return bytes;
}

export function pageName(i: number): string {
  return `section-${i % 40}/page-${i}`;
}

export function checkPage(i: number, note: string, pages: number): string {
  const other = (step: number) => (i * 7 + step * 13) % pages;
  const sections = Array.from({ length: 12 }, (_, n) => {
    const to = other(n);
    return `## Section ${n} of page ${i}

Some words about the thing that is told here, with [a link](/${pageName(to)}#section-${n}-of-page-${to}), \`code\` and **weight**.
A second line of the paragraph says a little more, so that there is something to parse.

- An item with [another link](#section-${n}-of-page-${i})
- One without

<Card title="Card ${n}" href="/${pageName(other(n + 1))}">What the card says.</Card>

\`\`\`ts
const value = { n: ${n} }; // [no](/link)
\`\`\`
`;
  });
  return `---\ntitle: Page ${i}\n---\n\n${note}\n\n${sections.join('\n')}`;
}
