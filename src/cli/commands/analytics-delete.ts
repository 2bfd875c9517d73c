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

/** `docent analytics delete`: a visitor, or all days before a date. Repeated with the same options, it does not ask again. */
export async function remove(storage: Storage, options: Options): Promise<void> {
  if (options.before === undefined) await removeVisitor(storage, options);
  else await removeBefore(storage, options.before, options);
}

async function removeBefore(storage: Storage, before: string, options: Options): Promise<void> {
  const { project, json } = options;
  const { dropBefore } = await import('../../analytics/maintenance/erase.ts');
  const { countBefore } = await import('../../analytics/maintenance/count-before.ts');
  const { dateText, dayOf, parseInstant } = await import('../../analytics/events/days.ts');
  const instant = /^\d{4}-\d\d-\d\d$/.test(before) ? parseInstant(before, Math.ceil) : null;
  if (instant === null) throw new CliFailure('--before takes a date such as 2026-11-21.', EXIT.usage);
  const day = dayOf(instant);
  if (!options.yes) {
    const { days, events, firstDay } = await countBefore(storage, project, day);
    const much =
      firstDay === null
        ? `${project} has no events before ${before}: such days will never count, also where their logs are imported later.`
        : `This deletes ${number(events)} ${events === 1 ? 'event' : 'events'} of ${number(days)} ${days === 1 ? 'day' : 'days'} of ${project}, from ${dateText(firstDay)} to before ${before}, for good.`;
    await confirm(much, options);
    options.yes = true;
  }
  const done = mine(await dropBefore(storage, project, day));
  print(json, done, () => `All days before ${before} are gone; ${done.files} files were deleted or rewritten.`);
}

async function removeVisitor(storage: Storage, options: Options): Promise<void> {
  const { project, json, visitor, ip, userAgent } = options;
  const { eraseVisitor } = await import('../../analytics/maintenance/erase.ts');
  const { awaitSealed } = await import('../../analytics/ingest/await-sealed.ts');
  const { filesBelow } = await import('../../analytics/storage/files-below.ts');
  const { clientSource } = await import('../../analytics/events/visitor.ts');
  if (visitor === undefined && (ip === undefined || userAgent === undefined)) {
    throw new CliFailure('Say what to delete: --visitor ID, or --ip with --user-agent, or --before DATE.', EXIT.usage);
  }
  const source = visitor === undefined ? clientSource(ip ?? '', userAgent ?? '') : { visitorId: visitor };
  if (!source) throw new CliFailure('--ip takes an IP address.', EXIT.usage);
  const who = visitor === undefined ? `the visitor at ${ip} with ${userAgent}` : `the visitor ${visitor}`;
  await confirm(`This deletes all events of ${who} from ${project}, for good.`, options);
  options.yes = true;
  const isSealed = await awaitSealed(storage);
  const done = mine(await eraseVisitor(storage, project, source));
  const setAside = await filesBelow(storage.folder.setAsideFolder);
  print(json, { ...done, setAside }, () =>
    [
      `${done.events} events of this visitor were deleted.`,
      'An import of a log that still has the visitor’s lines would bring them back: remove them from the log first.',
      ...(setAside.length === 0
        ? []
        : [
            `Files that were set aside may hold some: delete ${storage.folder.setAsideFolder} if you need none of them.`,
          ]),
    ].join('\n'),
  );
  if (!isSealed) {
    throw new CliFailure(
      'Events of the last minutes are still in a log that cannot be sealed now. Delete again later.',
    );
  }
}

const number = (value: number) => value.toLocaleString('en');
