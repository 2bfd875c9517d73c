import type { SignedRequest } from '../agents/signatures.ts';
import type { KnownAgent } from '../agents/user-agent.ts';
import type { ReferrerHost } from '../pages/referrer-host.ts';
import type { LogText } from './log-text.ts';
import type { Target } from './target.ts';

export type LogSignature = Pick<SignedRequest, 'signature' | 'signatureInput' | 'signatureAgent' | 'authority'>;

/** One request in an access log. */
export interface LogRecord {
  /** Whole milliseconds since 1970, UTC. */
  readonly timestampMs: number;
  /** Upper case. */
  readonly method: string;
  /** The status that the client got. */
  readonly status: number;
  /** As requested: with its query, not normalized. */
  readonly pathOrUrl: LogText<Target>;
  /** The client's address as written, or its name if the server looks names up. */
  readonly ip: string;
  /** null: the log has no such field. Empty: the client sent none. */
  readonly userAgent: LogText<KnownAgent> | null;
  readonly referrer: LogText<ReferrerHost> | null;
  /**
   * The server's own id of this request, if the log has one: several lines with one id are one request.
   */
  readonly requestId: string | null;
  /** Addresses that proxies name, the client's first; absent if the log has no such field. */
  readonly forwardedFor?: string;
  /** The host that was asked, where the log has it. */
  readonly host?: string;
  /** The headers of a client that signs its requests, and the host that it asked. */
  readonly signed?: LogSignature;
  /** A browser prefetched it, by its headers. */
  readonly isPrefetch?: true;
  /** The client requested Markdown, or got it. */
  readonly isMarkdown?: true;
}

/** Why a line holds no request. */
export type LineProblem =
  | 'too_long'
  | 'not_a_log_line'
  | 'bad_address'
  | 'bad_timestamp'
  | 'bad_request'
  | 'bad_status'
  | 'bad_json'
  | 'not_a_request'
  | 'comment';

/** The meaning of each problem, for people. */
export const LINE_PROBLEMS: Record<LineProblem, string> = {
  too_long: 'The line is longer than 64 KiB.',
  not_a_log_line: 'The line is in no supported format.',
  bad_address: "The client's address is missing.",
  bad_timestamp: 'The time is missing or invalid.',
  bad_request: 'The request has no method and path.',
  bad_status: 'The status is missing or invalid.',
  bad_json: 'The line is not a valid JSON object.',
  comment: 'The line is a comment of the log, such as the names of its fields.',
  not_a_request: 'The entry is not a client request.',
};
