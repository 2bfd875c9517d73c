import { useEffect, useState } from 'preact/hooks';
import type { Render } from './markdown-tree.tsx';

let render: Render | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the Markdown renderer: a page that needs it calls this at the start, together with its data, and
 * reserves space until then.
 * @returns whether it is loaded, or unavailable: the text then stays as written
 */
export function useMarkdown(): boolean {
  const [isSettled, settle] = useState(render !== undefined);
  useEffect(() => {
    if (render) return;
    loading ??= import('./markdown-tree.tsx').then(
      (module) => {
        render = module.renderMarkdown;
      },
      () => {
        loading = undefined;
      },
    );
    void loading.then(() => settle(true));
  }, []);
  return isSettled;
}

/**
 * Markdown of someone else's: text, lists, tables, code and links to http and https. HTML in it is shown as
 * it is written.
 */
export function Markdown({ text }: { text: string }) {
  useMarkdown();
  return (
    <div class="markdown" dir="auto">
      {render ? render(text) : <p class="as-written">{text}</p>}
    </div>
  );
}
