import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { ID_PAGES } from '../../support/id-corpus.ts';

/** What the generators themselves answered: `npm run record-ids`. */
const { ids } = JSON.parse(readFileSync(new URL('../../fixtures/ids.json', import.meta.url), 'utf8')) as {
  ids: Record<string, string[]>;
};

describe('the ids of a page are those that its generator gives', () => {
  test.each(Object.entries(ID_PAGES))(
    '%s, so that no good link is refused and no broken one is let through',
    (name, page) => {
      const { headings, anchors, problems, hasMoreAnchors } = readPageFacts(page.text, page.dialect);
      const found = new Set([...headings.map(({ slug }) => slug), ...anchors].filter((id) => id !== ''));
      const real = new Set(ids[name]);
      expect(problems).toEqual([]);
      expect(hasMoreAnchors).toBe(false);
      expect({
        refused: [...real].filter((id) => !found.has(id)),
        letThrough: [...found].filter((id) => !real.has(id)).toSorted(),
      }).toEqual({ refused: [], letThrough: page.also ?? [] });
    },
  );
});
