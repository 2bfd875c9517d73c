import { isIpAddress } from '@docent/base/net/ip-address';
import { plainAddress } from './plain-address.ts';
import type { QuotedLayout } from './access-line.ts';
import { timeInFront } from './known-layouts.ts';
import { recordOf, splitRequest } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';
import { readAnyTime } from './timestamp.ts';

/** A whole request in quotes. Attackers' texts in other fields are rarely followed by a status. */
const REQUEST = /"([A-Z]{3,10} (?:[^"\\]|\\.){1,16000} HTTP\/\d(?:\.\d)?)"/;
const QUOTED = /"((?:[^"\\]|\\.)*)"(?=\s|$)/g;

interface LooseParts {
  time: string | undefined;
  status: string;
  request: string;
  /** Words before the request that are addresses, each once. */
  addresses: string[];
  /** The quoted texts after the request. */
  fields: string[];
}

/**
 * Reads a line of an access log with its fields in an unknown order: a time, one address and other words,
 * then the request with its status next to it. Null for other lines, and for several addresses: the
 * operator must say which one is the client.
 */
export function readLooseLine(line: string, layout: QuotedLayout): LogRecord | LineProblem | null {
  const parts = looseParts(line);
  if (!parts || parts.addresses.length > 1) return null;
  const { time, status, request, addresses, fields } = parts;
  return recordOf({
    ...splitRequest(request),
    time,
    status,
    ip: addresses[0],
    userAgent: fields[layout.userAgent],
    referrer: fields[layout.referrer],
    forwardedFor: fields[layout.forwardedFor],
  });
}

/** The quoted fields after the request, with escapes; none for a line in another format. */
export function looseFields(line: string): string[] {
  return looseParts(line)?.fields ?? [];
}

function looseParts(line: string): LooseParts | null {
  const found = REQUEST.exec(line);
  if (!found) return null;
  const before = line.slice(0, found.index);
  const after = line.slice(found.index + found[0].length);
  const statuses = [/\s(\d{3})\s+$/.exec(before), /^\s+(\d{3})(?=\s|$)/.exec(after)].flatMap(
    (match) => match?.[1] ?? [],
  );
  // One of two numbers is something else, such as a length.
  if (statuses.length !== 1) return null;
  const brackets = [...before.matchAll(/\[([^[\]]{10,40})\]/g)].map(([, text]) => text!);
  const time = brackets.find((text) => !Number.isNaN(readAnyTime(text))) ?? timeInFront(before);
  const words = before.replaceAll(/"[^"]*"/g, ' ').split(/\s+/);
  const addresses = words.map((word) => plainAddress(word) ?? '').filter(isIpAddress);
  const fields = [...after.matchAll(QUOTED)].map(([, text]) => text!);
  return { time, status: statuses[0]!, request: found[1]!, addresses: [...new Set(addresses)], fields };
}
