import type { Model, ModelAnswer } from '../../agent/model.ts';
import { inSpan } from '../../platform/telemetry/spans.ts';

/** One question to a model: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ Neither what it is asked nor what it says. */
export function inModelSpan({ id }: Model, ask: () => Promise<ModelAnswer>): Promise<ModelAnswer> {
  const [provider] = id.split('/', 1);
  const fields = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': id,
  };
  return inSpan({ name: `chat ${id}`, kind: 'client', fields }, async (span) => {
    const answer = await ask();
    span.set({
      'gen_ai.usage.input_tokens': answer.usage.inputTokens,
      'gen_ai.usage.output_tokens': answer.usage.outputTokens,
      'docent.stop': answer.stop,
    });
    return answer;
  });
}
