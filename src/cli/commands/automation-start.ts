import type { components } from '@docent/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { wholeNumber } from '@docent/cli/parsing';
import { CODE_EVENTS, READER_SIGNALS, type CodeEventName, type ReaderSignal } from '../../config/automation-values.ts';

type Change = components['schemas']['AutomationChange'];

/** What starts runs of an automation, and how many: options of `create`, `add` and `update`. */
export interface StartOptions {
  cron?: string;
  timezone?: string;
  jitter?: number;
  catchUp?: 'none' | 'one';
  onWebhook?: boolean;
  filter?: string;
  instructions?: string;
  onCode?: CodeEventName[];
  repositories?: string[];
  paths?: string[];
  branches?: string[];
  drafts?: boolean;
  onReaders?: ReaderSignal;
  threshold?: number;
  days?: number;
  maxRunsPerDay?: number;
  cooldown?: number;
  fold?: boolean;
}

export function withStartOptions(command: Command): Command {
  return command
    .option('--cron <fields>', 'start runs on a schedule: minute, hour, day of the month, month, day of the week')
    .option('--timezone <zone>', 'time zone of the schedule, such as Europe/Berlin (default: UTC)')
    .option('--jitter <minutes>', 'delay each run by up to this many minutes', wholeNumber(0, 59))
    .addOption(new Option('--catch-up <how>', 'how to handle missed runs (default: one)').choices(['none', 'one']))
    .addOption(new Option('--on-webhook', 'start runs on webhook deliveries to its address').conflicts('cron'))
    .addOption(
      new Option('--filter <jmespath>', 'only deliveries for which this expression is true').implies({
        onWebhook: true,
      }),
    )
    .option('--instructions <text>', 'text to append to the prompt, without variables')
    .addOption(
      new Option('--on-code <events>', `start runs when code changes: ${CODE_EVENTS.join(', ')}`)
        .argParser(codeEvents)
        .conflicts(['cron', 'onWebhook', 'onReaders']),
    )
    .option(
      '--repositories <names>',
      'sources to watch, or "." for the project’s own repository (default: all)',
      listed,
    )
    .option('--paths <globs>', 'only changes to these files', listed)
    .option('--branches <globs>', 'only these branches (default: the branch of the source)', listed)
    .option('--drafts', 'also start on draft pull requests')
    .addOption(
      new Option('--on-readers <signal>', 'start runs when many readers give this signal')
        .choices(READER_SIGNALS)
        .conflicts(['cron', 'onWebhook']),
    )
    .option('--threshold <visitors>', 'distinct visitors that start a run (default: 5)', wholeNumber(2, 1_000_000))
    .option('--days <number>', 'days to count visitors over (default: 7)', wholeNumber(1, 30))
    .option('--max-runs-per-day <number>', 'skip events after this many runs per day', wholeNumber(1, 1_000))
    .option('--cooldown <minutes>', 'skip events within this many minutes of a run’s start', wholeNumber(1, 43_200))
    .option('--no-fold', 'create a new job and pull request for each run');
}

/** Values between commas. */
function listed(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function codeEvents(text: string): CodeEventName[] {
  return listed(text).map((given) => {
    const known = CODE_EVENTS.find((name) => name === given);
    if (known) return known;
    throw new InvalidArgumentError(`Allowed choices are ${CODE_EVENTS.join(', ')}.`);
  });
}

/** The fields of the API that the options name. @throws CliFailure for options that need another one */
export function startOf(options: StartOptions, fold: boolean | undefined): Change {
  return {
    trigger: triggerOf(options),
    instructions: options.instructions,
    maxRunsPerDay: options.maxRunsPerDay,
    cooldownMinutes: options.cooldown,
    foldIntoOpenPullRequest: fold,
  };
}

/** Undefined if the options name none. */
function triggerOf(options: StartOptions): Change['trigger'] {
  const { cron, timezone, jitter, catchUp, onWebhook, filter, onCode, onReaders, threshold, days } = options;
  const { repositories, paths, branches, drafts } = options;
  if (cron === undefined && isAny(timezone, jitter, catchUp)) {
    throw new CliFailure('--timezone, --jitter and --catch-up require a schedule. Add --cron.', EXIT.usage);
  }
  if (onReaders === undefined && isAny(threshold, days)) {
    throw new CliFailure('--threshold and --days require a signal of readers. Add --on-readers.', EXIT.usage);
  }
  if (onCode === undefined && isAny(repositories, paths, branches, drafts)) {
    throw new CliFailure('--repositories, --paths, --branches and --drafts require --on-code.', EXIT.usage);
  }
  if (cron !== undefined) return { type: 'schedule', cron, timezone, jitterMinutes: jitter, catchUp };
  if (onWebhook) return { type: 'webhook', filter };
  if (onReaders) return { type: 'readers', signal: onReaders, threshold: threshold ?? 5, days: days ?? 7 };
  if (onCode === undefined) return undefined;
  return { type: 'code', events: onCode, repositories, paths, branches, ignoreDrafts: drafts ? false : undefined };
}

const isAny = (...options: unknown[]) => options.some((value) => value !== undefined);
