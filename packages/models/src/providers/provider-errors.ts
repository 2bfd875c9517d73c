import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { withEllipsis } from '@docent/base/ellipsis';
import { messageOf } from '@docent/base/thrown';
import { networkReason } from '@docent/base/net/network-reason';
import { retryAfterMs } from '@docent/base/net/retry-after';
import { oneLine } from '@docent/base/one-line';
import { fieldsOf, jsonOf } from '../json-fields.ts';
import { ModelProblem } from '../model.ts';
import type { ProviderName } from '../model-id.ts';

/** The names in messages. */
export interface Asked {
  provider: ProviderName;
  /** As people know it, e.g. `Anthropic`. */
  label: string;
  /** The model's name at the provider. */
  model: string;
  /** The variable that holds the key; null if an operator stored it. */
  keyVariable: string | null;
  baseUrl: string;
  /** Taken out of everything that is shown. */
  key: string;
  /** Removes all other secrets. */
  redact: (text: string) => string;
}

/** The facts of a provider's error, from a status or from the middle of a stream. */
interface ReportedError {
  status: number | null;
  kind: string;
  message: string;
  retryAfterMs: number | null;
}

interface FailedRequest {
  /** The provider had begun to answer, so the answer broke, not the connection to the provider. */
  hasAnswer?: boolean;
  /** About how many tokens the request had; 0 if unknown. */
  tokens?: number;
}

/**
 * Turns any error of a provider's client into a problem with a code and a sentence. Nothing of the original
 * is kept: it holds the request with the prompt and the headers.
 */
export function providerProblem(
  thrown: unknown,
  asked: Asked,
  { hasAnswer = false, tokens = 0 }: FailedRequest = {},
): ModelProblem {
  if (thrown instanceof ModelProblem) return thrown;
  const reported = errorIn(thrown);
  const { label, model, keyVariable } = asked;
  if (isUnreadable(thrown)) {
    return new ModelProblem(
      'model_unavailable',
      `${asked.label} sent a response that Docent cannot read. Check that ${asked.baseUrl} is the address of its API.`,
      { passing: true },
    );
  }
  const said = sentenceOf(reported, asked);
  const { status, kind } = reported;

  if (isOutOfCredit(reported)) {
    return new ModelProblem(
      'model_quota',
      `${label} says that the account has no credit left. Add some, then send a message to continue.${said}`,
    );
  }
  if (
    status === 401 ||
    status === 403 ||
    isBadKey(reported) ||
    /authentication_error|invalid_api_key|permission_error/.test(kind)
  ) {
    return new ModelProblem(
      'model_key',
      `${label} does not accept the key ${keyVariable === null ? 'on the Model page' : `in ${keyVariable}`}, or the key may not use the model "${model}". ` +
        `Set a valid key${keyVariable === null ? '' : ', restart the worker,'} and send a message to continue.`,
    );
  }
  if (isContextTooLong(reported, tokens)) {
    return new ModelProblem('model_context', `The conversation is too long for the model "${model}".${said}`);
  }
  if (status === 404 || /not_found|model_not_found/.test(kind) || (status === 400 && NO_MODEL.test(reported.message))) {
    return new ModelProblem(
      'model_unknown',
      `${label} has no model "${model}", or the key may not use it. Set the project's model with "docent ` +
        `project update --model", then create the job again.${said}`,
    );
  }
  if (isBrokenCall(reported)) {
    return new ModelProblem(
      'model_unavailable',
      `The model "${model}" wrote a call that ${label} cannot read.${said}`,
      {
        passing: true,
      },
    );
  }
  if (status === 429 || /rate_limit/.test(kind)) {
    return new ModelProblem('model_rate_limited', `${label} accepts no more requests for now (429).${said}`, {
      passing: true,
      retryAfterMs: reported.retryAfterMs,
    });
  }
  if (status === null || PASSING.has(status) || status >= 500) {
    const missed = hasAnswer ? 'broke off in the middle of an answer' : `could not be reached at ${asked.baseUrl}`;
    const how = status === null ? missed : `failed with status ${status}`;
    return new ModelProblem('model_unavailable', `${label} ${how}.${said}`, {
      passing: true,
      retryAfterMs: reported.retryAfterMs,
    });
  }
  if (/content_filter|content_policy|safety|data_inspection/i.test(kind) || REFUSED_CONTENT.test(reported.message)) {
    return new ModelProblem(
      'model_refused',
      `${label} refused the request because of its content. Rephrase it.${said}`,
    );
  }
  return new ModelProblem(
    'model_rejected',
    `${label} did not accept the request for the model "${model}" (${status}).${said}`,
  );
}

/** Google answers 400 for a wrong key, and its library finds no credentials before anything is sent. */
const isBadKey = ({ status, message }: ReportedError): boolean =>
  (status === 400 && /api key (?:not valid|expired|not found)/i.test(message)) ||
  (status === null && /could not load the default credentials|invalid_grant/i.test(message));

/**
 * Statuses below 500 of what another try may solve: conflicts, dependencies, requests too early, no capacity.
 */
const PASSING: ReadonlySet<number> = new Set([408, 409, 424, 425, 498]);

const NO_MODEL =
  /\bmodel\b.{0,80}\b(?:not found|(?:does )?not exist|identifier is invalid|decommissioned|no longer (?:supported|available))|\b(?:not a valid|invalid|unknown|no such) model\b|pulling it first/i;

const REFUSED_CONTENT =
  /\busage polic|\bcontent (?:management )?polic|inappropriate content|\bprompt was flagged\b|敏感/i;

const OUT_OF_CREDIT =
  /arrear|specified API usage limits|exceeded.(?:your.)?current.quota|insufficient_(?:user_)?quota|credit balance|(?:no|out of|insufficient) (?:credits?|balance)|billing hard limit|spend(?:ing)? limit|余额不足|欠费/i;

function isOutOfCredit({ status, kind, message, retryAfterMs }: ReportedError): boolean {
  if (status === 402) return true;
  // Google calls a per-minute limit the current quota, and gives the time until it is renewed.
  if (/RESOURCE_EXHAUSTED/.test(kind) && retryAfterMs !== null) return false;
  const mayBe = status === null || status === 400 || status === 403 || status === 429 || status === 500;
  return mayBe && OUT_OF_CREDIT.test(`${kind} ${message}`);
}

/** The provider could not parse what the model wrote as a call: it may write another one. */
function isBrokenCall({ status, kind, message }: ReportedError): boolean {
  if (status !== 400) return false;
  return (
    /tool_use_failed|tool_call_parse|output_parse_failed|failed_generation/.test(kind) || UNREADABLE_CALL.test(message)
  );
}

/** About what the model wrote, and not about the conversation that it was sent. */
const UNREADABLE_CALL =
  /fail\w* to (?:parse|generate) (?:the |an? )?(?:tool|function)|\btool call validation failed|attempted to call tool|malformed.(?:function|tool).call|validation errors? for \w*ToolCall\b|generated output that could not be parsed/i;

/** Kinds that only this error has. */
const TOO_LONG_KIND =
  /context_?(?:length|size|window)|string_above_max_length|request_too_large|too_many_tokens|max_prompt_tokens|content_?length|too_?big_?body|(?:prompt|input)_?too_?long/i;
/** The answer's own tokens are something else. */
const OF_THE_ANSWER =
  /`?\bbudget_tokens\b`?|`?\bmax_(?:\w+_)?tokens\b`?|\b(?:completion|output|new|generated) tokens\b/gi;
/** Images, tools and values of fields are something else, too. */
const OF_A_PART = /^(?:input|value) should be|\btools?\b.{0,20}\[|\bimages?\b|_key\b|schema\b/i;
/** A field's limit, far below that of any conversation. */
const SMALL_LIMIT = /\bmaximum length (?:of )?\d{1,4}\b(?! tokens)/i;
/** The subject is the conversation. */
const CONVERSATION =
  /\b(?:context|prompts?|conversation|tokens?|input length|inputs?|sequences?|history|kv size|n.ctx)\b|上下文|输入|提示|对话|токен|контекст|запрос|入力|コンテキスト|トークン|입력|컨텍스트|토큰|\bjetons?\b|context[eo]|kontext|eingabe|anfrage/i;
/** The statement that it is too long, in any wording. */
const TOO_LONG =
  /too (?:long|large|big|many)|exceed|(?:longer|greater|larger|more) than|less than|fewer than|at most|only \d|maximum|\blimit\b|out of range|range of|\b1\.\.\d|overflow|reached|fit (?:in|the|within)|(?:run|ran) out|exhaust|beyond|\bover\b|shorten|<=|длин|превы|максим|超え|超過|長すぎ|上限|초과|최대|너무 (?:길|긴|깁)|超长|超过|超出|过长|最大|dépass|trop long|máximo|excede|supera|zu lang|überschr/i;
/** Both, without the word: the whole request is too long, or is to become shorter. */
const REQUEST_TOO_LONG =
  /\b(?:request|payload|body|messages?|text|content)\b[\w ]{0,20}(?:too (?:long|large|big)|exceeds)|reduce the (?:length|size) of|current length is \d+ while limit/i;
/** Both in one phrase: other errors of a server name a limit and a prompt as well. */
const PROMPT_TOO_LONG =
  /\b(?:context|prompt|inputs?|tokens)\b.{0,60}(?:too (?:long|large|big|many)|exceed|overflow|(?:longer|greater|larger) than)|exceed\w* .{0,40}\bcontext\b/i;

/**
 * Every server reports a too long conversation in its own words, so it is recognized by kind, status,
 * subject, and token counts. The conversation is then shortened, and the model is asked again.
 */
function isContextTooLong({ status, kind, message }: ReportedError, tokens: number): boolean {
  if (SMALL_LIMIT.test(message) && !/tokens/i.test(message)) return false;
  if (status === 413 || TOO_LONG_KIND.test(kind) || TOO_LONG_KIND.test(message)) return true;
  if (OF_A_PART.test(message) && !/tokens/i.test(message)) return false;
  // A limit by the minute that this request alone exceeds: waiting does not help.
  if (status === 429) {
    const isAlone = /request too large|long context request/i.test(message) || asksForMoreThanItMay(message);
    return isAlone || (/\btokens\b.{0,20}\bminute\b|\bTPM\b/i.test(message) && namesLessThan(message, tokens));
  }
  const others = message.replaceAll(OF_THE_ANSWER, '').replaceAll('_', ' ');
  const isAbout = CONVERSATION.test(others);
  if (status !== null && status >= 400 && status < 500) {
    const isTooLong = isAbout && (TOO_LONG.test(others) || hasTwoCounts(others));
    return isTooLong || REQUEST_TOO_LONG.test(others) || hasNoRoom(message) || namesRequest(message, tokens);
  }
  return (isAbout && PROMPT_TOO_LONG.test(others)) || (status === 500 && namesRequest(message, tokens));
}

/** Servers that compute the room for the answer complain about a negative one. */
const hasNoRoom = (message: string): boolean => /\bmax_\w*tokens\b.*\s-\d/i.test(message);

/** In no language: a number near the request's own tokens, and a smaller one, its limit. */
function namesRequest(message: string, tokens: number): boolean {
  if (message.replaceAll(OF_THE_ANSWER, '') !== message) return false;
  const counts = countsIn(message)
    .map(Number)
    .filter((one) => one >= LEAST_COUNT);
  return counts.some((one) => one > tokens * 0.5 && one < tokens * 2 && one > Math.min(...counts));
}

/** Whether all numbers are smaller than the request, so that they are limits that it alone exceeds. */
function namesLessThan(message: string, tokens: number): boolean {
  const counts = countsIn(message)
    .map(Number)
    .filter((one) => one >= LEAST_COUNT);
  return counts.length > 0 && counts.every((one) => one < tokens * 0.8);
}

const LEAST_COUNT = 1_000;

/** The response is not JSON, or has another shape than the client knows. */
function isUnreadable(thrown: unknown): boolean {
  for (let err = fieldsOf(thrown).error ?? thrown, depth = 0; depth < 4; err = fieldsOf(err).cause, depth += 1) {
    if (JSONParseError.isInstance(err) || TypeValidationError.isInstance(err)) return true;
  }
  return false;
}

/** `Limit 30000, Requested 37313` */
function asksForMoreThanItMay(message: string): boolean {
  const [, limit, requested] = /\blimit:? (\d+)\b.*\brequested:? (\d+)\b/i.exec(plainCounts(message)) ?? [];
  return limit !== undefined && Number(requested) > Number(limit);
}

const plainCounts = (message: string) => message.replaceAll(/(\d),(?=\d{3})/g, '$1');
const countsIn = (message: string) => plainCounts(message).match(/\b\d{3,9}\b/g) ?? [];
/** Whether the message has the number of tokens and their limit. */
const hasTwoCounts = (message: string) => /tokens?|context/i.test(message) && countsIn(message).length > 1;

function errorIn(thrown: unknown): ReportedError {
  if (APICallError.isInstance(thrown)) {
    const { kind, message, retryAfterMs: reported } = bodyOf(thrown.responseBody);
    return {
      // Without an answer there is no status, nor after a connection that broke within one.
      status: thrown.statusCode === 200 ? null : (thrown.statusCode ?? null),
      kind,
      message: message || thrown.message,
      retryAfterMs: retryAfterOf(thrown.responseHeaders ?? {}) ?? reported,
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

/** A stream always begins with status 200, so the type or the code of its error decides. */
function statusOfKind(kind: string): number {
  const [status] = /\b[45]\d\d\b/.exec(kind) ?? [];
  if (status !== undefined) return Number(status);
  return STATUS_OF_KIND.find(([pattern]) => pattern.test(kind))?.[1] ?? 500;
}

/** Names under which servers put an error's message, and objects and lists around it. */
const MESSAGE_FIELDS =
  'error errors message Message detail details msg error_msg error_message status_msg description reason base_resp'.split(
    ' ',
  );
const KIND_FIELDS = ['type', 'code', 'error_type', 'error_code', 'status'];

/**
 * An error's fields, in any form that providers use: `{ error: {…} }`, `[{ error: "…" }]`, `{ detail: [{ msg
 * }] }`.
 */
function bodyOf(body = ''): Pick<ReportedError, 'kind' | 'message' | 'retryAfterMs'> {
  const parsed = jsonOf(body);
  if (parsed === undefined) return { kind: '', message: /^\s*</.test(body) ? '' : body.trim(), retryAfterMs: null };
  const whole = fieldsOf(Array.isArray(parsed) ? parsed[0] : parsed);
  const inner = typeof whole.error === 'object' ? fieldsOf(whole.error) : {};
  const kind = [inner, whole].flatMap((fields) => KIND_FIELDS.map((name) => textOf(fields[name])));
  return {
    kind: kind.filter(Boolean).join(' '),
    message: messageIn(parsed),
    retryAfterMs: retryInfoOf(inner.details ?? whole.details),
  };
}

function messageIn(value: unknown, depth = 0): string {
  if (depth > 4) return '';
  if (typeof value !== 'object') return textOf(value);
  if (Array.isArray(value)) return messageIn(value[0], depth + 1);
  const fields = fieldsOf(value);
  return MESSAGE_FIELDS.map((name) => messageIn(fields[name], depth + 1)).find(Boolean) ?? '';
}

/** From an error of Google's (google.rpc.RetryInfo): `34s`. */
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
function sentenceOf({ message }: ReportedError, { key, redact }: Asked): string {
  let words = oneLine(redact(message));
  if (key) words = words.replaceAll(key, '[key]');
  // Providers quote keys with their middle starred out.
  words = words.replace(/\b(?:sk|key)-[\w*.-]{4,}/g, '[key]');
  if (!words) return '';
  return ` It said: ${withEllipsis(words, MAX_SAID)}`;
}
