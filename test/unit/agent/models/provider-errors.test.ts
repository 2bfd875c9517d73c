import { APICallError } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { redact } from '../../../../src/platform/log.ts';
import { providerProblem } from '@docent/models/providers/provider-errors';

const ASKED = {
  provider: 'openai-compatible',
  label: 'The server',
  model: 'm',
  keyVariable: 'KEY',
  baseUrl: 'http://models.example.com/v1',
  key: '',
  redact,
} as const;

function problemOf(statusCode: number, body: unknown, tokens?: number) {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  const thrown = new APICallError({
    message: 'm',
    url: 'u',
    requestBodyValues: {},
    statusCode,
    responseBody,
    isRetryable: false,
    responseHeaders: {},
  });
  return providerProblem(thrown, ASKED, { tokens });
}
const openAi = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });

describe('a conversation that is too long is recognized in the words of', () => {
  test.each<[string, number, unknown]>([
    ['OpenAI', 400, openAi("This model's maximum context length is 8192 tokens.", { code: 'context_length_exceeded' })],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 215000 tokens > 200000 maximum' },
      },
    ],
    [
      'Anthropic with its answer',
      400,
      openAi('input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000'),
    ],
    ['Anthropic by size', 413, { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'request (33056 tokens) exceeds the available context size (32768 tokens), try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [
      'llama.cpp as 500',
      500,
      {
        error: {
          code: 500,
          message: 'the request exceeds the available context size: 33056 tokens',
          type: 'server_error',
        },
      },
    ],
    [
      'vLLM',
      400,
      openAi(
        "You passed 202753 input tokens and requested 0 output tokens. However, the model's context length is only 202752 tokens",
      ),
    ],
    [
      'vLLM about the answer',
      400,
      openAi(
        "'max_tokens' is too large: 8000. This model's maximum context length is 32768 tokens and your request has 30000 input tokens",
      ),
    ],
    [
      'SGLang',
      400,
      { object: 'error', message: "Requested token count exceeds the model's maximum context length of 32768 tokens." },
    ],
    [
      'TGI',
      422,
      {
        error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
        error_type: 'validation',
      },
    ],
    [
      'Ollama',
      400,
      { error: { message: 'prompt is longer than the context length currently set', type: 'api_error' } },
    ],
    [
      'LM Studio',
      400,
      { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    ],
    [
      'Gemini',
      400,
      [
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      'xAI',
      400,
      {
        error: "This model's maximum prompt length is 131072 but the request contains 190000 tokens.",
        code: 'Client specified an invalid argument',
      },
    ],
    ['Together', 422, openAi('The number of input tokens plus max_tokens must be less than or equal to 8193')],
    ['Moonshot', 400, openAi('Your request exceeded model token limit: 131072')],
    ['MiniMax', 400, openAi('invalid params, context window exceeds limit (2013)')],
    [
      'DashScope',
      400,
      openAi('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]'),
    ],
    [
      'a server that says only numbers',
      400,
      openAi('Prompt has 256468 tokens, but the configured context size is 256000 tokens'),
    ],
    ['a server that answers with plain text', 400, 'prompt too long (40000 tokens)'],
    ['Bedrock', 424, { message: 'The model returned the following errors: Input is too long for requested model.' }],
    [
      'Mistral',
      422,
      { message: 'Prompt contains 131073 tokens and 0 draft tokens, too large for model with 131072 maximum length' },
    ],
    ['Groq without a code', 400, openAi('Please reduce the length of the messages or completion.')],
    ['Cerebras', 400, { message: 'Current length is 9000 while limit is 8192' }],
    ['Zhipu', 400, { error: { code: '1261', message: 'Prompt 超长' } }],
    ['a Chinese server', 400, openAi('输入长度超过模型最大长度')],
    ['StepFun', 400, openAi('the request is too long, max length 32768')],
    ['vLLM with no room', 400, openAi('max_tokens must be at least 1, got -200.')],
    ['LiteLLM', 400, openAi('bad request', { type: 'ContextWindowExceededError' })],
    ['Gemini by size', 400, openAi('Request payload size exceeds the limit: 20971520 bytes.')],
    ['watsonx', 400, { errors: [{ code: 'invalid_input_argument', message: 'the input tokens 9000 exceed 8192' }] }],
    ['Cloudflare', 500, { errors: [{ message: 'AiError: The tokens (9000) exceeded this model context window' }] }],
    ['FastAPI', 422, { detail: [{ loc: ['body'], msg: 'prompt exceeds the maximum context of 8192 tokens' }] }],
    ['DeepInfra', 400, { detail: { error: 'Requested input length 40000 exceeds maximum input length 32768' } }],
    ['MiniMax', 400, { base_resp: { status_code: 2039, status_msg: 'token limit exceeded' } }],
    ['xAI', 400, JSON.stringify("This model's maximum prompt length is 131072 but the request contains 190000.")],
    ['llama.cpp as 500', 500, openAi('Input prompt is too big compared to KV size. Please try increasing KV size.')],
    ['llama.cpp in short', 500, openAi('Context size has been exceeded.')],
    ['Ollama as 500', 500, { error: { message: 'the input length exceeds the context length', type: 'api_error' } }],
    ['Anthropic about long requests', 429, openAi('Extra usage is required for long context requests.')],
    [
      'a limit by the minute',
      429,
      openAi('Request too large for m on tokens per min (TPM): Limit 30000, Requested 37313.', {
        code: 'rate_limit_exceeded',
      }),
    ],
    [
      'LM Studio as 500',
      500,
      openAi('Trying to keep the first 9001 tokens when context the overflows. It is of only 8192 tokens'),
    ],
    ['a server that names sequences', 400, openAi('This model does not support sequences longer than 8192')],
    ['a server with names of variables', 400, openAi('prompt_tokens 9000 + 10 is over context_len 8192')],
    [
      'SiliconFlow',
      400,
      { code: 20015, message: 'length of prompt_tokens (40000) must be less than max_seq_len (32768).' },
    ],
    ['Bedrock by length', 400, { message: 'prompt: length: 1..200000' }],
    ['a server whose window does not fit', 400, { detail: "Message history does not fit into the model's window" }],
    ['a server that ran out', 400, openAi('You have run out of context.')],
    ['a French server', 400, openAi('Le prompt dépasse la longueur maximale du contexte (8192 jetons).')],
    ['a Spanish server', 400, openAi('El mensaje supera el máximo de tokens permitido (8192).')],
    ['a German server', 400, openAi('Die Eingabe ist zu lang: 9000 Token, erlaubt sind 8192.')],
    ['a Japanese server', 400, openAi('入力トークン数が上限を超えています。')],
    ['a Korean server', 400, openAi('입력 토큰이 최대 길이를 초과했습니다')],
    ['a Russian server', 400, openAi('Слишком длинный запрос: 9000 токенов, максимум 8192')],
    ['DeepInfra about both', 400, { detail: { error: 'inputs tokens + max_new_tokens must be <= 8192' } }],
    ['a server that names its variable', 400, openAi('n_ctx reached')],
    ['SAP', 400, openAi('Content too long for the selected model')],
    ['Baichuan', 400, openAi('对话长度超过限制')],
    ['a German server, in other words', 400, openAi('Gesamtlänge der Anfrage überschreitet das Kontextfenster')],
    ['a Russian server, in other words', 400, openAi('Превышена максимальная длина контекста')],
    ['a Japanese server, in other words', 400, openAi('入力が長すぎます。')],
    ['a Korean server, in other words', 400, openAi('입력이 너무 깁니다')],
    ['a limit by the minute, in numbers alone', 429, openAi('Tokens per minute: limit 30000, used 0, requested 37313')],
  ])('%s', (_server, status, body) => {
    expect(problemOf(status, body).code).toBe('model_context');
  });

  test.each<[string, number, string]>([
    ['a language that is not known here', 400, 'Żądanie: 9120, dozwolone: 8192'],
    ['names of variables', 400, 'max_model_len is 8192 but got 9120'],
    ['shapes of tensors', 500, 'The size of tensor a (9120) must match the size of tensor b (8192) at dimension 3'],
    ['a limit by the minute', 429, 'This would exceed your rate limit of 5,000 input tokens per minute'],
  ])('numbers near its own: %s', (_what, status, message) => {
    expect(problemOf(status, openAi(message), 9_000).code).toBe('model_context');
    expect(problemOf(status, openAi(message), 900).code, 'of a short request').not.toBe('model_context');
  });

  test('a stream that began well', () => {
    const inStream = {
      type: 'error',
      error: { message: 'Context size exceeded: the prompt has 40000 tokens', type: 'unknown' },
    };
    expect(providerProblem(inStream, ASKED).code).toBe('model_context');
  });
});

describe('accepts everything that is not too long', () => {
  test.each<[string, number, unknown, string, boolean]>([
    [
      'a limit by the minute',
      429,
      openAi('Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 1500. Try again in 1s.'),
      'model_rate_limited',
      true,
    ],
    ['a limit of requests', 429, openAi('Too many requests'), 'model_rate_limited', true],
    ['a value out of its bounds', 422, { detail: 'Input should be less than or equal to 2' }, 'model_rejected', false],
    ['a model without tools', 400, openAi('phi3:latest does not support tools'), 'model_rejected', false],
    [
      'a limit of the answer',
      400,
      openAi('max_tokens is too large: 99999. This model supports at most 16384 completion tokens.'),
      'model_rejected',
      false,
    ],
    [
      'a limit of the answer, in the words of Anthropic',
      400,
      openAi('max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for m'),
      'model_rejected',
      false,
    ],
    [
      'an image that is too large',
      400,
      openAi('image exceeds 5 MB maximum: 6000000 > 5242880'),
      'model_rejected',
      false,
    ],
    ['too many images', 400, openAi('Too many images in request: 30 > 20'), 'model_rejected', false],
    [
      'a small request with grouped digits',
      429,
      openAi('Tokens per minute: limit 30,000, used 29,900, requested 200'),
      'model_rate_limited',
      true,
    ],
    ['a proxy that gave up', 502, openAi('upstream limit reached after 12000 tokens'), 'model_unavailable', true],
    ['an answer that is to be too long', 400, openAi('max_tokens is too large: 99999'), 'model_rejected', false],
    ['an overloaded server', 503, openAi('The server is overloaded'), 'model_unavailable', true],
    [
      'a call that the provider cannot parse',
      400,
      openAi('Failed to call a function.', { code: 'tool_use_failed' }),
      'model_unavailable',
      true,
    ],
    [
      'a key that is too long',
      400,
      openAi('prompt_cache_key too long: maximum 64 characters'),
      'model_rejected',
      false,
    ],
    ['a limit of thoughts', 400, openAi('thinking.budget_tokens must be at least 1024'), 'model_rejected', false],
    ['a server without room', 498, openAi('Flex tier capacity exceeded'), 'model_unavailable', true],
    [
      'a broken call without a code',
      400,
      openAi('Failed to parse tool call arguments as JSON'),
      'model_unavailable',
      true,
    ],
    [
      'a call of another tool',
      400,
      openAi('attempted to call tool "foo" which was not in request.tools'),
      'model_unavailable',
      true,
    ],
    ['a model that is not loaded', 400, openAi('model m not found, try pulling it first'), 'model_unknown', false],
    ['a name that is none', 400, openAi('m is not a valid model ID'), 'model_unknown', false],
    ['refused content', 400, openAi('Your prompt was flagged as violating our usage policy'), 'model_refused', false],
    [
      'Alibaba on content',
      400,
      { code: 'data_inspection_failed', message: 'Input may be wrong' },
      'model_refused',
      false,
    ],
    ['Alibaba on payment', 400, { code: 'Arrearage', message: 'Access denied.' }, 'model_quota', false],
    ['Zhipu on payment', 429, { code: '1113', message: 'Your account is in arrears' }, 'model_quota', false],
    [
      'an answer that is to be too long, in two numbers',
      400,
      openAi('max_output_tokens: 9120 > 8192'),
      'model_rejected',
      false,
    ],
    [
      'an id of a call',
      400,
      openAi("Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40.", {
        code: 'string_above_max_length',
      }),
      'model_rejected',
      false,
    ],
    ['a schema', 400, openAi('The input_schema of tool 3 exceeds the maximum depth'), 'model_rejected', false],
    ['a model of Bedrock', 400, { message: 'The provided model identifier is invalid.' }, 'model_unknown', false],
    ['a model of DeepSeek', 400, openAi('Model Not Exist'), 'model_unknown', false],
    [
      'a model that is gone',
      400,
      openAi('The model `x` has been decommissioned and is no longer supported.'),
      'model_unknown',
      false,
    ],
    [
      'a call that Groq cannot parse',
      400,
      openAi('Parsing failed. The model generated output that could not be parsed.', { code: 'output_parse_failed' }),
      'model_unavailable',
      true,
    ],
    ['a call of Cerebras', 400, openAi('Failed to generate tool_calls.'), 'model_unavailable', true],
    ['a call of vLLM', 400, openAi('1 validation error for ToolCall: Invalid JSON'), 'model_unavailable', true],
    ['a page about billing', 400, openAi('unknown file account/billing.md'), 'model_rejected', false],
  ])('%s', (_what, status, body, code, passing) => {
    expect(problemOf(status, body, 9_000)).toMatchObject({ code, passing });
  });

  test.each<[string, number, unknown]>([
    [
      'OpenAI',
      429,
      openAi('You exceeded your current quota, please check your plan and billing details.', {
        code: 'insufficient_quota',
      }),
    ],
    ['Anthropic', 400, openAi('Your credit balance is too low to access the Anthropic API.')],
    ['DeepSeek', 402, openAi('Insufficient Balance')],
    ['Azure', 429, openAi('Too many requests', { code: 'insufficient_quota' })],
    ['Moonshot', 429, openAi('Your account is suspended', { type: 'exceeded_current_quota_error' })],
    ['Zhipu', 429, { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }],
  ])('no credit left, in the words of %s', (_provider, status, body) => {
    expect(problemOf(status, body).code).toBe('model_quota');
  });
});

/** OpenRouter and others report what their provider answered once the stream has begun. */
test.each([
  [401, 'model_key', false],
  [402, 'model_quota', false],
  [429, 'model_rate_limited', true],
  ['502', 'model_unavailable', true],
  [400, 'model_rejected', false],
])('a status as the code of an error within a stream: %s', (code, problem, passing) => {
  const inStream = { type: 'error', error: { code, message: 'Provider returned error' } };
  expect(providerProblem(inStream, ASKED)).toMatchObject({ code: problem, passing });
});
