import { readFileSync } from 'node:fs';
import path from 'node:path';
import { slug as slugOf } from 'github-slugger';
import { expect, test } from 'vitest';
import { DOCS } from '../../../src/platform/health.ts';

test('suggestions link to existing sections of the docs', () => {
  for (const link of Object.values(DOCS)) {
    const [, page = '', section] = /^\/docs\/([^#]+)(?:#(.+))?$/.exec(link) ?? [];
    const text = readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'docs', `${page}.mdx`), 'utf8');
    const sections = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slugOf(title));
    if (section !== undefined) expect(sections, link).toContain(section);
  }
});
