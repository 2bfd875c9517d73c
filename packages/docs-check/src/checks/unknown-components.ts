import type { DocsSite } from '../read/docs-site.ts';
import type { PageFacts } from '../read/page-facts.ts';
import { isPartial } from '../read/site.ts';
import { isProvidedByMintlify } from '../syntax/mintlify-ids.ts';
import type { Problem } from './problem.ts';

/**
 * Components that a page uses and nothing provides: the build of Docusaurus fails at them, Mintlify takes
 * them out of the page, with all that is in them. A partial may get its own from the page that takes it in.
 */
export function unknownComponents(
  { site }: DocsSite,
  path: string,
  { components = [], problems }: PageFacts,
): Problem[] {
  const known = site.generator?.components;
  const isKnown = site.config ? isProvidedByMintlify : known ? (name: string) => known.has(name) : null;
  if (!isKnown || problems.length > 0 || isPartial(site, path)) return [];
  return components
    .filter(({ name }) => !isKnown(name))
    .map(({ name, line, column }) => ({
      path,
      line,
      column,
      code: 'missing-import' as const,
      message: `The component <${name}> is not imported, and the site does not provide it.`,
      severity: 'error' as const,
    }));
}
