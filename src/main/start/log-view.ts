import { styleText } from 'node:util';
import { prettyFactory } from 'pino-pretty';
import { z } from 'zod';
import { createLogger, type Logger } from '../../platform/log.ts';

/** The log of `docent start`: its own lines and those of its children, as people read them or as JSON. */
export interface LogView {
  /** A logger whose lines bear the role's name. */
  loggerFor(role: string): Logger;
  /** A line that a child has printed: JSON of our own log, or whatever a library let out. */
  line(role: string, text: string): void;
  /** Keeps lines back, while something else writes to the terminal. */
  hold(): void;
  release(): void;
}

/** A line of our own log, whoever of us wrote it. */
export const LogLine = z.looseObject({
  level: z.number(),
  msg: z.string().optional().catch(undefined),
  err: z.looseObject({ message: z.string().optional() }).optional().catch(undefined),
  caller: z.string().optional().catch(undefined),
});

type Colour = Parameters<typeof styleText>[0];

/** How levels look; the usual one needs no word. */
const LEVELS: Record<number, { word: string; colour: Colour }> = {
  10: { word: 'trace: ', colour: 'dim' },
  20: { word: 'debug: ', colour: 'dim' },
  40: { word: 'warning: ', colour: 'yellow' },
  50: { word: 'error: ', colour: 'red' },
  60: { word: 'fatal: ', colour: 'red' },
};

export function createLogView(
  out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  options: { level: string; json: boolean },
): LogView {
  const paint = (colour: Colour, text: string) =>
    out.isTTY ? styleText(colour, text, { validateStream: false }) : text;
  const pretty = prettyFactory({
    colorize: out.isTTY,
    ignore: 'role,time,level',
    singleLine: true,
    customColors: 'message:reset',
    messageFormat: (log, key) => {
      const { word, colour } = LEVELS[Number(log.level)] ?? { word: '', colour: 'reset' };
      const clock = new Date(String(log.time)).toTimeString().slice(0, 8);
      return `${paint('dim', clock)} ${paint('cyan', String(log.role).padEnd(8))} ${paint(colour, word + String(log[key]))}`;
    },
  });
  let held: string[] | null = null;
  const write = (json: string) => {
    const text = options.json ? `${json}\n` : (pretty(forPeople(json)) ?? '');
    if (held) held.push(text);
    else out.write(text);
  };
  return {
    loggerFor: (role) =>
      createLogger({ level: options.level, name: role }, { write: (line: string) => write(line.trimEnd()) }),
    line: (role, text) => {
      if (isLogLine(text)) write(text);
      else if (text.trim()) write(JSON.stringify({ level: 30, time: new Date().toISOString(), role, msg: text }));
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

/** A line in the form in which pino-pretty shows all of it, and no more of an error than people need. */
function forPeople(json: string): string {
  const { err, caller, ...line } = LogLine.parse(JSON.parse(json));
  // `caller` has a meaning of its own to pino-pretty.
  const shown = caller === undefined ? line : { ...line, by: caller };
  if (err === undefined) return JSON.stringify(shown);
  if (line.level >= 50) return JSON.stringify({ ...shown, err });
  return JSON.stringify({ ...shown, msg: `${line.msg ?? ''}: ${err.message}` });
}

function isLogLine(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    return LogLine.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
