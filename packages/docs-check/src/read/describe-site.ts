import { visibleName } from './visible-text.ts';
import { PLAIN, type ConfiguredKind, type SiteCandidate, type SiteDoubt } from './find-site.ts';
import { SITE_KIND_NAMES } from './site-kind-names.ts';
import type { Site, SiteKind } from './site.ts';

/** The detected site, as plain data. */
export interface SiteDescription {
  kind: SiteKind;
  /** Folder that the pages are in; empty for the whole repository. */
  folder: string;
  configPath: string | null;
  /** A site generator that Docent does not know. */
  otherGenerator: string | null;
  /** A sentence if it is not sure what makes a site of the docs; null if it is. */
  unsure: string | null;
  /** Configurations of sites that could be chosen instead. */
  candidates: string[];
}

export function describeSite({ kind, root, configPath, doubt, others }: Site): SiteDescription {
  const named = doubt && 'candidates' in doubt ? doubt.candidates : [];
  return {
    kind,
    folder: root,
    configPath,
    otherGenerator: doubt?.reason === 'unknown-generator' ? doubt.name : null,
    unsure: doubt && doubtText(doubt),
    candidates: [...new Set([...named, ...others].map(({ path }) => path))],
  };
}

/** The kind of site as people call it, with its configuration. */
export function siteText({ kind, folder, configPath, otherGenerator }: SiteDescription): string {
  if (configPath !== null) return `${SITE_KIND_NAMES[kind]} (${visibleName(configPath)})`;
  const where = folder === '' ? '' : ` in ${visibleName(folder)}`;
  return otherGenerator === null
    ? `${SITE_KIND_NAMES[kind]}${where}`
    : `${SITE_KIND_NAMES[kind]}${where} for ${otherGenerator}, whose link rules Docent does not know`;
}

/** Sites by their configuration: `MkDocs (mkdocs.yml) or Docusaurus (website/docusaurus.config.js)`. */
export function candidatesText(candidates: readonly Pick<SiteCandidate, 'path' | 'kind'>[], word = 'or'): string {
  const names = candidates.slice(0, 8).map(({ path, kind }) => siteName(kind, path));
  if (candidates.length > names.length) names.push(`${candidates.length - names.length} more`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

function siteName(kind: ConfiguredKind, path: string): string {
  return `${SITE_KIND_NAMES[kind]} (${visibleName(path)})`;
}

/** One sentence about the uncertain facts, without a suggestion. */
export function doubtText(doubt: SiteDoubt): string {
  switch (doubt.reason) {
    case 'several':
      return `Several sites match: ${candidatesText(doubt.candidates)}.`;
    case 'uncovered':
      return `No site configuration covers the docs folder; the repository has ${candidatesText(doubt.candidates, 'and')}.`;
    case 'unknown-generator':
      return `The site seems to be built with ${doubt.name} (${visibleName(doubt.path)}), whose link rules Docent does not know.`;
    case 'unread':
      return `The configuration of the site, ${visibleName(doubt.path)}, could not be read: it is too large, or not text.`;
    case 'not-found': {
      const has =
        doubt.candidates.length === 0
          ? 'no supported site configuration was found'
          : `the repository has ${candidatesText(doubt.candidates, 'and')}`;
      return `The project’s setting \`site\` is ${visibleName(doubt.asked)}, but there is no site configuration; ${has}.`;
    }
  }
}

/** What a person can do about it. @param command that has the option */
export function doubtRemedy(command: string): string {
  return (
    `Set it with \`${command} --site PATH\`: the path of the site configuration, or \`${PLAIN}\` for files ` +
    'that you read on a code host.'
  );
}
