import { fieldOf, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import type { GeneratorLink } from './generator.ts';

const MAX_DEPTH = 10;

/**
 * Links of the navigation bar and the footer, which are on every page. The build checks them like those of
 * pages (`Link` and `brokenLinks` of @docusaurus/core 3.10.2, `NavbarNavLink` and `FooterLinkItem` of its
 * classic theme).
 */
export function docusaurusThemeLinks(config: StaticValue): GeneratorLink[] {
  const found: GeneratorLink[] = [];
  const walk = (list: StaticValue | undefined, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const item of itemsOf(list)) {
      add(item);
      for (const name of ['items', 'dropdownItemsBefore', 'dropdownItemsAfter']) walk(fieldOf(item, name), depth + 1);
    }
  };
  const add = (item: StaticValue | undefined): void => {
    const link = fieldOf(item, 'href') ?? fieldOf(item, 'to');
    const written = textOf(link);
    // To Docusaurus, links that open elsewhere are not between pages: another program may serve them.
    const target = fieldOf(item, 'target');
    if (!link || !written || fieldOf(item, 'data-noBrokenLinkCheck')) return;
    if (target && textOf(target) !== '_self') return;
    // `to` is appended to the site's base address, with or without a slash.
    const value = fieldOf(item, 'href') ? written : written.replace(/^(?!\/|#|[a-z][a-z\d+.-]*:)/i, '/');
    if (/^\/(?!\/)/.test(value)) found.push({ value, at: link.at });
  };
  const theme = fieldOf(config, 'themeConfig');
  walk(fieldOf(theme, 'navbar', 'items'), 0);
  walk(fieldOf(theme, 'footer', 'links'), 0);
  add(fieldOf(theme, 'navbar', 'logo'));
  return found;
}
