import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { bytesIn, run } from './installed.ts';

export interface ImageFacts {
  megabytes: number;
  docentMegabytes: number;
  /** In its bill of materials. */
  components: number;
  /** The command of its health check. */
  healthCheck: string[];
  /** Sentences about missing parts. */
  wrong: string[];
}

interface Inspected {
  Docker: {
    config: { User: string; Healthcheck?: { Test: string[] }; Labels: Record<string, string>; Volumes: object };
  };
}

/** The labels and the content of an image. @throws if it has no bill of materials */
export async function imageFacts(image: string): Promise<ImageFacts> {
  const inspected = JSON.parse(await run('buildah', ['inspect', '--type', 'image', image])) as Inspected;
  const { User, Healthcheck, Labels, Volumes } = inspected.Docker.config;
  const wrong: string[] = [];
  if (!/^[1-9]\d*:[1-9]\d*$/.test(User)) wrong.push(`It runs as ${User || 'root'}: a number other than 0 is wanted.`);
  if (!Healthcheck?.Test.join(' ').includes('/healthz')) wrong.push('It has no health check on /healthz.');
  if (Labels['org.opencontainers.image.licenses'] === undefined) wrong.push('It has no label with its license.');
  if (!('/var/lib/docent' in Volumes)) wrong.push('The home is no volume.');
  return within(image, async (root) => {
    const docent = path.join(root, 'opt', 'docent');
    const bom = JSON.parse(await readFile(path.join(docent, 'sbom.cdx.json'), 'utf8')) as { components: unknown[] };
    return {
      megabytes: Math.round((await bytesIn(root)) / 1e6),
      docentMegabytes: Math.round((await bytesIn(docent)) / 1e6),
      components: bom.components.length,
      healthCheck: Healthcheck?.Test.slice(1) ?? [],
      wrong,
    };
  });
}

/** @returns a sentence if a user may change what it runs */
export async function isReadOnlyFor(image: string, user: number): Promise<string[]> {
  return within(image, async (root) => {
    const found = await run(
      'find',
      ['opt/docent', 'usr/local', '(', '-perm', '-o+w', '-o', '-uid', String(user), ')', '-not', '-type', 'l'],
      { cwd: root },
    );
    return found === '' ? [] : [`Its user may write: ${found.split('\n').slice(0, 5).join(', ')}`];
  });
}

async function within<T>(image: string, look: (root: string) => Promise<T>): Promise<T> {
  const container = (await run('buildah', ['from', image])).trim();
  try {
    return await look((await run('buildah', ['mount', container])).trim());
  } finally {
    await run('buildah', ['rm', container]);
  }
}
