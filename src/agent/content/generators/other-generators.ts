import { folderOf } from '../folder.ts';

/** Files by which site generators are known whose addresses Docent cannot work out. */
const SIGNS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(?:^|\/)hugo\.(?:toml|ya?ml|json)$/, 'Hugo'],
  [/(?:^|\/)config\/_default\/(?:hugo|config)\.\w+$/, 'Hugo'],
  [/(?:^|\/)_config\.ya?ml$/, 'Jekyll'],
  [/(?:^|\/)astro\.config\.[cm]?[jt]s$/, 'Astro'],
  [/(?:^|\/)(?:docs\/(?:source\/)?)?conf\.py$/, 'Sphinx'],
  [/(?:^|\/)antora(?:-playbook)?\.yml$/, 'Antora'],
  [/(?:^|\/)\.?eleventy(?:\.config)?\.[cm]?js$/, 'Eleventy'],
  [/(?:^|\/)docfx\.json$/, 'DocFX'],
  [/(?:^|\/)\.openpublishing\.publish\.config\.json$/, 'DocFX'],
  [/(?:^|\/)gatsby-config\.[jt]s$/, 'Gatsby'],
  [/(?:^|\/)(?:next|contentlayer|source)\.config\.[cm]?[jt]s$/, 'Next.js'],
  [/(?:^|\/)nuxt\.config\.[jt]s$/, 'Nuxt'],
  [/(?:^|\/)\.vuepress\/config\.[jt]s$/, 'VuePress'],
  [/(?:^|\/)(?:fern\/)?docs\.yml$/, 'Fern'],
];

/** The site generator that a folder without a known configuration seems to be for; null for none. */
export function otherGeneratorOf(paths: readonly string[], docsDir: string): string | null {
  for (const [pattern, name] of SIGNS) {
    const isSign = (path: string) => {
      if (!pattern.test(path) || /(^|\/)(?:node_modules|tests?|examples?|templates?)\//.test(path)) return false;
      const folder = folderOf(path).replace(/(?:^|\/)(?:config\/_default|\.vuepress|source|fern)$/, '');
      return (
        folder === '' ||
        folder === docsDir ||
        `${docsDir}/`.startsWith(`${folder}/`) ||
        folder === (docsDir === '' ? 'docs' : `${docsDir}/docs`)
      );
    };
    if (paths.some(isSign)) return name;
  }
  return null;
}
