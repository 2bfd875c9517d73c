import { folderOf } from '@docent/docs-check/read/folder';
import { isBelow } from '@docent/docs-check/read/site';

/** Folders outside the team's own docs: third-party code, versions, packages and translations. */
const ASIDE =
  /(?:^|\/)(?:node_modules|vendor|third[-_]party|packages|examples?|templates?|archetypes|fixtures?|tests?|__tests__|i18n|l10n|locales?|langs?|translations?|translated|versioned_docs|archives?)(?:\/|$)/i;

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * Whether a file is, by its path, a translation (`i18n/…`, `zh-CN/…`, `guide.fr.md`) or in a part of the
 * repository with its own rules. The docs folder itself may be in any language.
 */
export function isTranslationOrAside(path: string, docsDir: string): boolean {
  const inside = docsDir !== '' && isBelow(path, docsDir) ? path.slice(docsDir.length + 1) : path;
  const folder = folderOf(inside);
  if (ASIDE.test(folder)) return true;
  const ofName = /\.([A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)\.mdx?$/.exec(inside)?.[1];
  return [...folder.split('/'), ofName ?? ''].some(isOtherLanguage);
}

/** `fr`, `pt-BR`, `zh_Hans`; English is what most docs are translated from. */
function isOtherLanguage(name: string): boolean {
  const language = /^([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.exec(name)?.[1]?.toLowerCase();
  return language !== undefined && language !== 'en' && LANGUAGES.of(language) !== undefined;
}
