import { recordOf, splitRequest } from './request-parts.ts';
import type { LogRecord, LineProblem } from './record.ts';

/**
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html#access-log-entry-format
 */
const ALB =
  /^(?:https?|h2|grpcs|wss?) (\S+Z) \S+ \[?([^\s[\]]+)\]?:\d+ \S+ \S+ \S+ \S+ (\d{3}|-) \S+ \S+ \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

/** A line of an AWS Application Load Balancer; null for anything else. */
export function readAlbLine(line: string): LogRecord | LineProblem | null {
  const [, time, ip, status, request = '', userAgent] = ALB.exec(line) ?? [];
  if (time === undefined) return null;
  const { method, target } = splitRequest(request) ?? {};
  return recordOf({ time, ip, status, method, target, userAgent });
}
