import { recordOf } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';

/** The names of a W3C log's columns, as its last `#Fields:` line gives them. */
export type W3cFields = readonly string[];

/**
 * Reads `#Fields: date time c-ip …`: W3C Extended Log File Format (https://www.w3.org/TR/WD-logfile.html).
 * Null for anything else.
 */
export function readW3cFields(line: string): W3cFields | null {
  const names = /^#Fields:\s*(.+)$/i.exec(line)?.[1];
  return names === undefined
    ? null
    : names
        .trim()
        .split(/\s+/)
        .map((name) => name.toLowerCase());
}

/** Texts in quotes may have spaces in them. */
const COLUMN = /"(?:[^"]|"")*"|[^ ]+/g;

/** A line of IIS, with spaces between its columns, or of CloudFront, with tabs. Times are UTC. */
export function readW3cLine(line: string, fields: W3cFields): LogRecord | LineProblem {
  const isTabbed = line.includes('\t');
  const values = isTabbed ? line.split('\t') : (line.match(COLUMN) ?? []);
  // With more columns than names, one of them has spaces in it.
  if (values.length !== fields.length) return 'not_a_log_line';
  const value = (name: string): string | undefined => {
    const found = values[fields.indexOf(name)];
    return fields.includes(name) && found !== '-' ? found : undefined;
  };
  const text = (name: string) => {
    const found = value(name);
    if (found === undefined || found.startsWith('"')) return found;
    return isTabbed ? decodedColumn(found) : found.replaceAll('+', ' ');
  };
  const stem = value('cs-uri-stem') ?? value('cs-uri');
  const query = value('cs-uri-query');
  return recordOf({
    time: `${value('date') ?? ''} ${value('time') ?? ''}Z`,
    method: value('cs-method'),
    target: stem === undefined || query === undefined ? stem : `${stem}?${query}`,
    status: value('sc-status'),
    ip: value('c-ip'),
    userAgent: text('cs(user-agent)') ?? (fields.includes('cs(user-agent)') ? '' : undefined),
    referrer: text('cs(referer)'),
    requestId: value('x-edge-request-id'),
    forwardedFor: text('x-forwarded-for'),
    host: value('x-host-header') ?? value('cs-host'),
  });
}

/** CloudFront encodes already encoded values again. */
export function decodedColumn(text: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(text));
  } catch {
    return text;
  }
}
