import { APICallError } from '@ai-sdk/provider';
import { withEllipsis } from '../../platform/ellipsis.ts';
import { messageOf } from '../../platform/errors.ts';
import { redact } from '../../platform/log.ts';
import { networkReason } from '../../platform/net/network-reason.ts';
import { retryAfterMs } from '../../platform/net/retry-after.ts';
import { ModelProblem } from '../model.ts';
import type { ProviderName } from './model-id.ts';

/** What sentences name. */
export interface Asked {
  provider: ProviderName;
  /** As people know it, e.g. `Anthropic`. */
  label: string;
  /** The model's name at the provider. */
  model: string;
  /** The variable that holds the key. */
  keyVariable: string;
  baseUrl: string;
  /** Taken out of everything that is shown. */
  key: string;
}

/** What can be learnt of a provider's error, however it came: as a status, or in the middle of a stream. */
interface Told {
  status: number | null;
  kind: string;
  message: string;
  retryAfterMs: number | null;
}

/**
 * Turns whatever a provider's client threw into a problem with a code and a sentence. Nothing of the original is kept: it holds
 * the request, the prompt among it, and the headers.
 */
export function providerProblem(thrown: unknown, asked: Asked): ModelProblem {
  if (thrown instanceof ModelProblem) return thrown;
  const told = toldBy(thrown);
  const { label, model, keyVariable } = asked;
  const said = saidBy(told, asked);
  const { status, kind } = told;

  if (
    /insufficient_quota|billing|credit balance|spend(?:ing)? limit/i.test(`${kind} ${told.message}`) ||
    status === 402
  ) {
    return new ModelProblem(
      'model_quota',
      `${label} says that the account has no credit left. Add some, then send a message to go on.${said}`,
    );
  }
  if (status === 401 || status === 403 || /authentication_error|invalid_api_key|permission_error/.test(kind)) {
    return new ModelProblem(
      'model_key',
      `${label} does not accept the key in ${keyVariable}, or the key may not use the model "${model}". Set a valid key, restart the worker, and send a message to go on.`,
    );
  }
  if (isContextTooLong(told)) {
    return new ModelProblem('model_context', `The conversation is too long for the model "${model}".${said}`);
  }
  if (status === 404 || /not_found|model_not_found/.test(kind)) {
    return new ModelProblem(
      'model_unknown',
      `${label} has no model "${model}", or the key may not use it. Set the project's model with "docent project update --model", then create the job again.${said}`,
    );
  }
  if (status === 429 || /rate_limit/.test(kind)) {
    return new ModelProblem('model_rate_limited', `${label} takes no more requests for now (429).${said}`, {
      passing: true,
      retryAfterMs: told.retryAfterMs,
    });
  }
  if (status === null || status === 408 || status === 409 || status >= 500) {
    const how = status === null ? `could not be reached at ${asked.baseUrl}` : `failed with status ${status}`;
    return new ModelProblem('model_unavailable', `${label} ${how}.${said}`, {
      passing: true,
      retryAfterMs: told.retryAfterMs,
    });
  }
  if (/content_filter|content_policy|safety/i.test(kind)) {
    return new ModelProblem(
      'model_refused',
      `${label} refused the request for its content. Say it in other words.${said}`,
    );
  }
  return new ModelProblem(
    'model_rejected',
    `${label} did not accept the request for the model "${model}" (${status}).${said}`,
  );
}

const TOO_LONG =
  /context[_ ](?:length|window)|maximum context|prompt is too long|too many (?:input )?tokens|exceeds? the (?:model'?s )?(?:maximum|context)|input is too long|request_too_large/i;

function isContextTooLong({ status, kind, message }: Told): boolean {
  if (status !== null && status !== 400 && status !== 413 && status !== 422) return false;
  return status === 413 || TOO_LONG.test(kind) || TOO_LONG.test(message);
}

function toldBy(thrown: unknown): Told {
  if (APICallError.isInstance(thrown)) {
    const { type, code, message } = bodyOf(thrown.responseBody);
    return {
      // Without an answer there is no status; an answer that could not be read is the provider's fault.
      status: thrown.statusCode === 200 ? 502 : (thrown.statusCode ?? null),
      kind: `${type} ${code}`,
      message: message || thrown.message,
      retryAfterMs: retryAfterOf(thrown.responseHeaders ?? {}),
    };
  }
  // An error in the middle of a stream: `{ type, code, message, statusCode }`, of the provider's client or of the wire.
  const fields = recordOf(recordOf(thrown).error ?? thrown);
  const kind = `${textOf(fields.type)} ${textOf(fields.code)}`;
  const isNetwork = thrown instanceof Error && typeof fields.statusCode !== 'number';
  const status = typeof fields.statusCode === 'number' ? fields.statusCode : isNetwork ? null : statusOfKind(kind);
  const message = isNetwork ? networkReason(thrown) : textOf(fields.message) || messageOf(thrown);
  return { status, kind, message, retryAfterMs: null };
}

const STATUS_OF_KIND: [RegExp, number][] = [
  [/overloaded/, 529],
  [/rate_limit/, 429],
  [/authentication|invalid_api_key/, 401],
  [/permission/, 403],
  [/not_found/, 404],
  [/invalid_request|context_length|content_filter|invalid_prompt/, 400],
];

/** A stream begins with status 200 whatever becomes of it: what its errors call themselves tells. */
function statusOfKind(kind: string): number {
  return STATUS_OF_KIND.find(([pattern]) => pattern.test(kind))?.[1] ?? 500;
}

function bodyOf(body: string | undefined): { type: string; code: string; message: string } {
  try {
    const parsed = recordOf(JSON.parse(body ?? ''));
    const fields = typeof parsed.error === 'string' ? { message: parsed.error } : recordOf(parsed.error ?? parsed);
    return { type: textOf(fields.type), code: textOf(fields.code), message: textOf(fields.message) };
  } catch {
    return { type: '', code: '', message: '' };
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
function retryAfterOf(headers: Record<string, string>): number | null {
  const exact = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] && exact >= 0) return exact;
  const ms = retryAfterMs(headers['retry-after']);
  return ms === null ? null : Math.max(0, ms);
}

const MAX_SAID = 300;

/** The provider's own words, for a person: one line, cut, without anything secret. */
function saidBy({ message }: Told, { key }: Asked): string {
  let words = redact(message)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (key) words = words.replaceAll(key, '[key]');
  // Providers quote keys with their middle starred out.
  words = words.replace(/\b(?:sk|key)-[\w*.-]{4,}/g, '[key]');
  if (!words) return '';
  return ` It said: ${withEllipsis(words, MAX_SAID)}`;
}
