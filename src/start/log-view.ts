import { styleText } from 'node:util';
import { prettyFactory } from 'pino-pretty';
import { z } from 'zod';
import { createLogger, type Logger } from '../platform/log.ts';

/** The log of `docent start`: its own lines and those of its roles. A file gets all of it as JSON. */
export interface LogView {
  /** A logger for `docent start` itself, with the part's name in its lines. The terminal shows them. */
  loggerFor(part: string): Logger;
  /** A role's line: our JSON, or a library's text. The terminal shows warnings and worse. */
  line(role: string, text: string): void;
  /** Keeps lines from the terminal, while something else writes to it. */
  hold(): void;
  release(): void;
}

/** A line of our own log, from any role. */
export const LogLine = z.looseObject({
  level: z.number(),
  msg: z.string().optional().catch(undefined),
  err: z.looseObject({ message: z.string().optional() }).optional().catch(undefined),
  caller: z.string().optional().catch(undefined),
});

type Color = Parameters<typeof styleText>[0];

/** How levels look; the usual one needs no word. */
const LEVELS: Record<number, { word: string; color: Color }> = {
  10: { word: 'trace: ', color: 'dim' },
  20: { word: 'debug: ', color: 'dim' },
  40: { word: 'warning: ', color: 'yellow' },
  50: { word: 'error: ', color: 'red' },
  60: { word: 'fatal: ', color: 'red' },
};

const WARNING = 40;

/**
 * @param options.json the terminal takes JSON, all of it
 * @param options.verbose it shows all lines of roles
 * @param options.file takes every line, without its end
 */
export function createLogView(
  out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  options: { level: string; json: boolean; verbose: boolean; file: (line: string) => void },
): LogView {
  const isShown = (level: number) => options.json || options.verbose || level >= WARNING;
  const paint = (color: Color, text: string) => (out.isTTY ? styleText(color, text, { validateStream: false }) : text);
  const pretty = prettyFactory({
    colorize: out.isTTY,
    ignore: 'role,time,level',
    singleLine: true,
    customColors: 'message:reset',
    messageFormat: (log, key) => {
      const { word, color } = LEVELS[Number(log.level)] ?? { word: '', color: 'reset' };
      const clock = new Date(String(log.time)).toTimeString().slice(0, 8);
      return `${paint('dim', clock)} ${paint('cyan', String(log.role).padEnd(8))} ${paint(color, word + String(log[key]))}`;
    },
  });
  let held: string[] | null = null;
  const write = (json: string, toTerminal: boolean) => {
    options.file(json);
    if (!toTerminal) return;
    const text = options.json ? `${json}\n` : (pretty(forPeople(json)) ?? '');
    if (held) held.push(text);
    else out.write(text);
  };
  return {
    loggerFor: (part) =>
      createLogger({ level: options.level, name: part }, { write: (line: string) => write(line.trimEnd(), true) }),
    line: (role, text) => {
      const level = levelOf(text);
      if (level !== null) write(text, isShown(level));
      else if (text.trim()) {
        write(JSON.stringify({ level: 30, time: new Date().toISOString(), role, msg: text }), isShown(30));
      }
    },
    hold: () => {
      held ??= [];
    },
    release: () => {
      const lines = held ?? [];
      held = null;
      for (const text of lines) out.write(text);
    },
  };
}

/** A line that pino-pretty shows completely, with no more of an error than people need. */
function forPeople(json: string): string {
  const { err, caller, ...line } = LogLine.parse(JSON.parse(json));
  // pino-pretty uses `caller` itself.
  const shown = caller === undefined ? line : { ...line, by: caller };
  if (err === undefined) return JSON.stringify(shown);
  if (line.level >= 50) return JSON.stringify({ ...shown, err });
  return JSON.stringify({ ...shown, msg: `${line.msg ?? ''}: ${err.message}` });
}

/** The level of a line in our own log; null for other text. */
function levelOf(text: string): number | null {
  if (!text.startsWith('{')) return null;
  try {
    return LogLine.parse(JSON.parse(text)).level;
  } catch {
    return null;
  }
}
