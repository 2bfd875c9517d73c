import path from 'node:path';
import { makeRepository } from '../../test/support/repository.ts';
import type { BenchStack } from './bench-stack.ts';

/** A project on a local site of 20 pages that link to each other. @returns its id */
export async function createProject(stack: BenchStack, id: string): Promise<string> {
  const repository = path.join(stack.folder, `${id}.git`);
  await makeRepository(repository, site(20));
  const { response, error } = await stack.client.POST('/v1/projects', { body: { id, repository, ref: 'main' } });
  if (!response.ok) throw new Error(`The project was refused: ${JSON.stringify(error)}`);
  return id;
}

export function site(pages: number): Record<string, string> {
  const names = Array.from({ length: pages }, (_, n) => `guides/page-${n}`);
  const files: Record<string, string> = {
    'docs.json': `${JSON.stringify({ name: 'Bench', navigation: { groups: [{ group: 'Guides', pages: names }] } }, null, 2)}\n`,
  };
  names.forEach((name, n) => {
    const next = names[(n + 1) % names.length];
    const paragraphs = Array.from(
      { length: 12 },
      (_, p) => `Paragraph ${p} of page ${n} says what a reader wants to know.`,
    );
    files[`${name}.mdx`] =
      `---\ntitle: Page ${n}\n---\n\nGo on to [the next](/${next}).\n\n## Details\n\n${paragraphs.join('\n\n')}\n`;
  });
  return files;
}
