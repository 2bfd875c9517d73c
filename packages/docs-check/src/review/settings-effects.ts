import type { Data } from './data-effects.ts';
import type { EffectCollector } from './effects.ts';

/** Settings of `docs.json` and `mint.json` that load or run nothing, except for addresses in them. */
const HARMLESS_MINTLIFY = new Set(
  '$schema name description theme colors logo favicon navigation navbar footer redirects appearance background styling icons thumbnails banner search seo errors contextual metadata topbar topbarLinks topbarCtaButton topAnchor tabs anchors primaryTab footerSocials modeToggle rounded layout sidebar eyebrow versions language backgroundImage font fonts feedback variables interaction'.split(' '), // oxfmt-ignore
);
/** The same of `mkdocs.yml`: https://www.mkdocs.org/user-guide/configuration/ */
const HARMLESS_MKDOCS = new Set(
  'site_name site_url site_description site_author copyright nav repo_name repo_url edit_uri edit_uri_template not_in_nav draft_docs validation strict use_directory_urls exclude_docs remote_branch remote_name'.split(' '), // oxfmt-ignore
);
const HARMLESS_THEME = new Set(
  'language palette font features icon logo favicon direction locale highlightjs hljs_languages'.split(' '),
);
const HARMLESS_EXTRA = new Set('social alternate version generator homepage status tags annotate'.split(' '));

/** Notes a site's settings by which a build or a reader's browser loads or runs something. */
export function settingsEffects(path: string, data: Data, into: EffectCollector): void {
  const isMkdocs = /\.ya?ml$/i.test(path);
  for (const [key, value] of entriesOf(data)) {
    if (!isMkdocs) {
      if (!HARMLESS_MINTLIFY.has(key)) into.setting(key, textOf(value));
    } else if (key === 'plugins') {
      into.setting('plugins', textOf(pluginsOf(value)));
    } else if (key === 'theme' && typeof value === 'object') parts('theme', value, HARMLESS_THEME, into);
    else if (key === 'extra') parts('extra', value, HARMLESS_EXTRA, into);
    else if (!HARMLESS_MKDOCS.has(key)) into.setting(key, textOf(value));
  }
}

function parts(name: string, value: Data, harmless: ReadonlySet<string>, into: EffectCollector): void {
  for (const [key, part] of entriesOf(value)) if (!harmless.has(key)) into.setting(`${name}.${key}`, textOf(part));
}

/** Without the sources and targets of redirects, which change with every move. */
function pluginsOf(value: Data): Data {
  if (Array.isArray(value)) return value.map(pluginsOf);
  if (typeof value !== 'object' || value === null) return value;
  return {
    entries: value.entries.map(([name, options]) => {
      if (name !== 'redirects' && name !== 'mkdocs-redirects') return [name, options];
      return [name, { entries: entriesOf(options).filter(([key]) => key !== 'redirect_maps') }];
    }),
  };
}

function entriesOf(data: Data): [string, Data][] {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data.entries : [];
}

function textOf(value: Data): string {
  return JSON.stringify(value);
}
