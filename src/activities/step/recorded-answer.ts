import { isAnnouncement, isCallAsText } from '@docent/agent/call-as-text';
import { limitOf } from '@docent/agent/last-message';
import type { ModelAnswer } from '@docent/models/model';
import { readEntries, type TranscriptEntry } from '@docent/models/conversation/transcript';
import { jobFailure } from '../../platform/errors.ts';
import { describeCalls } from './step-text.ts';

/** The answer as reported to the workflow. */
export interface ModelAnswered {
  toolCalls: number;
  calls: string;
  limit?: LimitOfAnswer;
  /** Neither tool calls nor closing words: the model got a notice, and is asked again. */
  again?: true;
}

type LimitOfAnswer = NonNullable<ReturnType<typeof limitOf>>;
type AssistantEntry = Extract<TranscriptEntry, { role: 'assistant' }>;

/** How often in a row a model without a usable answer is asked again. */
const ASKED_AGAIN = 2;
const CALL_AS_TEXT =
  'Your last answer contains a tool call written as text. Nothing of it was carried out. Call the tool ' +
  'itself, or say in words what was done.';
const ANNOUNCED =
  'Your last answer only says what you are about to do. Do it with the tools, or say in words what was done.';
const EMPTY = 'Your last answer was empty. Continue the work, or say in words what was done.';
const CUT =
  'Your last answer was cut off at the limit of what you may write at a time. Go on in smaller pieces: one call, or a short text.';

const NOTICES = { empty: EMPTY, cut: CUT, 'call-as-text': CALL_AS_TEXT, announced: ANNOUNCED };

/**
 * An answer for the transcript; a useless one with a notice, while it may be asked again.
 * @param before the turn's records before it
 * @param tools names of the model's tools
 */
export function withStop(
  answer: Omit<ModelAnswer, 'usage'>,
  before: readonly TranscriptEntry[],
  tools: readonly string[],
): TranscriptEntry[] {
  const { text, toolCalls, native } = answer;
  const isEmpty = text.trim() === '' && toolCalls.length === 0 && answer.stop !== 'refused';
  const mayAskAgain = uselessAtEnd(before) < ASKED_AGAIN;
  const stop = isEmpty ? ('empty' as const) : (answer.stop ?? stopOfText(answer, tools, mayAskAgain));
  const entry: AssistantEntry = {
    role: 'assistant',
    text,
    toolCalls,
    ...(stop ? { stop } : {}),
    ...(answer.outcome ? { outcome: answer.outcome } : {}),
    ...(native && !isEmpty ? { native } : {}),
  };
  const notice = toolCalls.length === 0 && stop !== undefined && stop !== 'refused' ? NOTICES[stop] : null;
  if (notice === null || !mayAskAgain) return [entry];
  return [entry, { role: 'notice', text: notice }];
}

/** An announcement that is repeated counts as the answer. */
function stopOfText(
  { text, toolCalls, outcome }: Omit<ModelAnswer, 'usage'>,
  tools: readonly string[],
  mayAskAgain: boolean,
): 'call-as-text' | 'announced' | undefined {
  if (toolCalls.length > 0) return undefined;
  if (isCallAsText(text, tools)) return 'call-as-text';
  return mayAskAgain && !outcome && isAnnouncement(text) ? 'announced' : undefined;
}

function uselessAtEnd(entries: readonly TranscriptEntry[]): number {
  const answers = entries.filter((entry) => entry.role === 'assistant');
  const lastUseful = answers.findLastIndex(({ stop, toolCalls }) => !stop || toolCalls.length > 0);
  return answers.length - 1 - lastUseful;
}

/** A recorded answer's meaning. @throws Failure for one that ends the turn without its work */
export function answerOf(entries: unknown[]): ModelAnswered {
  const said = readEntries(entries);
  const limit = limitOf(said);
  const answer = said.findLast((entry): entry is AssistantEntry => entry.role === 'assistant');
  const calls = answer?.toolCalls ?? [];
  const again = calls.length === 0 && said.at(-1)?.role === 'notice';
  if (!limit && !again && calls.length === 0) refuseUseless(answer);
  return {
    toolCalls: calls.length,
    calls: describeCalls(calls),
    ...(limit ? { limit } : {}),
    ...(again && !limit ? { again } : {}),
  };
}

function refuseUseless(answer: AssistantEntry | undefined): void {
  switch (answer?.stop) {
    case 'refused': {
      const words = answer.text.trim().replace(/\s+/g, ' ').slice(0, 500);
      throw jobFailure(
        'model_refused',
        words
          ? `The model refused: ${words}`
          : 'The model or its provider refused to answer without a reason. Rephrase your request, or use another model.',
      );
    }
    case 'empty':
      throw jobFailure(
        'model_empty',
        'The model returned three empty answers. The changes are kept. Send a message to try again, or use another model.',
      );
    case 'call-as-text':
      throw jobFailure(
        'model_call_as_text',
        'The model wrote its tool calls as text three times, so they were not run. Use a model that ' +
          'supports tool calls, or start its server with the right tool parser.',
      );
    case 'announced':
    case undefined:
      return;
    case 'cut':
      throw jobFailure(
        'model_output_limit',
        'The model reached its output limit three times. Ask for less at once, or raise maxOutputTokens for the model.',
      );
  }
}
