// Pages on the standard input, their ids on the standard output: as Astro renders Markdown for Starlight.
import { createMarkdownProcessor } from '@astrojs/markdown-remark';
import { text } from 'node:stream/consumers';

const processor = await createMarkdownProcessor({});
const answers = {};
for (const [name, page] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const { code } = await processor.render(page);
  answers[name] = [
    ...new Set([...code.matchAll(/<[a-z][^<>]*? id="([^"]*)"/g)].map(([, id]) => id.replaceAll('&#x26;', '&'))),
  ];
}
process.stdout.write(JSON.stringify(answers));
