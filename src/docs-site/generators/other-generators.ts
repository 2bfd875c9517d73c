import { folderOf } from '../read/folder.ts';

interface Sign {
  pattern: RegExp;
  name: string;
  /** Other things have files of this name too: it counts only where sites usually are. */
  weak?: true;
}

/** Files by which site generators are known whose addresses Docent cannot work out. */
const SIGNS: readonly Sign[] = [
  { pattern: /(?:^|\/)hugo\.(?:toml|ya?ml|json)$/, name: 'Hugo' },
  { pattern: /(?:^|\/)config\/_default\/(?:hugo|config)\.\w+$/, name: 'Hugo' },
  { pattern: /(?:^|\/)_config\.ya?ml$/, name: 'Jekyll', weak: true },
  { pattern: /(?:^|\/)astro\.config\.[cm]?[jt]s$/, name: 'Astro' },
  { pattern: /(?:^|\/)(?:docs\/(?:source\/)?)?conf\.py$/, name: 'Sphinx', weak: true },
  { pattern: /(?:^|\/)antora(?:-playbook)?\.yml$/, name: 'Antora' },
  { pattern: /(?:^|\/)\.?eleventy(?:\.config)?\.[cm]?js$/, name: 'Eleventy' },
  { pattern: /(?:^|\/)docfx\.json$/, name: 'DocFX' },
  { pattern: /(?:^|\/)\.openpublishing\.publish\.config\.json$/, name: 'DocFX' },
  { pattern: /(?:^|\/)gatsby-config\.[jt]s$/, name: 'Gatsby', weak: true },
  { pattern: /(?:^|\/)(?:next|contentlayer|source)\.config\.[cm]?[jt]s$/, name: 'Next.js', weak: true },
  { pattern: /(?:^|\/)nuxt\.config\.[jt]s$/, name: 'Nuxt', weak: true },
  { pattern: /(?:^|\/)\.vuepress\/config\.[jt]s$/, name: 'VuePress' },
  { pattern: /(?:^|\/)(?:fern\/)?docs\.yml$/, name: 'Fern', weak: true },
];

/** Folders in which a repository has its site, wherever the pages are. */
const USUAL = /^(?:(?:packages|apps)\/)?(?:website|web|site|www|docs?|documentation)(?:[-_]?(?:site|web|app))?$/;
const NOT_MEANT = /(^|\/)(?:node_modules|tests?|__tests__|e2e|fixtures?|examples?|templates?|samples?|dist|build)\//;

/** The site generator that the docs seem to be for, where none that Docent knows is; null for none. */
export function otherGeneratorOf(paths: readonly string[], docsDir: string): { name: string; path: string } | null {
  for (const { pattern, name, weak } of SIGNS) {
    const path = paths.find((candidate) => {
      if (!pattern.test(candidate) || NOT_MEANT.test(candidate)) return false;
      const folder = siteFolder(candidate);
      const isNear =
        folder === '' ||
        folder === docsDir ||
        `${docsDir}/`.startsWith(`${folder}/`) ||
        folder === (docsDir === '' ? 'docs' : `${docsDir}/docs`);
      return isNear || (!/(^|\/)\./.test(folder) && (weak ? USUAL.test(folder) : true));
    });
    if (path !== undefined) return { name, path };
  }
  return null;
}

/** The site generator of a configuration, or of the folder that has one. */
export function otherGeneratorAt(paths: readonly string[], place: string): { name: string; path: string } | null {
  for (const { pattern, name } of SIGNS) {
    const path = paths.find((candidate) => {
      return pattern.test(candidate) && (candidate === place || siteFolder(candidate) === place);
    });
    if (path !== undefined) return { name, path };
  }
  return null;
}

function siteFolder(path: string): string {
  return folderOf(path).replace(/(?:^|\/)(?:config\/_default|\.vuepress|source|fern)$/, '');
}
