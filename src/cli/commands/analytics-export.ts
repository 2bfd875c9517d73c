import path from 'node:path';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import type { ExportTarget } from '../../analytics/maintenance/export-target.ts';
import { readBucketUrl } from '../../platform/bucket-place.ts';
import { fields, print } from '@docent/base/terminal/terminal-text';
import type { Storage } from './storage.ts';
import { Refused } from '@docent/base/refused';

interface Options {
  project: string;
  json?: boolean;
  output?: string;
  to?: string;
}

/** `docent analytics export`: every event once, as one file or as a folder with a manifest. */
export async function exportEvents(storage: Storage, { project, json, output, to }: Options): Promise<void> {
  if ((output === undefined) === (to === undefined))
    throw new CliFailure('Specify where to write: --output FILE for one file, or --to FOLDER.', EXIT.usage);
  const { PinnedVersions } = await import('../../analytics/query/pinned-version.ts');
  const { database, folder, duck } = storage;
  const versions = new PinnedVersions(database, folder, duck);
  try {
    if (to !== undefined) {
      const { exportTo } = await import('../../analytics/maintenance/export-to.ts');
      const { target, close } = await openTarget(to, folder.temporaryFolder);
      try {
        const done = await versions.use(project, undefined, (pinned) => exportTo(folder, duck, pinned, target));
        print(json, { ...done, folder: target.name }, () =>
          fields({ Events: done.events, Files: done.files, 'Written now': done.written, Folder: target.name }),
        );
      } catch (err) {
        const { BucketProblem } = await import('../../analytics/storage/bucket/bucket-problem.ts');
        const isExplained = err instanceof Refused || err instanceof BucketProblem;
        throw isExplained ? new CliFailure(`${target.name}: ${err.message}`, EXIT.failed, { cause: err }) : err;
      } finally {
        close();
      }
      return;
    }
    const { exportVersion } = await import('../../analytics/maintenance/export-events.ts');
    const file = path.resolve(output ?? '');
    const { events } = await versions.use(project, undefined, (pinned) => exportVersion(folder, duck, pinned, file));
    print(json, { events, file }, () => `${events} events written to ${file}.`);
  } finally {
    await versions.close();
  }
}

/** A folder or a prefix in a bucket. @throws CliFailure */
async function openTarget(to: string, temporaryFolder: string): Promise<{ target: ExportTarget; close: () => void }> {
  const { BucketTarget, FolderTarget } = await import('../../analytics/maintenance/export-target.ts');
  if (!/^[a-z0-9]+:\/\//i.test(to)) return { target: new FolderTarget(to), close: () => {} };
  const place = readBucketUrl(to);
  if (!place)
    throw new CliFailure(`--to requires a folder on this machine or s3://bucket/prefix. You passed ${to}.`, EXIT.usage);
  const { Bucket } = await import('../../analytics/storage/bucket/bucket.ts');
  const { readEnvironment } = await import('../../roles/environment.ts');
  const { config } = readEnvironment(process.env);
  const bucket = await Bucket.open(place, { endpoint: config.s3Endpoint, region: config.s3Region });
  return { target: new BucketTarget(bucket, temporaryFolder), close: () => bucket.close() };
}
