import { visibleName } from '../visible-text.ts';
import type { Site, SiteKind } from './site.ts';

export interface SiteDescription {
  kind: SiteKind;
  /** Folder that the pages are in; empty for the whole repository. */
  folder: string;
  configPath: string | null;
  /** A site generator that Docent does not know. */
  otherGenerator: string | null;
}

const NAMES: Record<SiteKind, string> = {
  'docs.json': 'Mintlify',
  'mint.json': 'Mintlify',
  docusaurus: 'Docusaurus',
  vitepress: 'VitePress',
  mkdocs: 'MkDocs',
  plain: 'plain Markdown',
};

export function describeSite({ kind, root, configPath, otherGenerator }: Site): SiteDescription {
  return { kind, folder: root, configPath, otherGenerator };
}

/** The kind of site as people call it, with its configuration. */
export function siteInWords({ kind, folder, configPath, otherGenerator }: SiteDescription): string {
  if (configPath !== null) return `${NAMES[kind]} (${visibleName(configPath)})`;
  const where = folder === '' ? '' : ` in ${visibleName(folder)}`;
  return otherGenerator === null
    ? `${NAMES[kind]}${where}`
    : `${NAMES[kind]}${where} for ${otherGenerator}, whose addresses Docent does not know`;
}
