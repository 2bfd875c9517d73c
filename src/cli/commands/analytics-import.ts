import type { Command } from 'commander';
import type { LogBlock } from '@docent/access-log/files/read-log';
import type { ImportProgress } from '../../analytics/ingest/log-import.ts';
import { withEllipsis } from '@docent/base/ellipsis';
import { plural } from '@docent/base/plural';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print, safe } from '@docent/base/terminal/terminal-text';
import { terminalProgress } from '@docent/base/terminal/terminal-progress';
import { untilStopped } from '@docent/base/terminal/until-stopped';
import type { Storage } from './storage.ts';

interface Options {
  project: string;
  json?: boolean;
  follow?: boolean;
  format?: string;
  trustedProxies?: string;
}

/** About how soon lines of a followed log count. */
const FOLLOW_FLUSH_MS = 1_500;
/** A line that is rewritten more often cannot be read. */
const SHOW_EVERY_MS = 100;
/** Characters of a request or a user agent in a sample. */
const MAX_SHOWN = 60;
/** The shortest interval of progress lines in a log file. */
const TELL_EVERY_MS = 15_000;

/** `docent analytics import` */
export async function importFiles(files: string[], options: Options, command: Command): Promise<void> {
  const { openStorage } = await import('./storage.ts');
  const readOptions = await readOptionsOf(options);
  const storage = await openStorage(command);
  try {
    await untilStopped((signal) => importInto(storage, files, { ...options, readOptions }, signal));
  } finally {
    await storage.close();
  }
}

async function importInto(
  storage: Storage,
  files: string[],
  { readOptions, ...options }: Options & { readOptions: Awaited<ReturnType<typeof readOptionsOf>> },
  signal: AbortSignal,
): Promise<void> {
  const { findLogSources, followLogs, readLogSource } = await import('@docent/access-log/files/read-log');
  const { importLogs, SKIPPED } = await import('../../analytics/ingest/log-import.ts');
  const progress = showImport(options.follow ?? false);
  try {
    const sources = await findLogSources(files);
    if (options.follow) {
      const names = sources.map((source) => (source === '-' ? 'standard input' : safe(source))).join(', ');
      process.stderr.write(
        `Following ${names}. Press Ctrl-C to stop. You can start again at any time: each line is counted once.\n`,
      );
    }
    const blocks = options.follow ? followLogs(sources, { signal, stdin: process.stdin }) : all(sources);
    const done = await importLogs(storage, options.project, blocks, {
      ...(options.follow ? { flushAfterMs: FOLLOW_FLUSH_MS } : {}),
      countsNew: true,
      ...readOptions,
      onProgress: progress.show,
    });
    if (!done) throw new CliFailure(`Project ${options.project} does not exist.`, EXIT.usage);
    progress.end();
    const { lines, events, newEvents, uncounted } = done;
    const skipped = [...done.skipped].map(([reason, entry]) => ({ reason, why: SKIPPED[reason], ...entry }));
    const clients = done.clients.distinct;
    const warning = done.clients.warning();
    const { samples } = done;
    const report = { lines, events, new: uncounted === null ? newEvents : null, clients, warning, samples, skipped };
    print(options.json, report, () =>
      [
        ...samples.flatMap(sampleLines),
        outcome(done),
        ...(clients > 0 ? [`  ${plural(clients, 'client')}.`] : []),
        ...skipped.map(({ why, count, examples }) => `  ${count} skipped: ${why} First: ${safe(examples.join(', '))}`),
      ].join('\n'),
    );
    if (warning !== null && !options.json) process.stderr.write(`Warning: ${safe(warning)}\n`);
    const comments = done.skipped.get('comment')?.count ?? 0;
    if (isMisunderstood(done.understood, lines - comments)) {
      throw new CliFailure(
        `${number(done.understood)} of ${number(lines - comments)} lines could be read. The others look ` +
          `like ${safe(done.looksLike ?? 'text')}. If this is an access log, specify its format with ` +
          '--format.',
        EXIT.failed,
      );
    }
  } finally {
    progress.end();
  }

  async function* all(sources: readonly string[]) {
    for (const source of sources) yield* readLogSource(source, { signal, stdin: process.stdin });
  }
}

/** An import that understood less than half of the lines has most likely read something else. */
function isMisunderstood(understood: number, lines: number): boolean {
  return lines > 0 && understood * 2 < lines;
}

/** The first requests of a source as they were read, so that a wrong layout is seen. */
function sampleLines({ source, records }: ImportProgress['samples'][number]): string[] {
  if (records.length === 0) return [`${safe(source)}: no request in its first lines.`];
  const lines = records.map(({ client, time, request, status, userAgent }) => {
    const agent = userAgent === null ? 'no field for the user agent' : userAgent === '' ? 'no user agent' : userAgent;
    return `  ${safe(client)}  ${time}  ${safe(withEllipsis(request, MAX_SHOWN))}  ${status}  ${safe(withEllipsis(agent, MAX_SHOWN))}`;
  });
  return [`${safe(source)} is read as: client, time, request, status, user agent`, ...lines];
}

/** @throws CliFailure for a format or an address that cannot be read */
async function readOptionsOf({ format, trustedProxies }: Options) {
  const { compileLogFormat } = await import('@docent/access-log/lines/log-format');
  const { readIpRange } = await import('@docent/base/net/ip-address');
  const compiled = format === undefined ? undefined : compileLogFormat(format);
  if (typeof compiled === 'string') throw new CliFailure(compiled, EXIT.usage);
  const { claimChecks } = await import('@docent/access-log/agents/check-claim');
  const { agentKeys, directoriesAt } = await import('@docent/access-log/agents/signatures');
  const { readEnvironment } = await import('../../roles/environment.ts');
  const { config } = readEnvironment(process.env);
  agentKeys.trust(directoriesAt(config.signatureAgents));
  const ranges = trustedProxies?.split(',').filter((text) => text.trim() !== '');
  return {
    ...(compiled && { format: compiled }),
    claims: claimChecks(config.agentLookups),
    trustedProxies: (ranges ?? config.trustedProxies).map((text) => {
      const range = readIpRange(text.trim());
      if (!range) throw new CliFailure(`${safe(text)} is not an IP address or a CIDR range.`, EXIT.usage);
      return range;
    }),
  };
}

/** An import's outcome. Repeated lines count once, so importing nothing new is not a failure. */
type Outcome = Pick<ImportProgress, 'lines' | 'events' | 'newEvents' | 'uncounted'>;

export function outcome({ lines, events, newEvents, uncounted }: Outcome): string {
  const read = `${number(lines)} ${lines === 1 ? 'line' : 'lines'} read`;
  if (events === 0) return `${read}: no page views or broken links found.`;
  const taken = `${read}, ${events === 1 ? '1 page view or broken link' : `${number(events)} page views and broken links`} imported`;
  if (uncounted !== null) return `${taken}. The number of new ones could not be determined: ${safe(uncounted)}`;
  if (newEvents === 0)
    return `${read}: nothing new. All ${number(events)} page views and broken links were imported before.`;
  if (newEvents === events) return `${taken}.`;
  return `${taken}: ${number(newEvents)} new, ${number(events - newEvents)} imported before.`;
}

/** Shows an import's progress: live on a terminal, else now and then for followed logs. */
function showImport(isFollowed: boolean) {
  const line = terminalProgress(process.stderr);
  const startedAt = performance.now();
  let shownAt = -Infinity;
  let reportedLines = 0;
  return {
    show(progress: ImportProgress, block: LogBlock | null): void {
      const sinceShown = performance.now() - shownAt;
      if (process.stderr.isTTY) {
        if (block && sinceShown < SHOW_EVERY_MS) return;
        line.update(isFollowed ? followed(progress, block) : read(progress, block));
      } else {
        // At the first pause, and then where there is news.
        const isDue = shownAt === -Infinity ? block === null : sinceShown >= TELL_EVERY_MS;
        if (!isFollowed || !isDue || progress.lines === reportedLines) return;
        process.stderr.write(`${followed(progress, block)}\n`);
        reportedLines = progress.lines;
      }
      shownAt = performance.now();
    },
    end: () => line.done(),
  };

  function read({ lines, events }: ImportProgress, block: LogBlock | null): string {
    const share = block?.bytesTotal ? `${Math.floor((block.bytesRead / block.bytesTotal) * 100)} % of ` : '';
    const where = block ? `${share}${safe(block.source)}  ` : '';
    const rate = Math.round(lines / ((performance.now() - startedAt) / 1_000));
    return `${where}${number(lines)} lines, ${number(events)} events, ${number(rate)} lines/s`;
  }
}

/** `reading access.log: 1,204 lines, 318 events, 12 new, the newest 2 s old` */
export function followed(
  { lines, events, newEvents, lastTime }: Pick<ImportProgress, 'lines' | 'events' | 'newEvents' | 'lastTime'>,
  block: Pick<LogBlock, 'source'> | null,
  now: number = Date.now(),
): string {
  const doing = block ? `reading ${safe(block.source)}` : 'waiting for lines';
  const age = lastTime === null ? '' : `, the newest ${ageText(Math.max(0, now - lastTime))} old`;
  return `${doing}: ${number(lines)} lines, ${number(events)} events, ${number(newEvents)} new${age}`;
}

function ageText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3_600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

const number = (value: number) => value.toLocaleString('en');
