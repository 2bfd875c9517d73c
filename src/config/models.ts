import type { Secret } from '../platform/secret.ts';
import { absolutePath, amount, headerSecret, httpUrl, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Models';

/** Where nobody has said anything. */
export const DEFAULT_MODEL = 'builtin';

/** Models, their providers and what they may cost. */
export const modelSettings = {
  model: define<string | undefined>({
    env: 'DOCENT_MODEL',
    group: GROUP,
    about:
      'The model of projects that name none: `builtin`, `anthropic/<model>`, `openai/<model>` or `openai-compatible/<model>`. API processes go by it, before what `docent model set` says. `builtin` carries out a small set of written instructions and needs no key. See [models](/agent/models).',
    shownDefault: 'what `docent model set` says, else `builtin`',
    fallback: undefined,
    read: text.regex(
      /^(builtin|(anthropic|openai|openai-compatible)\/[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,150})$/,
      'must be builtin, anthropic/<model>, openai/<model> or openai-compatible/<model>',
    ),
  }),
  anthropicApiKey: define<Secret | undefined>({
    env: 'ANTHROPIC_API_KEY',
    group: GROUP,
    about: 'The key for models of Anthropic. Workers need it, nothing else does.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  anthropicBaseUrl: define({
    env: 'ANTHROPIC_BASE_URL',
    group: GROUP,
    about: 'Where models of Anthropic are reached, for a proxy or gateway; with or without `/v1`.',
    fallback: 'https://api.anthropic.com',
    read: httpUrl,
  }),
  openaiApiKey: define<Secret | undefined>({
    env: 'OPENAI_API_KEY',
    group: GROUP,
    about: 'The key for models of OpenAI. Workers need it, nothing else does.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  openaiBaseUrl: define({
    env: 'OPENAI_BASE_URL',
    group: GROUP,
    about: 'Where models of OpenAI are reached, for a proxy or gateway that speaks the Responses API.',
    fallback: 'https://api.openai.com/v1',
    read: httpUrl,
  }),
  openaiCompatibleApiKey: define<Secret | undefined>({
    env: 'OPENAI_COMPATIBLE_API_KEY',
    group: GROUP,
    about: 'The key for the OpenAI-compatible server, if it wants one.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  openaiCompatibleBaseUrl: define<string | undefined>({
    env: 'OPENAI_COMPATIBLE_BASE_URL',
    group: GROUP,
    about:
      'The address of a server with the Chat Completions API: `http://127.0.0.1:11434/v1` for Ollama, `http://127.0.0.1:8000/v1` for vLLM.',
    fallback: undefined,
    read: httpUrl,
  }),
  modelsFile: define<string | undefined>({
    env: 'DOCENT_MODELS_FILE',
    group: GROUP,
    about:
      'A JSON file with prices and windows of models, which go before those that Docent knows: see [models](/agent/models#prices).',
    fallback: undefined,
    read: absolutePath,
  }),
  modelAttempts: define({
    env: 'DOCENT_MODEL_ATTEMPTS',
    group: GROUP,
    about:
      'How often a model is asked for one answer when it is overloaded, limits the rate or cannot be reached. The pauses grow from a second to a minute, or are what the provider asks for.',
    fallback: 10,
    read: wholeNumber(1, 100),
  }),
  modelIdleSeconds: define({
    env: 'DOCENT_MODEL_IDLE_SECONDS',
    group: GROUP,
    about: 'Seconds without a byte after which a request to a model is given up and made again. At most 290.',
    fallback: 120,
    read: wholeNumber(1, 290),
  }),
  budgetJobTokens: define<number | undefined>({
    env: 'DOCENT_BUDGET_JOB_TOKENS',
    group: GROUP,
    about:
      'Tokens, read and written, that one job may take. It stops before the next step; what it changed is kept. A project may have its own budgets.',
    shownDefault: 'no limit',
    fallback: undefined,
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetJobUsd: define<number | undefined>({
    env: 'DOCENT_BUDGET_JOB_USD',
    group: GROUP,
    about: 'US dollars that one job may cost.',
    shownDefault: 'no limit',
    fallback: undefined,
    read: amount,
  }),
  budgetDayTokens: define<number | undefined>({
    env: 'DOCENT_BUDGET_DAY_TOKENS',
    group: GROUP,
    about: 'Tokens that all jobs of one project may take in a day (UTC).',
    shownDefault: 'no limit',
    fallback: undefined,
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetDayUsd: define<number | undefined>({
    env: 'DOCENT_BUDGET_DAY_USD',
    group: GROUP,
    about: 'US dollars that all jobs of one project may cost in a day (UTC).',
    shownDefault: 'no limit',
    fallback: undefined,
    read: amount,
  }),
};
