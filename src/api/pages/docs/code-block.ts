import { createRequire } from 'node:module';
import type { ElementContent, RootContent } from 'hast';
import type * as Lowlight from 'lowlight';
import { markup, type Content, type Html } from '../html.ts';

let loaded: ReturnType<typeof Lowlight.createLowlight> | undefined;
const NAMES: Record<string, string> = {
  js: 'JavaScript',
  ts: 'TypeScript',
  html: 'HTML',
  json: 'JSON',
  yaml: 'YAML',
  go: 'Go',
};

/** A block of code: colored where its language is known, with room for the button that copies it. */
export function codeBlock(text: string, language: string | null, title: string | null): Html {
  const lowlight = (loaded ??= load());
  const label = title ?? (language === null ? 'Code' : (NAMES[language] ?? language));
  return markup`<div class="code"><div class="code-head"><span>${label}</span></div>
<pre tabindex="0"><code>${language !== null && lowlight.registered(language) ? lowlight.highlight(language, text).children.map(colored) : text}</code></pre></div>
`;
}

/** Its grammars are 194 files, which no server needs before its docs are read. */
function load(): NonNullable<typeof loaded> {
  const { common, createLowlight } = createRequire(import.meta.url)('lowlight') as typeof Lowlight;
  return createLowlight(common);
}

function colored(node: RootContent | ElementContent): Content {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties.className;
  return markup`<span class="${Array.isArray(names) ? names.join(' ') : ''}">${node.children.map(colored)}</span>`;
}
