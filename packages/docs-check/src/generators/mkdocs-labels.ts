import { fieldOf, itemsOf, type Place, type StaticValue } from '../config/static-value.ts';
import type { Unchecked } from './makers.ts';

/** Plugins that define no `[labels]`. */
const HARMLESS =
  /^(?:material\/)?(?:search|redirects|minify|git-[\w-]+|social|privacy|optimize|offline|meta|glightbox|llmstxt|rss|tags|blog|exclude|section-index|open-in-new-tab|awesome-pages|awesome-nav|literate-nav)$/;

/**
 * Why `[text][label]` may have its definition outside of the page: a plugin, a hook, or a file that is put
 * below every page.
 */
export function labelsElsewhere(
  plugins: ReadonlyMap<string, { at: Place }>,
  hooks: StaticValue | undefined,
  snippets: StaticValue | undefined,
): Unchecked | null {
  const [name, plugin] = [...plugins].find(([name]) => !HARMLESS.test(name)) ?? [];
  if (plugin) return notChecked(`The plugin ${name}`, plugin.at);
  const hook = itemsOf(hooks)[0];
  if (hook) return notChecked('A hook', hook.at);
  const appended = fieldOf(snippets, 'auto_append');
  return appended ? notChecked('What pymdownx.snippets appends to pages', appended.at) : null;
}

function notChecked(who: string, at: Place): Unchecked {
  return {
    at,
    message: `${who} may define labels, so [text][label] without a definition on the page is not reported.`,
  };
}
