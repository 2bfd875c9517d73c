import { COMBINED, quotedFields, readAccessLine, type QuotedLayout } from './access-line.ts';
import { readJsonLine } from './json-line.ts';
import { readKnownLayout, timeInFront } from './known-layouts.ts';
import type { LogFormat } from './log-format.ts';
import { looseFields, readLooseLine } from './loose-line.ts';
import { type NamedColumns, readColumnNames, readColumns } from './named-columns.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { readW3cFields, readW3cLine, type W3cFields } from './w3c-line.ts';
import { isIpAddress } from '@docent/base/net/ip-address';

/** Longer lines hold no page view that anyone made: servers bound a request's head at 8 to 32 KiB. */
export const MAX_LINE_BYTES = 65_536;
/** A line of JSON may contain another one, which may contain another one. */
const MAX_WRAPPED = 3;

const SPACE = 32;
const TAB = 9;
const BRACE = 123;
const HASH = 35;

/** The field layout of a text log, learned from its first lines. */
export interface LearnedLayout {
  quoted: QuotedLayout;
  /** Of lines with their fields in another order. */
  loose: QuotedLayout;
  /** Whether two kinds of lines have their user agents in different fields: a person must choose. */
  isUnclear: boolean;
}

// oxlint-disable-next-line no-control-regex -- the sign that colors begin with
const COLOR = /\u001B\[[\d;]{0,20}m/g;

/** Parses the lines of one log in order, each of which may have another format. Never throws. */
export class LineReader {
  readonly #format: LogFormat | null;
  #quoted = COMBINED;
  #loose = COMBINED;
  /** From the last line that named its columns. */
  #w3c: W3cFields | null = null;
  #columns: NamedColumns | null = null;

  /** @param format the operator's format for all lines; null: it is detected for each line */
  constructor(format: LogFormat | null = null) {
    this.#format = format;
  }

  use({ quoted, loose }: LearnedLayout): void {
    this.#quoted = quoted;
    this.#loose = loose;
  }

  /**
   * Reads the next line, from `start` to `end` (exclusive), without its line break.
   * @returns the reason as a text if there is no request in it
   */
  read(buffer: Buffer, start: number, end: number, depth = 0): LogRecord | LineProblem {
    if (end - start > MAX_LINE_BYTES) return 'too_long';
    let at = start;
    while (at < end && (buffer[at] === SPACE || buffer[at] === TAB)) at += 1;
    if (this.#format && depth === 0) return this.#format.read(buffer.toString('utf8', at, end));
    if (buffer[at] === BRACE) return this.#json(buffer.toString('utf8', at, end), depth);
    if (buffer[at] === HASH) {
      this.#w3c = readW3cFields(buffer.toString('utf8', at, end)) ?? this.#w3c;
      return 'comment';
    }
    if (this.#w3c) return readW3cLine(buffer.toString('utf8', at, end), this.#w3c);
    if (this.#columns) return readColumns(buffer.toString('utf8', at, end), this.#columns);
    const record = readAccessLine(buffer, at, end, this.#quoted);
    return typeof record === 'string' ? this.#rare(buffer.toString('utf8', at, end), record, depth) : record;
  }

  #json(text: string, depth: number, timeBefore?: string): LogRecord | LineProblem {
    const found = readJsonLine(text, timeBefore);
    if (typeof found === 'string' || !('wrapped' in found)) return found;
    if (depth >= MAX_WRAPPED) return 'not_a_request';
    const inner = Buffer.from(found.wrapped.trimEnd());
    const record = this.read(inner, 0, inner.length, depth + 1);
    // Servers also write other messages into the same stream.
    return record === 'not_a_log_line' ? 'not_a_request' : record;
  }

  /** @param problem why it is not a line of an access log */
  #rare(line: string, problem: LineProblem, depth: number): LogRecord | LineProblem {
    // Terminals' colors, as `docker compose logs` writes them.
    const plain = line.includes('\u001B') ? line.replace(COLOR, '') : line;
    if (plain !== line && depth < MAX_WRAPPED) {
      const bytes = Buffer.from(plain);
      return this.read(bytes, 0, bytes.length, depth + 1);
    }
    // JSON after a prefix, such as that of container runtimes or syslog.
    const [, before, json] = /^([^{"]{1,300}?[\s:])(\{".*\})$/s.exec(line) ?? [];
    if (json !== undefined) return this.#json(json, depth, timeInFront(before!));
    const known = readKnownLayout(line) ?? readLooseLine(line, this.#loose);
    if (known !== null) return known;
    this.#columns = depth === 0 ? readColumnNames(line) : null;
    return this.#columns ? 'comment' : problem;
  }
}

/** Parses one line without its context. */
export function readLogLine(buffer: Buffer, start: number, end: number): LogRecord | LineProblem {
  return new LineReader().read(buffer, start, end);
}

/**
 * Products as user agents name them: `Mozilla/5.0 (…)`, `curl/8.5`, but no address and no version of HTTP.
 */
const AGENT = /^(?!https?:|HTTP\/)(?:Mozilla|Opera|[A-Za-z][\w.+ -]{0,60})\/v?\d[\w.+-]*(?:[\s;(,]|$)/;

const count = (votes: number[], i: number) => (votes[i] = (votes[i] ?? 0) + 1);

/**
 * Learns from the first lines of a log which quoted fields are the user agent, the referrer and the addresses
 * of proxies. Without evidence, it is the combined format.
 * @param lines texts of lines
 */
export function learnLayout(lines: readonly { buffer: Buffer; start: number; end: number }[]): LearnedLayout {
  const usual: string[][] = [];
  const loose: string[][] = [];
  for (const { buffer, start, end } of lines) {
    if (typeof readAccessLine(buffer, start, end) !== 'string') usual.push(quotedFields(buffer, start, end));
    else loose.push(looseFieldsOf(buffer.toString('utf8', start, end)));
  }
  const [one, other] = [learnQuoted(usual), learnQuoted(loose)];
  return { quoted: one.quoted, loose: other.quoted, isUnclear: one.isUnclear || other.isUnclear };
}

function looseFieldsOf(line: string): string[] {
  const fields = looseFields(line);
  return fields.length > 0 && readKnownLayout(line) === null ? fields : [];
}

function learnQuoted(lines: readonly (readonly string[])[]): { quoted: QuotedLayout; isUnclear: boolean } {
  const agents: number[] = [];
  const proxies: number[] = [];
  const links: number[] = [];
  for (const fields of lines) {
    for (const [i, field] of fields.entries()) {
      if (AGENT.test(field)) count(agents, i);
      else if (field.split(/,\s*/).every((part) => isIpAddress(part))) count(proxies, i);
      else if (/^https?:\/\//.test(field)) count(links, i);
    }
  }
  const userAgent = best(agents) ?? COMBINED.userAgent;
  const referrer =
    userAgent === 1
      ? 0
      : (best(links.map((votes, i) => (i === userAgent ? 0 : votes))) ?? (userAgent === 0 ? 1 : userAgent - 1));
  const forwardedFor = best(proxies) ?? -1;
  const votes = agents.map((each) => each ?? 0).toSorted((a, b) => b - a);
  return {
    quoted: { referrer, userAgent, forwardedFor, last: Math.max(referrer, userAgent, forwardedFor) },
    isUnclear: (votes[1] ?? 0) * 10 > (votes[0] ?? 0),
  };
}

/** The place with the most votes, the first of several; null for none. */
function best(votes: readonly number[]): number | null {
  let found: number | null = null;
  for (const [i, each] of votes.entries()) if ((each ?? 0) > (found === null ? 0 : votes[found]!)) found = i;
  return found;
}
