import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomFrom } from '../../scripts/random.ts';
import { CheckMemory } from '@docent/docs-check/cli/check-memory';
import { runCheck } from '@docent/docs-check/cli/run-check';
import { CheckFolder } from '../support/check-folder.ts';
import { times } from '../support/how-often.ts';

let folder: CheckFolder;

beforeEach(() => {
  folder = new CheckFolder();
});
afterEach(() => folder.remove());

const found = (memory?: CheckMemory) =>
  runCheck({ folder: folder.path, onProgress: () => undefined }, memory).problems.map(
    ({ path: file, line, code, message }) => `${file}:${line} ${code} ${message}`,
  );

/** Pages that link to each other's headings, include each other, and declare their addresses. */
const PARTS = [
  () => '# One\n',
  () => '## Two\n',
  () => '<a id="three"></a>\n',
  (n: number) => `[p](p${n}.mdx#one)\n`,
  (n: number) => `[p](./p${n}.mdx#two)\n`,
  (n: number) => `[p](/p${n}#three)\n`,
  (n: number) => `import P from './p${n}.mdx'\n\n<P />\n\n[own](#one)\n`,
  (n: number) => `[q](q${n})\n`,
  () => '{broken\n',
];

test.each([
  ['of no site', {}],
  ['of Mintlify', { 'docs.json': '{"name": "X", "navigation": {"pages": ["p0", "p1"]}}' }],
  [
    'of Docusaurus',
    { 'docusaurus.config.js': "module.exports = {presets: [['classic', {docs: {path: '.', routeBasePath: '/'}}]]}" },
  ],
])(
  'a watched site %s has the same problems as one that is checked anew, after whatever changes',
  (_, configuration) => {
    folder.write({ ...configuration, 'p0.mdx': '# One\n', 'p1.mdx': '[p](p0.mdx#one)\n' });
    const memory = new CheckMemory();
    found(memory);
    const random = randomFrom(7);
    const any = (below: number) => Math.floor(random() * below);
    let seen = 0;
    for (let round = 0; round < times(20); round++) {
      const page = `p${any(5)}.mdx`;
      if (any(6) === 0) rmSync(path.join(folder.path, page), { force: true });
      else {
        const slug = any(4) === 0 ? `---\nslug: q${any(3)}\ntitle: T${any(3)}\n---\n\n` : '';
        const parts = Array.from({ length: any(4) }, () => PARTS[any(PARTS.length)]!(any(5)));
        folder.write({ [page]: `${slug}Text.\n\n${parts.join('\n')}` });
      }
      memory.changed([page]);
      const now = found(memory);
      expect(now).toEqual(found());
      seen += now.length;
    }
    expect(seen).toBeGreaterThan(20);
  },
);
