import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { recover, verify } from './analytics-checks.ts';
import { remove } from './analytics-delete.ts';
import { exportEvents } from './analytics-export.ts';
import { importFiles } from './analytics-import.ts';
import { analyticsLiveCommand } from './analytics-live.ts';
import { moveEvents } from './analytics-move.ts';
import { analyticsShowCommand } from './analytics-show.ts';
import { analyticsWordsCommands } from './analytics-words.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, safe } from '@docent/base/terminal/terminal-text';
import type { Storage } from './storage.ts';
import { mine, withHome, withStorage } from './storage-options.ts';

interface Options {
  project: string;
  json?: boolean;
  yes?: boolean;
  forgetDamage?: boolean;
  alias?: string[];
  aliasesFrom?: string;
}

/** `docent analytics …`: what works on the files of page views themselves. */
export function analyticsCommand(): Command {
  const analytics = new Command('analytics').description(
    'page views: show, import, check, rebuild, export and delete them',
  );
  analytics.addCommand(analyticsShowCommand());
  analytics.addCommand(analyticsLiveCommand());
  for (const command of analyticsWordsCommands()) analytics.addCommand(command);
  withStorage(analytics.command('import <files...>'))
    .description('count the page views of access logs; - is standard input; the same lines count once')
    .option('--follow', 'go on as the logs grow, until Ctrl-C')
    .option(
      '--format <format>',
      'how the lines are written: a name (combined, common, vhost_combined, combined_forwarded, traefik, haproxy), nginx’s log_format or Apache’s LogFormat. Default: recognized by content',
    )
    .option(
      '--trusted-proxies <addresses>',
      'addresses or CIDR ranges, with commas, of proxies whose X-Forwarded-For names the client. Default: DOCENT_TRUSTED_PROXIES',
    )
    .action(importFiles);
  withStorage(analytics.command('verify'))
    .description('read every file, and compare the answers with a brute-force count over all events')
    .option('--forget-damage', 'forget the damaged files that it lists: they have been seen to')
    .action(run(verify));
  withStorage(analytics.command('rebuild'))
    .description('classify visitors again and recompute all counts')
    .option('--alias <old=new>', 'a page that moved; may be repeated', (value: string, all: string[] = []) => [
      ...all,
      value,
    ])
    .option(
      '--aliases-from <source>',
      'count pages where the redirects of a docs.json or mint.json lead: a file, its folder, or `project` for the project’s repository',
    )
    .action(run(rebuild));
  withStorage(analytics.command('recover'))
    .description('find the files of page views again after the database was lost or restored')
    .action(run(recover));
  withHome(analytics.command('accept-folder'))
    .description(
      'make this folder the one of the installation: the one of before is lost, or was restored from a backup',
    )
    .option(...YES)
    .action(acceptFolder);
  withHome(analytics.command('move'))
    .description(
      'move the files of page views from their folder into a bucket, which DOCENT_ANALYTICS_STORAGE is to name',
    )
    .requiredOption('--to <bucket>', 's3://bucket/prefix')
    .action(moveEvents);
  withStorage(analytics.command('compact')).description('merge and compact the files now').action(run(compact));
  withStorage(analytics.command('export'))
    .description('write all events as Parquet: one file, or a folder or bucket that a later export brings up to date')
    .option('--output <file>', 'file to write')
    .option('--to <place>', 'folder, or s3://bucket/prefix, of files with a manifest.json; only what is new is written')
    .action(run(exportEvents));
  withStorage(analytics.command('delete'))
    .description('delete a visitor, or all days before a date')
    .option('--visitor <id>', 'the visitor whose events had this visitorId')
    .option('--ip <address>', 'the visitor with this address and --user-agent')
    .option('--user-agent <text>', 'see --ip')
    .option('--before <date>', 'all UTC days before this one')
    .option(...YES)
    .action(run(remove));
  return analytics;
}

function run(work: (storage: Storage, options: Options) => Promise<void>) {
  return async (options: Options, command: Command): Promise<void> => {
    const { openStorage } = await import('./storage.ts');
    const storage = await openStorage(command);
    try {
      await patiently(storage, () => work(storage, options));
    } finally {
      await storage.close();
    }
  };
}

/** All commands may be repeated, and the second look at what is missing has to be this process's own. */
async function patiently(storage: Storage, work: () => Promise<void>): Promise<void> {
  const { MayStillShow } = await import('../../analytics/maintenance/lost-files.ts');
  for (;;) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof MayStillShow)) throw err;
      process.stderr.write(`${safe(err.message)}\n`);
      await sleep(storage.folder.patienceMs);
    }
  }
}

async function rebuild(storage: Storage, options: Options): Promise<void> {
  const { project, json, alias = [], aliasesFrom } = options;
  const { rebuildProject } = await import('../../analytics/maintenance/rebuild.ts');
  const { classify } = await import('../../analytics/events/classify/classify.ts');
  const { normalisePath } = await import('../../analytics/events/normalise-path.ts');
  const { followMoves } = await import('../../analytics/counts/page-moves.ts');
  const { redirectsFrom } = await import('./page-redirects.ts');
  const { findProject } = await import('../../store/projects.ts');
  const given = new Map(
    alias.map((text) => {
      const [from = '', to = ''] = text.split('=').map((page) => normalisePath(page)?.path);
      if (!from || !to) throw new CliFailure(`--alias takes OLD=NEW, two paths, and it is "${text}".`, EXIT.usage);
      return [from, to] as const;
    }),
  );
  const row = aliasesFrom === undefined ? null : await findProject(storage.database.db, project);
  const redirects = row && (await redirectsFrom(aliasesFrom ?? '', row));
  const circles = new Set<string>();
  const moves = followMoves(
    (page) => given.get(page) ?? redirects?.(page) ?? null,
    ({ message }) => circles.add(message),
  );
  // What is said by hand is looked at before anything is done.
  for (const page of given.keys()) moves(page);
  if (circles.size > 0) throw new CliFailure(`Nothing was done. ${safe([...circles].join(' '))}`, EXIT.usage);
  const done = mine(await rebuildProject(storage, project, { rules: { classify }, moves }));
  print(json, { ...done, circles: [...circles] }, () =>
    [
      `${done.events} events counted again, ${done.reclassified} of them classified or moved.`,
      ...[...circles].slice(0, 20).map((circle) => `Left where they are: ${safe(circle)}`),
    ].join('\n'),
  );
}

async function acceptFolder(options: Options, command: Command): Promise<void> {
  const { acceptFolder: accept, FolderRefused } = await import('../../analytics/storage/folder-identity.ts');
  const { findStorage } = await import('./storage.ts');
  const { database, root } = findStorage(command);
  try {
    const what = `${root} becomes the analytics folder of the installation, instead of the one that it has now: what is only there counts no more.`;
    await confirm(what, options);
    const { folder } = await accept(database, root).catch((err: unknown) => {
      throw err instanceof FolderRefused ? new CliFailure(err.message) : err;
    });
    print(options.json, { folder, path: root }, () =>
      [
        `${root} is the analytics folder of this installation now (${folder}). Processes that have another one open stop using it.`,
        'Now run `docent analytics recover` for each project: it brings files and database together.',
      ].join('\n'),
    );
  } finally {
    await database.close();
  }
}

async function compact(storage: Storage, { project, json }: Options): Promise<void> {
  const { mergeProject } = await import('../../analytics/maintenance/merge.ts');
  const { compactProject } = await import('../../analytics/maintenance/compact.ts');
  const merged = mine(await mergeProject(storage, project));
  const compacted = mine(await compactProject(storage, project));
  print(json, { merged, compacted }, () =>
    fields({
      'Events merged': merged.events,
      'Files before': compacted.filesBefore,
      'Files after': compacted.filesAfter,
    }),
  );
}
