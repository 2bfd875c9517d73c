import { endOf } from './json-edits.ts';
import type { Node } from './json-source.ts';
import type { Range } from './page-facts.ts';
import { PROSE_PROPERTIES } from './prose-properties.ts';
import type { SiteConfig } from './site-config.ts';

/**
 * The texts for readers in a configuration file. Everything else controls the site.
 * @param links whether addresses count too
 */
export function proseInConfig(config: SiteConfig, path: string, links: boolean): Range[] {
  const source = config.sources.find((candidate) => candidate.path === path);
  const found: Range[] = [];
  const waiting: Node[] = source?.root ? [source.root] : [];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    const [key, value] = node.type === 'property' ? (node.children ?? []) : [];
    const isText =
      PROSE_PROPERTIES.has(String(key?.value)) || (links && /^(?:https?:|mailto:|\/)/.test(String(value?.value)));
    if (value?.type === 'string' && isText) found.push([value.offset + 1, endOf(value) - 1]);
    for (const child of node.children ?? []) waiting.push(child);
  }
  return found.toSorted((a, b) => a[0] - b[0]);
}
