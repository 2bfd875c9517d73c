import type { PageFacts } from '../../read/page-facts.ts';
import { isBelow, type Site } from '../../read/site.ts';

/**
 * Whether the page's title is shown as a heading of level 1 above its text. Null: unknown.
 * @param hasTop whether the text has a heading of level 1
 */
export function titleAbove(site: Site, path: string, facts: PageFacts, hasTop: boolean): boolean | null {
  const { fields = {}, flags = {} } = facts.frontMatter ?? {};
  if (site.config) {
    // https://www.mintlify.com/docs/organize/pages: without a title, one is made from the file's name.
    return fields['mode'] === 'custom' || fields['mode'] === 'frame' || !fields['title'] ? null : true;
  }
  // Without a site, the use of front matter is unknown.
  if (site.kind === 'plain') return site.doubt || facts.frontMatter ? null : false;
  const rule = site.generator?.showsTitle?.(path) ?? null;
  // Any layout but the default one may show what it likes.
  const hasLayout = 'layout' in flags || (fields['layout'] ?? 'doc') !== 'doc' || 'template' in fields;
  if (rule === null || hasLayout || hasOwnTheme(site)) return null;
  if (rule === 'never') return false;
  if (rule === 'unless-any') return !hasTop;
  return flags['hide_title'] ? false : facts.headings[0]?.depth !== 1;
}

const themed = new WeakMap<Site, boolean>();

/** Whether files of the site change the layout around a page's text. */
function hasOwnTheme(site: Site): boolean {
  let known = themed.get(site);
  if (known === undefined) {
    const folder = site.generator?.folder ?? '';
    const folders = OF_THEMES.map((name) => (folder === '' ? name : `${folder}/${name}`));
    known = [...site.folders].some((one) => folders.some((theme) => one === theme || isBelow(one, theme)));
    themed.set(site, known);
  }
  return known;
}

const OF_THEMES = [
  '.vitepress/theme',
  'src/theme/DocItem',
  'src/theme/BlogPostItem',
  'src/theme/BlogPostPage',
  'src/theme/MDXPage',
];
