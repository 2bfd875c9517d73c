// Run in a folder that has vitepress: pages on the standard input, their ids on the standard output.
import { text } from 'node:stream/consumers';
import { createMarkdownRenderer } from 'vitepress';

const renderer = await createMarkdownRenderer('.', { highlight: (code) => `<pre><code>${code}</code></pre>` }, '/');
const answers = {};
for (const [name, page] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const html = renderer.render(page, { path: 'x.md', relativePath: 'x.md', cleanUrls: false });
  answers[name] = [...new Set([...html.matchAll(/<[a-z][^<>]*? id="([^"]*)"/gi)].map((match) => match[1]))];
}
process.stdout.write(JSON.stringify(answers));
