import path from 'node:path';
import { CliFailure } from '@docent/base/terminal/failures';
import { print, safe } from '@docent/base/terminal/terminal-text';
import type { Storage } from './storage.ts';
import { mine } from './storage-options.ts';

interface Options {
  project: string;
  json?: boolean;
  forgetDamage?: boolean;
}

/** `docent analytics verify`: every file is read, and every number of the export counted again. */
export async function verify(storage: Storage, { project, json, forgetDamage }: Options): Promise<void> {
  const { PinnedVersions } = await import('../../analytics/query/pinned-version.ts');
  const { verifyVersion } = await import('../../analytics/maintenance/verify.ts');
  const { hasEvents } = await import('../../analytics/maintenance/lost-files.ts');
  const { repairProject } = await import('../../analytics/maintenance/repair.ts');
  const { filesBelow } = await import('../../analytics/storage/files-below.ts');
  const { uncountedFiles } = await import('../../analytics/storage/set-aside.ts');
  const { dateText } = await import('../../analytics/events/days.ts');
  const { damageOf, forgetDamage: forget } = await import('../../store/analytics/damage.ts');
  const { database, folder, duck } = storage;
  mine(await repairProject(storage, project, 0));
  const versions = new PinnedVersions(database, folder, duck);
  const verified = await versions.use(project, undefined, (pinned) => verifyVersion(folder, duck, pinned));
  await versions.close();
  const damage = (await damageOf(database.db, project)).map((file) => ({
    path: file.path,
    reason: file.reason,
    foundAt: file.foundAt,
    eventsLost: hasEvents(file) ? file.rows : 0,
    from: dateText(file.minDay),
    to: dateText(file.maxDay),
  }));
  const lost = damage.reduce((sum, { eventsLost }) => sum + eventsLost, 0);
  const uncounted = await uncountedFiles(storage);
  const setAside = (await filesBelow(folder.setAsideFolder)).filter((file) => !uncounted.includes(file));
  if (forgetDamage) await forget(database.db, project);
  print(json, { ...verified, damage, setAside, uncounted }, () => {
    const lines = [
      verified.differences.length === 0
        ? `${verified.comparisons} numbers compared, no differences.`
        : `${verified.differences.length} of ${verified.comparisons} numbers differ:`,
      ...verified.differences
        .slice(0, 20)
        .map(
          ({ measure, path: page, kind, answered, counted }) =>
            `  ${measure} of ${safe(page) || 'the site'}, ${kind}: reported ${answered}, expected ${counted}`,
        ),
    ];
    if (damage.length > 0) lines.push(`${damage.length} damaged files were set aside:`);
    for (const file of damage) {
      const what =
        file.eventsLost > 0 ? `${file.eventsLost} events are no longer counted` : 'recomputed from the events';
      lines.push(`  ${safe(file.path)} ${file.reason}; ${file.from} to ${file.to}; ${what}`);
    }
    if (uncounted.length > 0) {
      lines.push(
        `${uncounted.length} files contain page views that are not counted, because the database has no ` +
          `record of them. Run \`docent analytics recover\` for each project to add them:`,
      );
    }
    for (const file of uncounted.slice(0, 20)) lines.push(`  ${safe(path.relative(folder.root, file))}`);
    if (setAside.length > 0) lines.push(`${setAside.length} files are set aside in ${folder.setAsideFolder}.`);
    return lines.join('\n');
  });
  if (verified.differences.length > 0) {
    throw new CliFailure('Run `docent analytics rebuild` to recompute the counts from the events.');
  }
  if (lost > 0 && !forgetDamage) {
    throw new CliFailure(
      `${lost} events were lost with damaged files. Restore the files from a backup and run \`docent ` +
        `analytics recover\`, or import the same events or logs again: duplicates are ignored. Then run ` +
        'verify with --forget-damage.',
    );
  }
}

/** `docent analytics recover`: see recoverProject. */
export async function recover(storage: Storage, { project, json }: Options): Promise<void> {
  const { recoverProject } = await import('../../analytics/maintenance/recover.ts');
  const { saltsOf } = await import('../../store/analytics/salts.ts');
  const done = mine(await recoverProject(storage, project));
  const hasSalts = (await saltsOf(storage.database.db, project)).size > 0;
  print(json, { ...done, hasSalts }, () =>
    [
      `${done.files} files recovered: ${done.events} events are now counted.`,
      ...(done.gone.length > 0
        ? [`${done.gone.length} known files are missing or damaged. All counts were recomputed.`]
        : []),
      ...done.unreadable.map(({ path: file, reason }) => `  Skipped: ${safe(file)} ${reason}.`),
      ...(done.logs > 0
        ? [`${done.logs} write-ahead logs were found. The next server that starts counts their events within a minute.`]
        : []),
      ...(hasSalts ? [] : ['The database has no salts for this project, so returning visitors are counted as new.']),
    ].join('\n'),
  );
  if (done.unreadable.length > 0) throw new CliFailure('Some files could not be recovered. See the lines above.');
}
