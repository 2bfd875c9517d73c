import { folderOf } from '../read/folder.ts';

interface Sign {
  pattern: RegExp;
  name: string;
  /** Other tools have files of this name too: it counts only in usual folders of sites. */
  weak?: true;
  /** Required text of the file. */
  says?: RegExp;
}

type Read = (path: string) => string | null;

/** Files that identify site generators whose addresses Docent cannot compute. The first match counts. */
const SIGNS: readonly Sign[] = [
  { pattern: /(?:^|\/)book\.toml$/, name: 'mdBook', says: /^[ \t]*\[(?:book|build|output\.html)\]/m },
  { pattern: /(?:^|\/)myst\.ya?ml$/, name: 'MyST' },
  { pattern: /(?:^|\/)_quarto\.ya?ml$/, name: 'Quarto' },
  { pattern: /(?:^|\/)_toc\.ya?ml$/, name: 'Jupyter Book', says: /^(?:root|format):/m },
  { pattern: /(?:^|\/)_config\.ya?ml$/, name: 'Jekyll', weak: true },
  { pattern: /(?:^|\/)astro\.config\.[cm]?[jt]s$/, name: 'Astro' },
  { pattern: /(?:^|\/)(?:docs\/(?:source\/)?)?conf\.py$/, name: 'Sphinx', weak: true },
  { pattern: /(?:^|\/)antora(?:-playbook)?\.yml$/, name: 'Antora' },
  { pattern: /(?:^|\/)\.?eleventy(?:\.config)?\.[cm]?js$/, name: 'Eleventy' },
  { pattern: /(?:^|\/)docfx\.json$/, name: 'DocFX' },
  { pattern: /(?:^|\/)\.openpublishing\.publish\.config\.json$/, name: 'DocFX' },
  { pattern: /(?:^|\/)gatsby-config\.[jt]s$/, name: 'Gatsby', weak: true },
  { pattern: /(?:^|\/)next\.config\.[cm]?[jt]s$/, name: 'Nextra', says: /nextra/ },
  { pattern: /(?:^|\/)source\.config\.[cm]?[jt]s$/, name: 'Fumadocs', says: /fumadocs/ },
  { pattern: /(?:^|\/)(?:next|contentlayer|source)\.config\.[cm]?[jt]s$/, name: 'Next.js', weak: true },
  { pattern: /(?:^|\/)nuxt\.config\.[jt]s$/, name: 'Nuxt', weak: true },
  { pattern: /(?:^|\/)\.vuepress\/config\.[jt]s$/, name: 'VuePress' },
  { pattern: /(?:^|\/)rspress\.config\.[cm]?[jt]s$/, name: 'Rspress' },
  { pattern: /(?:^|\/)zensical\.toml$/, name: 'Zensical' },
  { pattern: /(?:^|\/)\.gitbook\.ya?ml$/, name: 'GitBook' },
  { pattern: /(?:^|\/)(?:fern\/)?docs\.yml$/, name: 'Fern', weak: true },
];

/** Whether a file of this name is only ever the configuration of one of these. */
export function isOtherConfig(name: string): boolean {
  return SIGNS.some(({ pattern, weak }) => weak === undefined && pattern.test(name));
}

/** Usual folders of a repository's site, regardless of where the pages are. */
const USUAL = /^(?:(?:packages|apps)\/)?(?:website|web|site|www|docs?|documentation)(?:[-_]?(?:site|web|app))?$/;
const NOT_MEANT = /(^|\/)(?:node_modules|tests?|__tests__|e2e|fixtures?|examples?|templates?|samples?|dist|build)\//;

/** The site generator that the docs seem to be for, if none that Docent knows is; null for none. */
export function otherGeneratorOf(
  paths: readonly string[],
  docsDir: string,
  read: Read,
): { name: string; path: string } | null {
  for (const sign of SIGNS) {
    const path = paths.find((candidate) => {
      if (!sign.pattern.test(candidate) || NOT_MEANT.test(candidate)) return false;
      const folder = siteFolder(candidate);
      const isNear =
        folder === '' ||
        folder === docsDir ||
        `${docsDir}/`.startsWith(`${folder}/`) ||
        folder === (docsDir === '' ? 'docs' : `${docsDir}/docs`);
      const isPlace = isNear || (!/(^|\/)\./.test(folder) && (sign.weak ? USUAL.test(folder) : true));
      return isPlace && saysSo(sign, candidate, read);
    });
    if (path !== undefined) return { name: sign.name, path };
  }
  return null;
}

/** The site generator of a configuration, or of the folder that has one. */
export function otherGeneratorAt(
  paths: readonly string[],
  place: string,
  read: Read,
): { name: string; path: string } | null {
  for (const sign of SIGNS) {
    const path = paths.find((candidate) => {
      const isPlace = sign.pattern.test(candidate) && (candidate === place || siteFolder(candidate) === place);
      return isPlace && saysSo(sign, candidate, read);
    });
    if (path !== undefined) return { name: sign.name, path };
  }
  return null;
}

/** Sentences about the performed and the skipped checks for a site of another generator. */
export function knowledgeOf(name: string): string {
  const own = OWN_ADDRESSES[name] ?? 'Links to addresses';
  const anchors = knowsAnchors(name) ? '' : ' anchors,';
  return (
    `Only syntax, images and relative links to files with an extension are checked. ${own},${anchors} ` +
    'redirects and the navigation are not.'
  );
}

/** Whether headings have the ids of a code host. */
export function knowsAnchors(name: string): boolean {
  return /^(?:Astro|Nextra|Fumadocs|Next\.js|mdBook|GitBook)$/.test(name);
}

const MYST = 'Links to documents without an extension and to labels, roles and directives, targets of other projects';

const OWN_ADDRESSES: Readonly<Record<string, string>> = {
  Jekyll: 'Links to addresses, Liquid tags such as link and post_url, menus in _data and _config.yml',
  Sphinx: `${MYST}, pages in reStructuredText`,
  MyST: MYST,
  'Jupyter Book': MYST,
  Nextra: 'Links to addresses, files such as _meta.js',
  Fumadocs: 'Links to addresses, files such as meta.json',
  GitBook: 'Links to addresses, pages that SUMMARY.md leaves out or lists twice',
  mdBook: 'Included files and what preprocessors make',
};

/**
 * Whether a link may name a label or an object of a program, such as `app.Spawner`, if no file has its name.
 */
export function mayNameLabel(name: string, path: string): boolean {
  return /^(?:Sphinx|MyST|Jupyter Book)$/.test(name) && !path.includes('/') && !FILE_ENDING.test(path);
}

/** Extensions that MyST treats as files, not as labels: pages, images, and downloads. */
const FILE_ENDING =
  /\.(?:md|markdown|rst|ipynb|txt|html?|pdf|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|css|js|json|ya?ml|toml|csv|zip|gz|py|sh)$/i;

function saysSo({ says }: Sign, path: string, read: Read): boolean {
  return says === undefined || says.test(read(path) ?? '');
}

function siteFolder(path: string): string {
  return folderOf(path).replace(/(?:^|\/)(?:\.vuepress|source|fern)$/, '');
}
