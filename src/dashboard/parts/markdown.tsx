import { useEffect, useState } from 'preact/hooks';
import type { Render } from './markdown-tree.tsx';

let render: Render | undefined;

/** Markdown of somebody else's: text, lists, tables, code and links to http and https. HTML in it is shown as it is written. */
export function Markdown({ text }: { text: string }) {
  const [, loaded] = useState(false);
  useEffect(() => {
    if (render) return;
    import('./markdown-tree.tsx').then(
      (module) => {
        render = module.renderMarkdown;
        loaded(true);
      },
      () => {
        // Without it, the text stays as it was written.
      },
    );
  }, []);
  return (
    <div class="markdown" dir="auto">
      {render ? render(text) : <p class="as-written">{text}</p>}
    </div>
  );
}
