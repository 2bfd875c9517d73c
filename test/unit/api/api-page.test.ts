import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const text = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('the page of the API lists every route of the contract once, and no other', () => {
  const { paths } = parse(text('openapi.yaml')) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([route, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${route}`),
  );
  const listed = [...text('docs/reference/api.mdx').matchAll(/^\| `([A-Z]+ \/\S*)` \|/gm)].map(
    ([, route = '']) => route,
  );
  expect(listed.toSorted()).toEqual(described.toSorted());
});
