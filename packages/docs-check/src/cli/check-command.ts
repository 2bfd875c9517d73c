import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import type { Problem } from '../checks/problem.ts';
import type { CheckOptions, CheckOutcome } from './run-check.ts';
import type { Format } from './write-report.ts';
import { terminalProgress } from '@docent/base/terminal/terminal-progress';
import { mayAsk } from '@docent/base/terminal/ask';
import { YES } from '@docent/base/terminal/confirm';
import { askWhichSite } from './ask-site.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';

interface Options {
  json?: boolean;
  format?: Format;
  output?: string;
  changedSince?: string;
  site?: string;
  stdinPath?: string;
  notices?: boolean;
  all?: boolean;
  strict?: boolean;
  cache?: string;
  stats?: boolean;
  external?: boolean;
  suppressed?: boolean;
  baseline: boolean;
  updateBaseline?: boolean;
  watch?: boolean;
  linters?: boolean;
  fix?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** Below this, progress needs no report. */
const QUIET_MS = 1_000;

/** `docent check [paths]`: needs no server, no database and no settings. */
export function checkCommand(): Command {
  return new Command('check')
    .description('check docs for broken links, anchors, images, navigation and syntax, as jobs do before publishing')
    .argument(
      '[paths...]',
      'folder of the docs or the repository; with files or globs, only their problems are reported',
      [],
    )
    .addOption(
      new Option('--format <format>', 'output format; github: annotations (default in GitHub Actions)').choices([
        'human',
        'json',
        'github',
        'sarif',
        'junit',
        'html',
      ]),
    )
    .option('--json', 'same as --format json')
    .option('--output <file>', 'write the report to a file, and print a summary')
    .option(
      '--site <path>',
      'site configuration or its folder, if there are several; `plain`: no site, files as shown on a code host',
    )
    .option('--changed-since <ref>', 'report only problems that are new since this branch or commit')
    .option('--stdin-path <file>', 'read the text of this page from standard input, and report its problems')
    .option('--external', 'also check external links; with --cache, results are kept for a day')
    .option('--no-external', 'do not check external links, even if .docent.json enables it')
    .option('--notices', 'also show notices')
    .option('--all', 'show every location of grouped problems')
    .option('--suppressed', 'with --format sarif: include ignored and known problems, marked as suppressed')
    .option('--strict', 'also fail on warnings')
    .option('--no-baseline', 'include the known problems of the baseline')
    .option('--update-baseline', 'save the current errors and warnings as the baseline')
    .option('--fix', 'fix links that have one clear correction, after asking')
    .option('--dry-run', 'with --fix: only show the corrections')
    .option(...YES)
    .option(
      '--linters',
      'run Vale and markdownlint if the repository configures them (this can run code of the repository)',
    )
    .option('--watch', 'check again whenever a file changes, until Ctrl-C')
    .option('--cache <file>', 'cache parsed pages in a file, so that unchanged pages are not read again')
    .option('--stats', 'print time and memory usage')
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors, 2 the check could not run')
    .action(check);
}

async function check(words: string[], options: Options): Promise<void> {
  const start = performance.now();
  mustFit(words, options);
  // The parsers are only loaded where they are used.
  const { runCheckInThreads } = await import('./run-check.ts');
  const { chosenIn } = await import('./chosen-files.ts');
  const { folder, ...chosen } = chosenIn(words, options.stdinPath);
  if (options.updateBaseline && chosen.files.length + chosen.globs.length > 0) throw new CliFailure(WHOLE, EXIT.usage);
  const progress = terminalProgress(process.stderr);
  const asked: CheckOptions = {
    folder,
    chosen,
    baseline: options.baseline && !options.updateBaseline,
    onProgress(done, all) {
      const isNews = done % 10 === 0 && performance.now() - start > QUIET_MS;
      if (isNews) progress.update(`Reading page ${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`);
    },
    ...(options.changedSince !== undefined && { changedSince: options.changedSince }),
    ...(options.stdinPath !== undefined && { stdin: { path: options.stdinPath, text: await text(process.stdin) } }),
    ...(options.watch && options.site !== undefined && { site: options.site }),
    ...(options.linters && {
      linters: { searchPath: process.env['PATH'] ?? '', onProgress: (news) => progress.update(news) },
    }),
    ...(options.cache !== undefined && { cacheFile: path.resolve(options.cache) }),
    ...(mayAskOutside(options) && {
      external: {
        always: options.external === true,
        privateHosts: await privateHosts(),
        onProgress: (done, all) =>
          progress.update(`Checking external link ${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`),
      },
    }),
  };
  if (options.watch) {
    const { watchInTerminal } = await import('./watch-command.ts');
    await watchInTerminal(asked, options);
    return;
  }
  let site = options.site;
  const checkWith = (one: string | undefined) => {
    site = one;
    return runCheckInThreads({ ...asked, ...(one !== undefined && { site: one }) });
  };
  let outcome = await orAsked(checkWith, options);
  progress.done();
  if (options.updateBaseline) {
    const { updateBaseline } = await import('./update-baseline.ts');
    process.stdout.write(`${updateBaseline(outcome)}\n`);
    return;
  }
  if (options.fix) {
    const { fixInTerminal } = await import('./fix-command.ts');
    const quiet = formatOf(options) !== 'human' && options.output === undefined;
    if (await fixInTerminal(outcome, { ...options, quiet })) outcome = await checkWith(site);
    progress.done();
  }
  await report(outcome, options, start);
}

/** While a person types, no server is contacted, unless requested. */
function mayAskOutside({ external, watch, stdinPath }: Options): boolean {
  return external ?? (!watch && stdinPath === undefined);
}

/**
 * From the environment, never from the repository: the docs' authors must not reach what this machine
 * reaches.
 */
async function privateHosts(): Promise<readonly string[]> {
  const said = process.env['DOCENT_PRIVATE_HOSTS'];
  if (!said) return [];
  const { PRIVATE_HOSTS_RULE, readPrivateHost } = await import('@docent/base/net/private-hosts');
  const hosts = said
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (hosts.some((entry) => readPrivateHost(entry) === null)) {
    throw new CliFailure(`DOCENT_PRIVATE_HOSTS ${PRIVATE_HOSTS_RULE}.`, EXIT.usage);
  }
  return hosts;
}

async function report(outcome: CheckOutcome, options: Options, start: number): Promise<void> {
  const { writeReport } = await import('./write-report.ts');
  const { shownOf } = await import('./many-places.ts');
  const fails = ({ severity }: Problem) => severity === 'error' || (options.strict === true && severity === 'warning');
  const { user, system } = process.cpuUsage();
  const stats = {
    seconds: (performance.now() - start) / 1_000,
    processorSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  };
  writeReport({
    format: formatOf(options),
    outcome,
    shown: shownOf(outcome.problems, options.notices ?? false),
    fails,
    all: options.all ?? false,
    stats: options.stats ? stats : null,
    suppressed: options.suppressed ?? false,
    ...(options.output !== undefined && { output: path.resolve(options.output) }),
  });
  if (outcome.problems.some(fails)) process.exitCode = EXIT.failed;
}

const WHOLE = '--update-baseline needs all problems of the site. Remove the options that limit them.';

/** @throws CliFailure if options do not go together */
function mustFit(words: readonly string[], options: Options): void {
  const partial = options.changedSince !== undefined || options.stdinPath !== undefined;
  if (options.updateBaseline && partial) throw new CliFailure(WHOLE, EXIT.usage);
  if (options.suppressed && formatOf(options) !== 'sarif')
    throw new CliFailure('--suppressed requires --format sarif.', EXIT.usage);
  if (options.dryRun && !options.fix) throw new CliFailure('--dry-run requires --fix.', EXIT.usage);
  if (options.fix && (options.watch || options.stdinPath !== undefined || options.updateBaseline))
    throw new CliFailure('--fix cannot be combined with --watch, --stdin-path or --update-baseline.', EXIT.usage);
  const isForPrograms = formatOf(options) !== 'human' || options.output !== undefined;
  if (options.watch && (isForPrograms || options.stdinPath !== undefined || options.updateBaseline))
    throw new CliFailure(
      '--watch prints to the terminal. It cannot be combined with --format, --output, --stdin-path or --update-baseline.',
      EXIT.usage,
    );
  if (options.linters && (options.watch || options.stdinPath !== undefined))
    throw new CliFailure('--linters cannot be combined with --watch or --stdin-path.', EXIT.usage);
  if (options.watch && options.external)
    throw new CliFailure('--watch cannot be combined with --external.', EXIT.usage);
  if (options.stdinPath !== undefined && words.length > 1)
    throw new CliFailure('--stdin-path cannot be combined with other files.', EXIT.usage);
}

/** If several sites are possible, asks the user of a terminal; a program gets an error with the option. */
async function orAsked(checkWith: (site?: string) => Promise<CheckOutcome>, options: Options): Promise<CheckOutcome> {
  const { SeveralSites } = await import('./run-check.ts');
  try {
    return await checkWith(options.site);
  } catch (err) {
    if (!(err instanceof SeveralSites) || !mayAsk(formatOf(options) === 'human')) throw err;
    return checkWith(await askWhichSite(err.candidates.map((candidate) => candidate.path)));
  }
}

function formatOf({ json, format, output }: Options): Format {
  const inActions = process.env['GITHUB_ACTIONS'] === 'true' && output === undefined;
  return json ? 'json' : (format ?? (inActions ? 'github' : 'human'));
}
