import type { Command } from 'commander';
import { readBucketUrl } from '../../platform/bucket-place.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print } from '@docent/base/terminal/terminal-text';

interface Options {
  json?: boolean;
  to: string;
}

/** `docent analytics move`: copies as much as possible while processes run, and the rest when none does. */
export async function moveEvents({ json, to }: Options, command: Command): Promise<void> {
  const place = readBucketUrl(to);
  if (!place) throw new CliFailure(`--to requires s3://bucket/prefix. You passed ${to}.`, EXIT.usage);
  const { moveFolder } = await import('../../analytics/storage/open-bucket.ts');
  const { readEnvironment } = await import('../../roles/environment.ts');
  const { bucketSettingsOf, stillOpen } = await import('../../roles/analytics-folder.ts');
  const { findStorage } = await import('./storage.ts');
  const { config } = readEnvironment(process.env);
  const settings = bucketSettingsOf({ ...config, analyticsStorage: place });
  const { database, root } = findStorage(command);
  try {
    const moved = settings && (await moveFolder(database, root, settings, { waitMs: 0 }));
    print(json, { bucket: place.url, ...moved }, () => {
      if (!moved) return 'Nothing to move: this installation has no page views in a folder.';
      const { files, stored, isMoved, open } = moved;
      const what = `${stored} files copied, ${files - stored} already there.`;
      const next = `Page views are now stored in ${place.url}. Start all processes with DOCENT_ANALYTICS_STORAGE=${place.url} and the same DOCENT_ANALYTICS_DIR.`;
      return `${what}\n${isMoved ? next : stillOpen(open, place.url)}`;
    });
  } finally {
    await database.close();
  }
}
