import { pageFormatOf } from '../read/page-format.ts';
import type { Site } from '../read/site.ts';

/** The role of a file in a documentation site; `code` and `other` are not documentation. */
export type FileKind =
  | 'page'
  | 'other page'
  | 'markup'
  | 'media'
  | 'text'
  | 'settings'
  | 'data'
  | 'redirects'
  | 'code'
  | 'other';

const OTHER_PAGE = /\.(?:rst|adoc|asciidoc|asc|textile|org)$/i;
const MARKUP = /\.(?:html?|xhtml|svg|drawio)$/i;
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|mp4|webm|mov|m4[av]|mp3|ogg|wav|flac|woff2?|ttf|otf|eot|pdf|docx?|pptx?|xlsx?|psd|fig)$/i;
const TEXT = /(?:^|\/)(?:robots|humans|security|llms(?:-[\w-]+)?|LICENSE|NOTICE)\.txt$|\.(?:csv|tsv|vtt|srt|mmd|d2)$/i;
/** Navigation, translations and facts that pages show, by the names that site generators give them. */
const DATA =
  /(?:^|\/)(?:_category_\.(?:json|ya?ml)|_?meta\.json|sidebars?\.json|[\w.-]*versions\.json|[\w.-]+[-_]sidebars\.json|\.pages|\.nav\.ya?ml|toc\.ya?ml|_toc\.ya?ml|(?:authors|tags|redirects|navigation|glossary)\.(?:json|ya?ml|toml)|[\w.-]*(?:openapi|swagger|asyncapi)[\w.-]*\.(?:json|ya?ml)|[\w.-]+\.excalidraw)$|(?:^|\/)_data\/[^.][^/]*(?:\/[^.][^/]*)*\.(?:json|ya?ml|toml)$|(?:^|\/)i18n\/(?:[^.][^/]*\/)+[^.][^/]*\.json$/i;
const SETTINGS = /(?:^|\/)(?:docs|mint)\.json$|(?:^|\/)mkdocs\.ya?ml$/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|go|rs|java|kts?|php|lua|pl|sh|bash|zsh|fish|ps1|bat|cmd|css|s[ac]ss|less|styl|njk|liquid|hbs|ejs|pug|jinja2?|j2|tmpl|tpl|wasm)$/i;

/** A list of what *is* documentation: a build or a tool may obey anything else. */
export function fileKindOf(path: string, site: Pick<Site, 'kind' | 'config' | 'generator' | 'configPath'>): FileKind {
  // A dot folder belongs to a tool, regardless of its content.
  const isHidden =
    /(?:^|\/)\.(?!pages$|nav\.ya?ml$|well-known\/)[^/]/.test(path) || /(?:^|\/)node_modules\//.test(path);
  if (!isHidden) {
    if (pageFormatOf(path)) return 'page';
    // It names programs that Hugo runs, and modules that it loads.
    if (site.kind === 'hugo' && site.generator?.texts.has(path)) return 'other';
    if (OTHER_PAGE.test(path)) return 'other page';
    if (MARKUP.test(path))
      return /(?:^|\/)(?:_?layouts|_?includes|overrides|partials|theme|templates)\//i.test(path) ? 'code' : 'markup';
    if (MEDIA.test(path)) return 'media';
    if (TEXT.test(path)) return 'text';
    if (SETTINGS.test(path) || path === site.configPath) return CODE.test(path) ? 'code' : 'settings';
    if (site.config?.sources.some((source) => source.path === path)) return 'settings';
    if (site.generator?.texts.has(path)) return /\.ya?ml$/i.test(path) ? 'settings' : CODE.test(path) ? 'code' : 'data';
    if (/(?:^|\/)_redirects$/.test(path)) return 'redirects';
    if (DATA.test(path)) return 'data';
  }
  return CODE.test(path) ? 'code' : 'other';
}
