import path from 'node:path';
import { CliFailure, EXIT } from '../../failures.ts';
import { fields, print } from '../../terminal-text.ts';
import type { Storage } from './storage.ts';

interface Options {
  project: string;
  json?: boolean;
  output?: string;
  to?: string;
}

/** `docent analytics export`: every event once, as one file or as a folder with a manifest. */
export async function exportEvents(storage: Storage, { project, json, output, to }: Options): Promise<void> {
  if ((output === undefined) === (to === undefined))
    throw new CliFailure('Say where to write: --output FILE for one file, or --to FOLDER.', EXIT.usage);
  if (to !== undefined && /^[a-z0-9]+:\/\//i.test(to))
    throw new CliFailure(`--to takes a folder on this machine, and not ${to}: copy the folder from there.`, EXIT.usage);
  const { PinnedVersions } = await import('../../../analytics/query/pinned-version.ts');
  const { database, folder, duck } = storage;
  const versions = new PinnedVersions(database, folder, duck);
  try {
    if (to !== undefined) {
      const { exportFolder, OtherExport } = await import('../../../analytics/upkeep/export-folder.ts');
      const place = path.resolve(to);
      const done = await versions
        .use(project, undefined, (pinned) => exportFolder(folder, duck, pinned, place))
        .catch((err: unknown) => {
          if (err instanceof OtherExport) throw new CliFailure(err.message, EXIT.failed, { cause: err });
          throw err;
        });
      print(json, { ...done, folder: place }, () =>
        fields({ Events: done.events, Files: done.files, 'Written now': done.written, Folder: place }),
      );
      return;
    }
    const { exportVersion } = await import('../../../analytics/upkeep/export-events.ts');
    const file = path.resolve(output ?? '');
    const { events } = await versions.use(project, undefined, (pinned) => exportVersion(folder, duck, pinned, file));
    print(json, { events, file }, () => `${events} events written to ${file}.`);
  } finally {
    await versions.close();
  }
}
