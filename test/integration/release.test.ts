import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials, stageManifest } from '../../scripts/package/stage.ts';

// npm refuses a lock whose versions do not fit the manifest: then neither package nor image can be built.
test.each(['own', 'all'] as const)(
  'npm accepts the manifest and lock of a release with %s dependencies',
  async (which) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'release-'));
    await stageManifest(folder, which);
    const { components } = JSON.parse(await billOfMaterials(folder)) as { components: { name: string }[] };
    const names = components.map(({ name }) => name);
    expect(names).toContain('@temporalio/core-bridge');
    expect(names.includes('koa')).toBe(which === 'all');
  },
);
