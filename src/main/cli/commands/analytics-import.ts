import type { Command } from 'commander';
import type { LogBlock } from '../../../analytics/ingest/logs/log-lines.ts';
import type { ImportProgress } from '../../../analytics/ingest/log-import.ts';
import { CliFailure, EXIT } from '../../failures.ts';
import { print, safe } from '../../terminal-text.ts';
import { terminalProgress } from '../terminal-progress.ts';

interface Options {
  project: string;
  json?: boolean;
  follow?: boolean;
}

/** What a followed log brought counts after about so long. */
const FOLLOW_FLUSH_MS = 1_500;
/** A line that is rewritten more often cannot be read. */
const SHOW_EVERY_MS = 100;
/** Into a log file, not more often than this. */
const TELL_EVERY_MS = 15_000;

/** `docent analytics import` */
export async function importFiles(files: string[], options: Options, command: Command): Promise<void> {
  const { findLogSources, followLogs, readLogSource } = await import('../../../analytics/ingest/logs/log-lines.ts');
  const { importLogs, SKIPPED } = await import('../../../analytics/ingest/log-import.ts');
  const { openStorage } = await import('./storage.ts');
  const storage = await openStorage(command);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const progress = showImport(options.follow ?? false);
  try {
    const sources = await findLogSources(files);
    if (options.follow) {
      const names = sources.map((source) => (source === '-' ? 'standard input' : safe(source))).join(', ');
      process.stderr.write(
        `Following ${names}. Ctrl-C ends it; whenever it is started again, each line counts once.\n`,
      );
    }
    const blocks = options.follow
      ? followLogs(sources, { signal: stop.signal, stdin: process.stdin })
      : all(sources, stop.signal);
    const done = await importLogs(storage, options.project, blocks, {
      ...(options.follow ? { flushAfterMs: FOLLOW_FLUSH_MS } : {}),
      countsNew: true,
      onProgress: progress.show,
    });
    if (!done) throw new CliFailure(`There is no project ${options.project}.`, EXIT.usage);
    progress.end();
    const { lines, events, newEvents, uncounted } = done;
    const skipped = [...done.skipped].map(([reason, entry]) => ({ reason, why: SKIPPED[reason], ...entry }));
    print(options.json, { lines, events, new: uncounted === null ? newEvents : null, skipped }, () =>
      [
        outcome(done),
        ...skipped.map(({ why, count, examples }) => `  ${count} skipped: ${why} First: ${safe(examples.join(', '))}`),
      ].join('\n'),
    );
  } finally {
    progress.end();
    stop.abort();
    await storage.close();
  }

  async function* all(sources: readonly string[], signal: AbortSignal) {
    for (const source of sources) yield* readLogSource(source, { signal, stdin: process.stdin });
  }
}

/** What an import came to. The same lines count once: one that brought nothing says so, and is no failure. */
export function outcome({ lines, events, newEvents, uncounted }: ImportProgress): string {
  const read = `${number(lines)} ${lines === 1 ? 'line' : 'lines'} read`;
  if (events === 0) return `${read}: no page view and no broken link in ${lines === 1 ? 'it' : 'them'}.`;
  const taken = `${read}, ${number(events)} page views and broken links taken`;
  if (uncounted !== null) return `${taken}. How many of them are new could not be found out: ${safe(uncounted)}`;
  if (newEvents === 0) return `${read}: nothing new. All ${number(events)} page views and broken links were known.`;
  if (newEvents === events) return `${taken}.`;
  return `${taken}: ${number(newEvents)} new, ${number(events - newEvents)} known before.`;
}

/** Shows an import that goes on: on a terminal as it happens; elsewhere only of logs that are followed, now and then. */
function showImport(isFollowed: boolean) {
  const line = terminalProgress(process.stderr);
  const startedAt = performance.now();
  let shownAt = -Infinity;
  let linesTold = 0;
  return {
    show(progress: ImportProgress, block: LogBlock | null): void {
      const sinceShown = performance.now() - shownAt;
      if (process.stderr.isTTY) {
        if (block && sinceShown < SHOW_EVERY_MS) return;
        line.update(isFollowed ? followed(progress, block) : read(progress, block));
      } else {
        // At the first pause, and then where there is news.
        const isDue = shownAt === -Infinity ? block === null : sinceShown >= TELL_EVERY_MS;
        if (!isFollowed || !isDue || progress.lines === linesTold) return;
        process.stderr.write(`${followed(progress, block)}\n`);
        linesTold = progress.lines;
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
  { lines, events, newEvents, lastTime }: ImportProgress,
  block: Pick<LogBlock, 'source'> | null,
  now: number = Date.now(),
): string {
  const doing = block ? `reading ${safe(block.source)}` : 'waiting for lines';
  const age = lastTime === null ? '' : `, the newest ${ageWords(Math.max(0, now - lastTime))} old`;
  return `${doing}: ${number(lines)} lines, ${number(events)} events, ${number(newEvents)} new${age}`;
}

function ageWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3_600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

const number = (value: number) => value.toLocaleString('en');
