import { readCitations } from '@docent/agent/citations/read-citations';
import type { LimitReached } from '@docent/models/conversation/limit-reached';
import type { ToolCall, ToolResult } from '@docent/models/conversation/tool-call';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { oneLine } from '@docent/base/one-line';
import { withEllipsis } from '@docent/base/ellipsis';
import { redact } from '../../platform/log.ts';
import { MAX_EVENT_ENTRIES, MAX_EVENT_TEXT } from '../../store/job-event-data.ts';
import type { StepEvent } from '../../store/jobs/steps.ts';
import { hideSecrets } from './outgoing-secrets.ts';
import { describeCalls } from './step-text.ts';

const MAX_NAME = 60;
const MAX_PATH = 200;

/**
 * The event of an answer: its calls, or its closing text without secrets.
 * @param of.answer the step's recorded entries
 * @param of.allowed ids of allowed secrets
 */
export async function answerEvent(of: {
  step: number;
  answer: readonly TranscriptEntry[];
  limit: LimitReached | null;
  /** A sentence about the request itself, without its stop; empty if there is none. */
  besides: string;
  allowed: readonly string[];
}): Promise<StepEvent> {
  const { step, limit, besides, allowed } = of;
  const withBesides = (text: string) => (besides === '' ? text : `${text}${text.endsWith('.') ? '' : '.'} ${besides}`);
  const said = of.answer.findLast((entry) => entry.role === 'assistant');
  const words = withEllipsis(await hideSecrets(textOf(said), allowed), MAX_EVENT_TEXT);
  const calls = said?.toolCalls ?? [];
  if (calls.length > 0)
    return {
      type: 'step',
      text: withBesides(describeCalls(calls)),
      data: { step, words, calls: callSummaries(calls) },
    };
  if (limit)
    return { type: 'step', text: withBesides(`${limit.message} It sums up.`), data: { step, words, calls: [] } };
  // Progress displays leave closing words out, because they are the result. This text has its own line.
  if (besides !== '') return { type: 'step', text: besides, data: { step, words, calls: [] } };
  return { type: 'answer', text: oneLine(words) || 'The model returned no text.', data: { step, words } };
}

/** Closing words without their citations: people only see the verified ones. */
function textOf(said: Extract<TranscriptEntry, { role: 'assistant' }> | undefined): string {
  return said && said.toolCalls.length === 0 ? readCitations(said.text).text : (said?.text ?? '');
}

/** The event for the results of a step's calls. Leaves out file texts and quotes from them. */
export function toolsEvent(step: number, results: readonly ToolResult[]): StepEvent {
  const failed = results.filter(({ ok }) => !ok).length;
  return {
    type: 'tools',
    text: failed > 0 ? `${failed} of ${results.length} calls were rejected.` : `Ran ${counted(results.length)}.`,
    data: {
      step,
      results: results.slice(0, MAX_EVENT_ENTRIES).map((result) => ({
        id: shortened(result.callId, MAX_NAME),
        name: shortened(result.name, MAX_NAME),
        ok: result.ok,
        changed: result.ok ? result.changed.slice(0, MAX_EVENT_ENTRIES).map((path) => shortened(path, MAX_PATH)) : [],
      })),
    },
  };
}

function callSummaries(calls: readonly ToolCall[]): { id: string; name: string; summary: string }[] {
  return calls.slice(0, MAX_EVENT_ENTRIES).map((call) => ({
    id: shortened(call.id, MAX_NAME),
    name: shortened(call.name, MAX_NAME),
    summary: describeCalls([call]),
  }));
}

const counted = (calls: number) => `${calls} ${calls === 1 ? 'call' : 'calls'}`;

/** Model output, as one line of visible characters without secrets. */
const shortened = (text: string, most: number) => withEllipsis(redact(visibleName(text)), most);
