import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { withEllipsis } from '../../platform/ellipsis.ts';
import { messageOf } from '@docent/base/thrown';
import { redact } from '../../platform/log.ts';
import { networkReason } from '@docent/base/net/network-reason';
import { retryAfterMs } from '@docent/base/net/retry-after';
import { fieldsOf, jsonOf } from '../json-fields.ts';
import { ModelProblem } from '../model.ts';
import type { ProviderName } from './model-id.ts';

/** What sentences name. */
export interface Asked {
  provider: ProviderName;
  /** As people know it, e.g. `Anthropic`. */
  label: string;
  /** The model's name at the provider. */
  model: string;
  /** The variable that holds the key; null where an operator stored it. */
  keyVariable: string | null;
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
 * Turns whatever a provider's client threw into a problem with a code and a sentence. Nothing of the original
 * is kept: it holds the request, the prompt among it, and the headers.
 * @param hasAnswer the provider has begun to answer: what broke then is the answer, not the way to the
 * provider
 */
export function providerProblem(thrown: unknown, asked: Asked, hasAnswer = false): ModelProblem {
  if (thrown instanceof ModelProblem) return thrown;
  const told = toldBy(thrown);
  const { label, model, keyVariable } = asked;
  if (isUnreadable(thrown)) {
    return new ModelProblem(
      'model_unavailable',
      `${asked.label} sent a response that Docent cannot read. Check that ${asked.baseUrl} is the address of its API.`,
      { passing: true },
    );
  }
  const said = saidBy(told, asked);
  const { status, kind } = told;

  if (isOutOfCredit(told)) {
    return new ModelProblem(
      'model_quota',
      `${label} says that the account has no credit left. Add some, then send a message to go on.${said}`,
    );
  }
  if (
    status === 401 ||
    status === 403 ||
    isBadKey(told) ||
    /authentication_error|invalid_api_key|permission_error/.test(kind)
  ) {
    return new ModelProblem(
      'model_key',
      `${label} does not accept the key ${keyVariable === null ? 'on the Model page' : `in ${keyVariable}`}, or the key may not use the model "${model}". ` +
        `Set a valid key${keyVariable === null ? '' : ', restart the worker,'} and send a message to continue.`,
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
  if (isBrokenCall(told)) {
    return new ModelProblem(
      'model_unavailable',
      `The model "${model}" wrote a call that ${label} cannot read.${said}`,
      {
        passing: true,
      },
    );
  }
  if (status === 429 || /rate_limit/.test(kind)) {
    return new ModelProblem('model_rate_limited', `${label} takes no more requests for now (429).${said}`, {
      passing: true,
      retryAfterMs: told.retryAfterMs,
    });
  }
  if (status === null || status === 408 || status === 409 || status >= 500) {
    const missed = hasAnswer ? 'broke off in the middle of an answer' : `could not be reached at ${asked.baseUrl}`;
    const how = status === null ? missed : `failed with status ${status}`;
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

/** Google answers 400 for a wrong key, and its library finds no credentials before anything is sent. */
const isBadKey = ({ status, message }: Told): boolean =>
  (status === 400 && /api key (?:not valid|expired|not found)/i.test(message)) ||
  (status === null && /could not load the default credentials|invalid_grant/i.test(message));

const OUT_OF_CREDIT =
  /insufficient_quota|exceeded your current quota|credit balance|(?:no|out of|insufficient) (?:credits?|balance)|billing hard limit|spend(?:ing)? limit/i;

function isOutOfCredit({ status, kind, message, retryAfterMs }: Told): boolean {
  if (status === 402) return true;
  // Google calls a limit by the minute the current quota, and says when there is more of it.
  if (/RESOURCE_EXHAUSTED/.test(kind) && retryAfterMs !== null) return false;
  const mayBe = status === null || status === 400 || status === 403 || status === 429 || status === 500;
  return mayBe && OUT_OF_CREDIT.test(`${kind} ${message}`);
}

/** The provider could not parse what the model wrote as a call: it may write another one. */
function isBrokenCall({ status, kind }: Told): boolean {
  return status === 400 && /tool_use_failed|tool_call_parse|failed_generation/.test(kind);
}

/** What names this error and no other. */
const TOO_LONG_KIND =
  /context_length|context_size|context_window|string_above_max_length|request_too_large|too_many_tokens/i;
/** What is long: the conversation. A limit of the answer's own tokens (`max_tokens`) is another matter. */
const CONVERSATION = /\b(?:context|prompt|conversation|tokens?|input length|inputs?)\b/i;
/** That it is too long, in whichever words. */
const TOO_LONG =
  /too (?:long|large|big|many)|exceed|(?:longer|greater|larger|more) than|less than|fewer than|at most|only \d|maximum|\blimit\b|out of range|range of/i;
/** Of one field's value, in the words of validators. */
const OF_A_VALUE = /^(?:input|value) should be/i;

/**
 * Every server says in its own words that a conversation is too long: recognized by kind, status, what the
 * sentence is about, and numbers of tokens. Taken for too long, a conversation is shortened and the model is
 * asked again.
 */
function isContextTooLong({ status, kind, message }: Told): boolean {
  if (status === 413 || TOO_LONG_KIND.test(kind)) return true;
  const isAbout = CONVERSATION.test(message) && !OF_A_VALUE.test(message);
  // A limit by the minute that this request alone exceeds: waiting does not help.
  if (status === 429) return /request too large/i.test(message) || asksForMoreThanItMay(message);
  if (status === 400 || status === 422) return isAbout && (TOO_LONG.test(message) || hasTwoCounts(message));
  const isServers = status === null || status >= 500;
  const isOfTokens = /context|prompt|tokens/i.test(message) && countsIn(message).length > 0;
  return isServers && isAbout && isOfTokens && TOO_LONG.test(message);
}

/** What came was no JSON, or another shape of it than the client knows. */
function isUnreadable(thrown: unknown): boolean {
  for (let err = fieldsOf(thrown).error ?? thrown, depth = 0; depth < 4; err = fieldsOf(err).cause, depth += 1) {
    if (JSONParseError.isInstance(err) || TypeValidationError.isInstance(err)) return true;
  }
  return false;
}

/** `Limit 30000, Requested 37313` */
function asksForMoreThanItMay(message: string): boolean {
  const [, limit, requested] = /\blimit:? (\d+)\b.*\brequested:? (\d+)\b/i.exec(message) ?? [];
  return limit !== undefined && Number(requested) > Number(limit);
}

const countsIn = (message: string) => message.replaceAll(/(\d),(?=\d{3})/g, '$1').match(/\b\d{3,9}\b/g) ?? [];
/** How many tokens there are, and how many there may be. */
const hasTwoCounts = (message: string) => /tokens?|context/i.test(message) && countsIn(message).length > 1;

function toldBy(thrown: unknown): Told {
  if (APICallError.isInstance(thrown)) {
    const { kind, message, retryAfterMs: told } = bodyOf(thrown.responseBody);
    return {
      // Without an answer there is no status, nor where a connection broke behind it.
      status: thrown.statusCode === 200 ? null : (thrown.statusCode ?? null),
      kind,
      message: message || thrown.message,
      retryAfterMs: retryAfterOf(thrown.responseHeaders ?? {}) ?? told,
    };
  }
  // An error in the middle of a stream: `{ type, code, message, statusCode }`, of the provider's client or of
  // the wire.
  const fields = fieldsOf(fieldsOf(thrown).error ?? thrown);
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

/**
 * An error's fields, where the provider put them: `{ error: {…} }`, `[{ error: {…} }]`, `{ error: "…" }`, `{
 * message }`, `{ detail }`.
 */
function bodyOf(body = ''): Pick<Told, 'kind' | 'message' | 'retryAfterMs'> {
  const parsed = jsonOf(body);
  if (parsed === undefined) return { kind: '', message: /^\s*</.test(body) ? '' : body.trim(), retryAfterMs: null };
  const whole = fieldsOf(Array.isArray(parsed) ? parsed[0] : parsed);
  const fields = typeof whole.error === 'string' ? { ...whole, message: whole.error } : fieldsOf(whole.error ?? whole);
  const kind = [fields.type, fields.code, fields.error_type, fields.status].map(textOf).filter(Boolean).join(' ');
  return { kind, message: textOf(fields.message) || textOf(fields.detail), retryAfterMs: retryInfoOf(fields.details) };
}

/** Of an error of Google's (google.rpc.RetryInfo): `34s`. */
function retryInfoOf(details: unknown): number | null {
  const delays = (Array.isArray(details) ? details : []).map((detail) => textOf(fieldsOf(detail).retryDelay));
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(delays.find(Boolean) ?? '') ?? [];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1_000);
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
