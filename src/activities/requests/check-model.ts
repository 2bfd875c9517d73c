import { ModelProblem, type ModelRequest } from '@docent/models/model';
import { costInNanoUsd } from '@docent/models/cost';
import type { CheckModelInput, CheckModelResult, TestModelResult } from '../../workflows/contract.ts';
import type { ControlDeps, ControlRun } from './control-run.ts';

/** A refusal is a result, because a person reads it right away. */
export async function checkModel(
  { model }: CheckModelInput,
  { models }: Pick<ControlDeps, 'models'>,
  { signal }: Pick<ControlRun, 'signal'>,
): Promise<CheckModelResult> {
  try {
    const found = await models.resolve(model);
    await found.probe?.(signal);
    return { ok: true, isPriced: found.price !== null };
  } catch (err) {
    if (err instanceof ModelProblem) return { ok: false, message: err.message };
    throw err;
  }
}

/** A person waits. A local server that loads its model first may take this long. */
const ANSWER_MS = 20_000;

const TOOL = 'report';

/** As small as a step of a job can be: words go there and back as a stream, and a tool is called. */
const QUESTION: ModelRequest = {
  system: 'You are asked whether you work. Answer by calling the tool, and say nothing else.',
  transcript: [{ role: 'user', no: 1, text: `Call the tool \`${TOOL}\` with the word "ready".` }],
  tools: [
    {
      name: TOOL,
      description: 'Reports that you work.',
      inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    },
  ],
};

/** Asks a model one short question for a few dozen tokens. Errors are results for a waiting person. */
export async function testModel(
  { model: id }: CheckModelInput,
  { models }: Pick<ControlDeps, 'models'>,
  { signal }: Pick<ControlRun, 'signal'>,
  answerMs = ANSWER_MS,
): Promise<TestModelResult> {
  const late = AbortSignal.timeout(answerMs);
  const startedAt = performance.now();
  try {
    const model = await models.resolve(id);
    // `builtin` runs written instructions in this process: there is no model to ask.
    if (id === 'builtin') return { ok: true, ms: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    const { toolCalls, usage } = await model.respond(QUESTION, { signal: AbortSignal.any([signal, late]) });
    const ms = Math.round(performance.now() - startedAt);
    if (!toolCalls.some(({ name }) => name === TOOL)) {
      return {
        ok: false,
        code: 'model_no_tool_call',
        message:
          `${id} answered, but did not call the requested tool. Use a model that supports tool calls, and ` +
          'enable them on its server (vLLM: --enable-auto-tool-choice and --tool-call-parser).',
      };
    }
    const cost = costInNanoUsd(usage, model.price);
    const { inputTokens, outputTokens } = usage;
    return { ok: true, ms, inputTokens, outputTokens, costUsd: cost === null ? null : cost / 1e9 };
  } catch (err) {
    if (err instanceof ModelProblem) return { ok: false, code: err.code, message: err.message };
    signal.throwIfAborted();
    if (!late.aborted) throw err;
    return {
      ok: false,
      code: 'model_unavailable',
      message: `${id} did not answer within ${answerMs / 1_000} seconds. A local server may still be loading the model. Try again later.`,
    };
  }
}
