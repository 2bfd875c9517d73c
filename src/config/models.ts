import type { Secret } from '../platform/secret.ts';
import { absolutePath, amount, headerSecret, httpUrl, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Models';

/** A part of a host name from which a cloud's address is formed. */
const cloudName = text.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'must have letters, digits and hyphens');

/** The model of installations that set none. */
export const DEFAULT_MODEL = 'builtin';

/** Models, their providers and budgets. */
export const modelSettings = {
  model: define<string | undefined>({
    env: 'DOCENT_MODEL',
    group: GROUP,
    about:
      'The [model](/agent/models) of projects that name none: `builtin`, or `<provider>/<model>` with `anthropic`, `openai`, `google`, `google-vertex`, `amazon-bedrock`, `azure` or `openai-compatible`. Overrides `docent model set`. For API processes.',
    shownDefault: 'what `docent model set` says, else `builtin`',
    fallback: undefined,
    read: text.regex(
      /^(builtin|(anthropic|openai|google|google-vertex|amazon-bedrock|azure|openai-compatible)\/[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,150})$/,
      'must be builtin, anthropic/<model>, openai/<model>, google/<model>, google-vertex/<model>, amazon-bedrock/<model>, azure/<model> or openai-compatible/<model>',
    ),
  }),
  anthropicApiKey: define<Secret | undefined>({
    env: 'ANTHROPIC_API_KEY',
    group: GROUP,
    about: "The key for Anthropic's models. For workers only.",
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  anthropicBaseUrl: define({
    env: 'ANTHROPIC_BASE_URL',
    group: GROUP,
    about: "The address of a proxy or gateway for Anthropic's models, with or without `/v1`.",
    fallback: 'https://api.anthropic.com',
    read: httpUrl,
  }),
  openaiApiKey: define<Secret | undefined>({
    env: 'OPENAI_API_KEY',
    group: GROUP,
    about: "The key for OpenAI's models. For workers only.",
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  openaiBaseUrl: define({
    env: 'OPENAI_BASE_URL',
    group: GROUP,
    about: "The address of a proxy or gateway with OpenAI's Responses API.",
    fallback: 'https://api.openai.com/v1',
    read: httpUrl,
  }),
  openaiCompatibleApiKey: define<Secret | undefined>({
    env: 'OPENAI_COMPATIBLE_API_KEY',
    group: GROUP,
    about: 'The key for the OpenAI-compatible server, if it needs one.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  openaiCompatibleBaseUrl: define<string | undefined>({
    env: 'OPENAI_COMPATIBLE_BASE_URL',
    group: GROUP,
    about:
      'The base URL of a server with the Chat Completions API: `http://127.0.0.1:11434/v1` for Ollama, ' +
      '`http://127.0.0.1:8000/v1` for vLLM.',
    fallback: undefined,
    read: httpUrl,
  }),
  googleApiKey: define<Secret | undefined>({
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    group: GROUP,
    about: "The key for Google's models. For workers only.",
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  googleBaseUrl: define({
    env: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    group: GROUP,
    about: "The address of a proxy or gateway for Google's models.",
    fallback: 'https://generativelanguage.googleapis.com/v1beta',
    read: httpUrl,
  }),
  vertexProject: define<string | undefined>({
    env: 'GOOGLE_VERTEX_PROJECT',
    group: GROUP,
    about:
      'The Google Cloud project for Vertex AI. Workers use application default credentials, such as GOOGLE_APPLICATION_CREDENTIALS.',
    fallback: undefined,
    read: cloudName,
  }),
  vertexLocation: define<string | undefined>({
    env: 'GOOGLE_VERTEX_LOCATION',
    group: GROUP,
    about: 'The location for Vertex AI, such as `global` or `europe-west4`.',
    fallback: undefined,
    read: cloudName,
  }),
  vertexApiKey: define<Secret | undefined>({
    env: 'GOOGLE_VERTEX_API_KEY',
    group: GROUP,
    about: 'A key for Vertex AI in express mode, instead of project, location and credentials.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  vertexBaseUrl: define<string | undefined>({
    env: 'GOOGLE_VERTEX_BASE_URL',
    group: GROUP,
    about: 'The address of a proxy or gateway for Vertex AI.',
    fallback: undefined,
    read: httpUrl,
  }),
  bedrockApiKey: define<Secret | undefined>({
    env: 'AWS_BEARER_TOKEN_BEDROCK',
    group: GROUP,
    about:
      'A key for Amazon Bedrock. Without it, workers use the AWS credentials that they find: ' +
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, SSO, or the role of the container or ' +
      'machine. Set AWS_REGION, too.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  bedrockBaseUrl: define<string | undefined>({
    env: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    group: GROUP,
    about: 'The address of a proxy or gateway for Amazon Bedrock.',
    fallback: undefined,
    read: httpUrl,
  }),
  azureApiKey: define<Secret | undefined>({
    env: 'AZURE_API_KEY',
    group: GROUP,
    about: "The key for Azure OpenAI's models. For workers only.",
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  azureResourceName: define<string | undefined>({
    env: 'AZURE_RESOURCE_NAME',
    group: GROUP,
    about: 'The Azure OpenAI resource: `<name>` of `https://<name>.openai.azure.com`.',
    fallback: undefined,
    read: cloudName,
  }),
  azureBaseUrl: define<string | undefined>({
    env: 'AZURE_BASE_URL',
    group: GROUP,
    about: 'The address of a proxy or gateway, instead of AZURE_RESOURCE_NAME. It ends with `/openai`.',
    fallback: undefined,
    read: httpUrl,
  }),
  modelsFile: define<string | undefined>({
    env: 'DOCENT_MODELS_FILE',
    group: GROUP,
    about:
      "A JSON file with prices and context windows that override Docent's own: see [models](/agent/models#prices).",
    fallback: undefined,
    read: absolutePath,
  }),
  modelAttempts: define({
    env: 'DOCENT_MODEL_ATTEMPTS',
    group: GROUP,
    about:
      'Attempts for one answer when a model is overloaded, rate-limited or unreachable. Pauses grow from ' +
      'a second to a minute, or follow the provider.',
    fallback: 10,
    read: wholeNumber(1, 100),
  }),
  modelIdleSeconds: define({
    env: 'DOCENT_MODEL_IDLE_SECONDS',
    group: GROUP,
    about: 'Seconds without data until a request to a model is repeated. At most 290.',
    fallback: 120,
    read: wholeNumber(1, 290),
  }),
  budgetJobTokens: define<number | undefined>({
    env: 'DOCENT_BUDGET_JOB_TOKENS',
    group: GROUP,
    about:
      'Input and output tokens that one job may use. The job stops before its next step and keeps its changes. A project can override it.',
    shownDefault: 'no limit',
    fallback: undefined,
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetJobUsd: define<number | undefined>({
    env: 'DOCENT_BUDGET_JOB_USD',
    group: GROUP,
    about: 'US dollars per job.',
    shownDefault: 'no limit',
    fallback: undefined,
    read: amount,
  }),
  budgetDayTokens: define<number | undefined>({
    env: 'DOCENT_BUDGET_DAY_TOKENS',
    group: GROUP,
    about: 'Tokens that all jobs of a project may use per day (UTC).',
    shownDefault: 'no limit',
    fallback: undefined,
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetDayUsd: define<number | undefined>({
    env: 'DOCENT_BUDGET_DAY_USD',
    group: GROUP,
    about: 'US dollars that all jobs of a project may cost per day (UTC).',
    shownDefault: 'no limit',
    fallback: undefined,
    read: amount,
  }),
};
