import { dirname, join } from 'node:path/posix';

const MAX_FILES = 20;
const ENDINGS = [
  '',
  '.js',
  '.ts',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '/index.js',
  '/index.ts',
  '/index.mjs',
  '/index.cjs',
];

/** The text of a program and of its relative imports, at most 20 files in total; null if it is missing. */
export function programText(path: string | null, read: (path: string) => string | null): string | null {
  if (path === null) return null;
  const texts: string[] = [];
  const waiting = [path];
  const seen = new Set<string>();
  while (waiting.length > 0 && seen.size < MAX_FILES) {
    const next = waiting.pop()!;
    const main = /"main"\s*:\s*"([^"\n]{1,200})"/.exec(read(`${next}/package.json`) ?? '')?.[1];
    const places = [...(main === undefined ? [] : [join(next, main)]), ...ENDINGS.map((ending) => next + ending)];
    const found = places.find((file) => read(file) !== null);
    if (found === undefined || seen.has(found)) continue;
    seen.add(found);
    const text = read(found)!;
    texts.push(text);
    waiting.push(...imports(text).map((target) => join(dirname(found), target)));
  }
  return texts.length === 0 ? null : texts.join('\n');
}

function imports(text: string): string[] {
  return [...text.matchAll(/(?:from\s+|import\s+|require\(\s*|import\(\s*)['"](\.{1,2}\/[^'"\n]{1,300})['"]/g)].map(
    ([, target]) => target!,
  );
}
