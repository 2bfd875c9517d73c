import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'commander';
import type { Problem } from '../../../docs-site/checks/problem.ts';
import type { CheckOutcome } from '../check/run-check.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { mayAsk } from '../ask.ts';
import { askWhichSite } from './ask-site.ts';
import { CliFailure, EXIT } from '../../failures.ts';

interface Options {
  json?: boolean;
  format?: 'human' | 'json' | 'github';
  changedSince?: string;
  site?: string;
  notices?: boolean;
  all?: boolean;
  strict?: boolean;
  cache?: string;
  stats?: boolean;
}

/** Below this, nobody waits for news. */
const QUIET_MS = 1_000;

/** `docent check [path]`: needs no server, no database and no settings. */
export function checkCommand(): Command {
  return new Command('check')
    .description('Check the docs in a folder, as before a job publishes: links, anchors, images, navigation, syntax')
    .argument('[path]', 'folder of the docs, or of the repository', '.')
    .addOption(
      new Option('--format <format>', 'what to print; github: annotations (default in GitHub Actions)').choices([
        'human',
        'json',
        'github',
      ]),
    )
    .option('--json', 'the same as --format json')
    .option(
      '--site <path>',
      'configuration of the site, or its folder, where several could be meant; `plain`: no site, files as code hosts show them',
    )
    .option('--changed-since <ref>', 'only problems that are new since this branch or commit')
    .option('--notices', 'show notices too')
    .option('--all', 'show each place where one cause has put problems in many places')
    .option('--strict', 'fail for warnings too')
    .option('--cache <file>', 'keep what is read of pages in a file: pages that did not change are not read again')
    .option('--stats', 'print how long it took and how much memory')
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors, 2 the command cannot be carried out')
    .action(check);
}

async function check(folder: string, options: Options): Promise<void> {
  const start = performance.now();
  const absolute = path.resolve(folder);
  if (!existsSync(absolute) || !statSync(absolute).isDirectory()) {
    throw new CliFailure(`There is no folder ${JSON.stringify(folder)}.`, EXIT.usage);
  }
  // The parsers are only loaded where they are used.
  const { runCheckInThreads } = await import('../check/run-check.ts');
  const progress = terminalProgress(process.stderr);
  const checkWith = (site: string | undefined) =>
    runCheckInThreads({
      folder: absolute,
      ...(site !== undefined && { site }),
      onProgress(done, all) {
        const isNews = done % 10 === 0 && performance.now() - start > QUIET_MS;
        if (isNews) progress.update(`Reading page ${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`);
      },
      ...(options.changedSince !== undefined && { changedSince: options.changedSince }),
      ...(options.cache !== undefined && { cacheFile: path.resolve(options.cache) }),
    });
  const outcome = await orAsked(checkWith, options);
  progress.done();
  const { problems } = outcome;
  const { shownOf } = await import('../check/many-places.ts');
  const shown = shownOf(problems, options.notices ?? false);
  const { user, system } = process.cpuUsage();
  const stats = {
    seconds: (performance.now() - start) / 1_000,
    processorSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  };
  await print(options, outcome, shown, stats);
  if (problems.some((problem) => fails(problem, options.strict ?? false))) process.exitCode = EXIT.failed;
}

/** Where several sites could be meant, somebody at a terminal is asked; a program is told what to say. */
async function orAsked(checkWith: (site?: string) => Promise<CheckOutcome>, options: Options): Promise<CheckOutcome> {
  const { SeveralSites } = await import('../check/run-check.ts');
  try {
    return await checkWith(options.site);
  } catch (err) {
    if (!(err instanceof SeveralSites) || !mayAsk(formatOf(options) === 'human')) throw err;
    return checkWith(await askWhichSite(err.candidates.map((candidate) => candidate.path)));
  }
}

function formatOf({ json, format }: Options): 'human' | 'json' | 'github' {
  const inActions = process.env['GITHUB_ACTIONS'] === 'true';
  return json ? 'json' : (format ?? (inActions ? 'github' : 'human'));
}

function fails({ severity }: Problem, strict: boolean): boolean {
  return severity === 'error' || (strict && severity === 'warning');
}

async function print(
  options: Options,
  outcome: CheckOutcome,
  shown: readonly Problem[],
  stats: { seconds: number; processorSeconds: number; peakMegabytes: number },
): Promise<void> {
  const format = formatOf(options);
  if (format === 'json') {
    const { site, pages, base } = outcome;
    const { causeOf } = await import('../../../docs-site/checks/causes.ts');
    const { parted } = await import('../check/many-places.ts');
    const listed = shown.map((problem) => ({ ...problem, cause: causeOf(problem) }));
    const whole = { site, pages, base, problems: listed, causes: parted(shown).many, ...(options.stats && { stats }) };
    process.stdout.write(`${JSON.stringify(whole, null, 2)}\n`);
    return;
  }
  const { problemsInWords, summaryOf } = await import('../check/check-report.ts');
  const { githubAnnotations } = await import('../check/github-annotations.ts');
  const all = options.all ?? false;
  const words = format === 'github' ? githubAnnotations(shown, all) : problemsInWords(shown, all);
  const gap = words === '' ? '' : '\n';
  process.stdout.write(`${words}${gap}${summaryOf(outcome, shown)}\n`);
  if (!options.stats) return;
  const { seconds, processorSeconds, peakMegabytes } = stats;
  process.stdout.write(
    `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of a processor, at most ${Math.round(peakMegabytes)} MB of memory.\n`,
  );
}
