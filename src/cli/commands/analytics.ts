import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { analyticsAnnotationsCommand } from '@docent/cli/commands/analytics-annotations';
import { recover, verify } from './analytics-checks.ts';
import { remove } from './analytics-delete.ts';
import { exportEvents } from './analytics-export.ts';
import { importFiles } from './analytics-import.ts';
import { moveEvents } from './analytics-move.ts';
import { analyticsShareCommand } from '@docent/cli/commands/analytics-share';
import { analyticsShowCommand } from '@docent/cli/commands/analytics-show';
import { analyticsFeedbackCommands } from '@docent/cli/commands/analytics-feedback';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, print, safe, table } from '@docent/base/terminal/terminal-text';
import type { Storage } from './storage.ts';
import { mine, withHome, withStorage } from './storage-options.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { targetOf, withProject } from '@docent/cli/server';

/** `docent analytics live`: through the API, as `show`. */
function analyticsLiveCommand(): Command {
  return withProject(new Command('live'))
    .description('show current readers: the last five minutes, by page and AI agent (through the API)')
    .action(live);
}

async function live({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId } };
  const found = await answerOf(server.url, server.client.GET('/v1/analytics/{projectId}/live', { params }));
  const { visitors, views, pages, agents } = found;
  const rowOf = (name: string, counts: typeof visitors) => [name, counts.human, counts.ai, counts.total].map(String);
  print(json, found, () =>
    [
      table(['LAST 5 MINUTES', 'HUMAN', 'AI', 'TOTAL'], [rowOf('visitors', visitors), rowOf('views', views)]),
      ...(pages.length > 0
        ? [
            table(
              ['PAGE', 'HUMAN', 'AI', 'VISITORS'],
              pages.map((page) => rowOf(page.path, page.visitors)),
            ),
          ]
        : []),
      ...(agents.length > 0
        ? [
            table(
              ['AGENT', 'VIEWS'],
              agents.map((agent) => [agent.agent, String(agent.views)]),
            ),
          ]
        : []),
    ].join('\n\n'),
  );
}

interface Options {
  project: string;
  json?: boolean;
  yes?: boolean;
  forgetDamage?: boolean;
  alias?: string[];
  aliasesFrom?: string;
}

/** `docent analytics …`: commands on the files of page views themselves. */
export function analyticsCommand(): Command {
  const analytics = new Command('analytics').description('show, import, verify, rebuild, export and delete page views');
  analytics.addCommand(analyticsShowCommand());
  analytics.addCommand(analyticsLiveCommand());
  analytics.addCommand(analyticsAnnotationsCommand());
  analytics.addCommand(analyticsShareCommand());
  for (const command of analyticsFeedbackCommands()) analytics.addCommand(command);
  withStorage(analytics.command('import <files...>'))
    .description('import page views from access logs ("-" is standard input); repeated lines are counted once')
    .option('--follow', 'keep importing as the logs grow, until Ctrl-C')
    .option(
      '--format <format>',
      'log format: a name (combined, common, vhost_combined, combined_forwarded, traefik, haproxy), or ' +
        'the value of nginx’s log_format or Apache’s LogFormat. Default: detected from the content',
    )
    .option(
      '--trusted-proxies <addresses>',
      'comma-separated addresses or CIDR ranges of proxies whose X-Forwarded-For header is trusted. Default: DOCENT_TRUSTED_PROXIES',
    )
    .action(importFiles);
  withStorage(analytics.command('verify'))
    .description('read every file, and compare the reported numbers with a full count of all events')
    .option('--forget-damage', 'clear the listed damaged files after you have dealt with them')
    .action(run(verify));
  withStorage(analytics.command('rebuild'))
    .description('classify visitors again and recompute all counts')
    .option('--alias <old=new>', 'a page that moved; can be repeated', (value: string, all: string[] = []) => [
      ...all,
      value,
    ])
    .option(
      '--aliases-from <source>',
      'follow the redirects of a docs.json or mint.json: a file, its folder, or `project` for the project’s repository',
    )
    .action(run(rebuild));
  withStorage(analytics.command('recover'))
    .description('add page-view files that the database lost, for example after a restore')
    .action(run(recover));
  withHome(analytics.command('accept-folder'))
    .description('use this folder for the installation, if the previous one was lost or restored from a backup')
    .option(...YES)
    .action(acceptFolder);
  withHome(analytics.command('move'))
    .description('move page-view files from their folder to a bucket; then set DOCENT_ANALYTICS_STORAGE to it')
    .requiredOption('--to <bucket>', 's3://bucket/prefix')
    .action(moveEvents);
  withStorage(analytics.command('compact')).description('merge and compact page-view files now').action(run(compact));
  withStorage(analytics.command('export'))
    .description('write all events as Parquet: one file, or a folder or bucket that later exports update')
    .option('--output <file>', 'file to write')
    .option('--to <place>', 'folder or s3://bucket/prefix, with a manifest.json; only new events are written')
    .action(run(exportEvents));
  withStorage(analytics.command('delete'))
    .description('delete a visitor, or all days before a date')
    .option('--visitor <id>', 'the visitor with this visitorId')
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

/** All commands may be repeated. The second check for missing files must be made by this process. */
async function patiently(storage: Storage, work: () => Promise<void>): Promise<void> {
  const { mayStillShow } = await import('../../analytics/maintenance/lost-files.ts');
  for (;;) {
    try {
      return await work();
    } catch (err) {
      if (!mayStillShow(err)) throw err;
      process.stderr.write(`${safe(err.message)}\n`);
      await sleep(storage.folder.patienceMs);
    }
  }
}

async function rebuild(storage: Storage, options: Options): Promise<void> {
  const { project, json, alias = [], aliasesFrom } = options;
  const { rebuildProject } = await import('../../analytics/maintenance/rebuild.ts');
  const { classify } = await import('@docent/access-log/agents/classify');
  const { normalizePath } = await import('@docent/access-log/pages/normalize-path');
  const { followMoves } = await import('../../analytics/counts/page-moves.ts');
  const { redirectsFrom } = await import('./page-redirects.ts');
  const { findProject } = await import('../../store/projects/projects.ts');
  const given = new Map(
    alias.map((text) => {
      const [from = '', to = ''] = text.split('=').map((page) => normalizePath(page)?.path);
      if (!from || !to) throw new CliFailure(`--alias requires OLD=NEW, two paths. You passed "${text}".`, EXIT.usage);
      return [from, to] as const;
    }),
  );
  const row = aliasesFrom === undefined ? null : await findProject(storage.database.db, project);
  const redirects = row && (await redirectsFrom(aliasesFrom ?? '', row));
  const circles = new Set<string>();
  const moves = followMoves(
    (page) => given.get(page) ?? redirects?.(page) ?? null,
    (sentence) => circles.add(sentence),
  );
  // Options are checked before anything is done.
  for (const page of given.keys()) moves(page);
  if (circles.size > 0) throw new CliFailure(`Nothing was changed. ${safe([...circles].join(' '))}`, EXIT.usage);
  const done = mine(await rebuildProject(storage, project, { rules: { classify }, moves }));
  print(json, { ...done, circles: [...circles] }, () =>
    [
      `${done.events} events recounted, ${done.reclassified} of them reclassified or moved.`,
      ...[...circles].slice(0, 20).map((circle) => `Not moved: ${safe(circle)}`),
    ].join('\n'),
  );
}

async function acceptFolder(options: Options, command: Command): Promise<void> {
  const { acceptFolder: accept } = await import('../../analytics/storage/folder-identity.ts');
  const { findStorage } = await import('./storage.ts');
  const { database, root } = findStorage(command);
  try {
    const what = `${root} replaces the current analytics folder of the installation. Events that are only in the current folder are no longer counted.`;
    await confirm(what, options);
    const { folder } = await accept(database, root);
    print(options.json, { folder, path: root }, () =>
      [
        `${root} is now the analytics folder of this installation (${folder}). Processes that use another folder stop using it.`,
        'Now run `docent analytics recover` for each project to reconcile files and database.',
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
