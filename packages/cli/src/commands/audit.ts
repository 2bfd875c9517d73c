import type { components, operations } from '@docent/client';
import { Command } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, tableOr } from '@docent/base/terminal/terminal-text';
import { wholeNumber } from '../parsing.ts';
import { serverOf, withServer } from '../server.ts';

type Entry = components['schemas']['AuditEntry'];
type Query = NonNullable<operations['listAuditLog']['parameters']['query']>;

interface ListOptions extends Pick<Query, 'actor' | 'operation' | 'from' | 'to'> {
  project?: string;
  limit: number;
  json?: boolean;
}

/** `docent audit …` */
export function auditCommand(): Command {
  const audit = new Command('audit').description('show who changed what, and when (requires the operator token)');
  withServer(audit.command('list'))
    .description('list changes, newest first')
    .option('--project <id>', 'only changes in this project')
    .option('--actor <id>', 'only changes by this key, token or person, or by operator, anonymous or maintenance')
    .option('--operation <name>', 'only this operation, such as deleteProject')
    .option('--from <time>', 'only changes at or after this time: 2026-11-21, 2026-11-21T08:30Z')
    .option('--to <time>', 'only changes before this time')
    .option('--limit <number>', 'maximum number of entries to list', wholeNumber(1, 100_000), 20)
    .addHelpText(
      'after',
      `
Examples:
  $ docent audit list --project handbook --from 2026-11-01
  $ docent audit list --operation createKey --limit 100 --json`,
    )
    .action(list);
  return audit;
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const { actor, operation, from, to, limit } = options;
  const filters = { projectId: options.project, actor, operation, from, to };
  const entries = await allPages(async (page) => {
    const params = { query: { ...filters, ...page } };
    const { entries: items, nextCursor: next } = await answerOf(url, client.GET('/v1/audit', { params }));
    return { items, next };
  }, limit);
  print(options.json, entries, () =>
    tableOr(
      Object.values(filters).some((value) => value !== undefined)
        ? 'No matching entries. Remove a filter to see more.'
        : 'No changes yet.',
      ['AT', 'WHO', 'OPERATION', 'PROJECT', 'ANSWER', 'ADDRESS', 'WHAT'],
      entries.map((entry) => [
        inUtc(entry.at, 'second'),
        entry.actor.name ?? entry.actor.kind,
        entry.operation,
        entry.projectId ?? '–',
        answerText(entry),
        entry.address ?? '–',
        [...Object.values(entry.target), ...(entry.createdId ? [`→ ${entry.createdId}`] : [])].join(' ') || '–',
      ]),
    ),
  );
}

function answerText({ status, code, replayed }: Entry): string {
  if (status === null) return 'unknown';
  if (replayed) return `${status} replayed`;
  return code === null ? String(status) : `${status} ${code}`;
}
