import { parseInstant } from '@docent/base/instant';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print } from '@docent/base/terminal/terminal-text';
import { confirm } from '@docent/base/terminal/confirm';
import type { Storage } from './storage.ts';
import { mine } from './storage-options.ts';

interface Options {
  project: string;
  json?: boolean;
  yes?: boolean;
  visitor?: string;
  ip?: string;
  userAgent?: string;
  before?: string;
}

/** `docent analytics delete`: a visitor, or all days before a date. An exact repeat does not ask again. */
export async function remove(storage: Storage, options: Options): Promise<void> {
  if (options.before === undefined) await removeVisitor(storage, options);
  else await removeBefore(storage, options.before, options);
}

async function removeBefore(storage: Storage, before: string, options: Options): Promise<void> {
  const { project, json } = options;
  const { countBefore, dropBefore } = await import('../../analytics/maintenance/erase.ts');
  const { dateText, dayOf } = await import('../../analytics/events/days.ts');
  const instant = /^\d{4}-\d\d-\d\d$/.test(before) ? parseInstant(before, Math.ceil) : null;
  if (instant === null) throw new CliFailure('--before requires a date, such as 2026-11-21.', EXIT.usage);
  const day = dayOf(instant);
  if (!options.yes) {
    const { days, events, firstDay } = await countBefore(storage, project, day);
    const much =
      firstDay === null
        ? `${project} has no events before ${before}. Those days are closed for good: logs imported later do not count there.`
        : `This deletes ${number(events)} ${events === 1 ? 'event' : 'events'} of ${number(days)} ${days === 1 ? 'day' : 'days'} of ${project}, from ${dateText(firstDay)} until ${before} (exclusive). This cannot be undone.`;
    await confirm(much, options);
    options.yes = true;
  }
  const done = mine(await dropBefore(storage, project, day));
  print(json, done, () => `Deleted all days before ${before}: ${done.files} files removed or rewritten.`);
}

async function removeVisitor(storage: Storage, options: Options): Promise<void> {
  const { project, json, visitor, ip, userAgent } = options;
  const { ERASED_KEPT_DAYS } = await import('../../store/analytics/erased.ts');
  const { eraseVisitor } = await import('../../analytics/maintenance/erase.ts');
  const { awaitSealed } = await import('../../analytics/ingest/await-sealed.ts');
  const { filesBelow } = await import('../../analytics/storage/files-below.ts');
  const { clientSource } = await import('../../analytics/events/visitor.ts');
  if (visitor === undefined && (ip === undefined || userAgent === undefined)) {
    throw new CliFailure('Specify what to delete: --visitor ID, --ip with --user-agent, or --before DATE.', EXIT.usage);
  }
  const source = visitor === undefined ? clientSource(ip ?? '', userAgent ?? '') : { visitorId: visitor };
  if (!source) throw new CliFailure('--ip requires an IP address.', EXIT.usage);
  const who =
    visitor === undefined
      ? `the visitor with the address ${ip} and the user agent ${userAgent}`
      : `the visitor ${visitor}`;
  await confirm(`This deletes all events of ${who} from ${project}. This cannot be undone.`, options);
  options.yes = true;
  const isSealed = await awaitSealed(storage);
  const done = mine(await eraseVisitor(storage, project, source));
  const setAside = await filesBelow(storage.folder.setAsideFolder);
  print(json, { ...done, setAside }, () =>
    [
      `${done.events} events of this visitor deleted.`,
      `Logs imported within ${ERASED_KEPT_DAYS} days do not bring them back. Remove the visitor's lines from logs that you keep longer.`,
      ...(setAside.length === 0
        ? []
        : [
            `Files that were set aside may still contain some. Delete ${storage.folder.setAsideFolder} if you do not need it.`,
          ]),
    ].join('\n'),
  );
  if (!isSealed) {
    throw new CliFailure(
      'Events of the last few minutes are in a log that cannot be sealed right now. Run the command again later.',
    );
  }
}

const number = (value: number) => value.toLocaleString('en');
