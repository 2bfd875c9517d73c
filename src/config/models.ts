import type { Secret } from '../platform/secret.ts';
import { absolutePath, amount, headerSecret, httpUrl, text, wholeNumber } from './readers.ts';
import { define, optional } from './setting.ts';

/** A part of a host name from which a cloud's address is formed. */
const cloudName = text.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'must have letters, digits and hyphens');

/** The model of installations that set none. */
export const DEFAULT_MODEL = 'builtin';

/** Models, their providers and budgets. */
export const modelSettings = {
  model: optional<string>({
    env: 'DOCENT_MODEL',
    about:
      'The [model](/agent/models) of projects that name none: `builtin`, or `<provider>/<model>` with `anthropic`, `openai`, `google`, `google-vertex`, `amazon-bedrock`, `azure` or `openai-compatible`. Overrides `docent model set`. For API processes.',
    shownDefault: 'what `docent model set` says, else `builtin`',
    read: text.regex(
      /^(builtin|(anthropic|openai|google|google-vertex|amazon-bedrock|azure|openai-compatible)\/[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,150})$/,
      'must be builtin, anthropic/<model>, openai/<model>, google/<model>, google-vertex/<model>, amazon-bedrock/<model>, azure/<model> or openai-compatible/<model>',
    ),
  }),
  anthropicApiKey: optional<Secret>({
    env: 'ANTHROPIC_API_KEY',
    about: "The key for Anthropic's models. For workers only.",
    read: headerSecret,
    isSecret: true,
  }),
  anthropicBaseUrl: define({
    env: 'ANTHROPIC_BASE_URL',
    about: "The address of a proxy or gateway for Anthropic's models, with or without `/v1`.",
    fallback: 'https://api.anthropic.com',
    read: httpUrl,
  }),
  openaiApiKey: optional<Secret>({
    env: 'OPENAI_API_KEY',
    about: "The key for OpenAI's models. For workers only.",
    read: headerSecret,
    isSecret: true,
  }),
  openaiBaseUrl: define({
    env: 'OPENAI_BASE_URL',
    about: "The address of a proxy or gateway with OpenAI's Responses API.",
    fallback: 'https://api.openai.com/v1',
    read: httpUrl,
  }),
  openaiCompatibleApiKey: optional<Secret>({
    env: 'OPENAI_COMPATIBLE_API_KEY',
    about: 'The key for the OpenAI-compatible server, if it needs one.',
    read: headerSecret,
    isSecret: true,
  }),
  openaiCompatibleBaseUrl: optional<string>({
    env: 'OPENAI_COMPATIBLE_BASE_URL',
    about:
      'The base URL of a server with the Chat Completions API: `http://127.0.0.1:11434/v1` for Ollama, ' +
      '`http://127.0.0.1:8000/v1` for vLLM.',
    read: httpUrl,
  }),
  googleApiKey: optional<Secret>({
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    about: "The key for Google's models. For workers only.",
    read: headerSecret,
    isSecret: true,
  }),
  googleBaseUrl: define({
    env: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    about: "The address of a proxy or gateway for Google's models.",
    fallback: 'https://generativelanguage.googleapis.com/v1beta',
    read: httpUrl,
  }),
  vertexProject: optional<string>({
    env: 'GOOGLE_VERTEX_PROJECT',
    about:
      'The Google Cloud project for Vertex AI. Workers use application default credentials, such as GOOGLE_APPLICATION_CREDENTIALS.',
    read: cloudName,
  }),
  vertexLocation: optional<string>({
    env: 'GOOGLE_VERTEX_LOCATION',
    about: 'The location for Vertex AI, such as `global` or `europe-west4`.',
    read: cloudName,
  }),
  vertexApiKey: optional<Secret>({
    env: 'GOOGLE_VERTEX_API_KEY',
    about: 'A key for Vertex AI in express mode, instead of project, location and credentials.',
    read: headerSecret,
    isSecret: true,
  }),
  vertexBaseUrl: optional<string>({
    env: 'GOOGLE_VERTEX_BASE_URL',
    about: 'The address of a proxy or gateway for Vertex AI.',
    read: httpUrl,
  }),
  bedrockApiKey: optional<Secret>({
    env: 'AWS_BEARER_TOKEN_BEDROCK',
    about:
      'A key for Amazon Bedrock. Without it, workers use the AWS credentials that they find: ' +
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, SSO, or the role of the container or ' +
      'machine. Set AWS_REGION, too.',
    read: headerSecret,
    isSecret: true,
  }),
  bedrockBaseUrl: optional<string>({
    env: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    about: 'The address of a proxy or gateway for Amazon Bedrock.',
    read: httpUrl,
  }),
  azureApiKey: optional<Secret>({
    env: 'AZURE_API_KEY',
    about: "The key for Azure OpenAI's models. For workers only.",
    read: headerSecret,
    isSecret: true,
  }),
  azureResourceName: optional<string>({
    env: 'AZURE_RESOURCE_NAME',
    about: 'The Azure OpenAI resource: `<name>` of `https://<name>.openai.azure.com`.',
    read: cloudName,
  }),
  azureBaseUrl: optional<string>({
    env: 'AZURE_BASE_URL',
    about: 'The address of a proxy or gateway, instead of AZURE_RESOURCE_NAME. It ends with `/openai`.',
    read: httpUrl,
  }),
  modelsFile: optional<string>({
    env: 'DOCENT_MODELS_FILE',
    about:
      "A JSON file with prices and context windows that override Docent's own: see [models](/agent/models#prices).",
    read: absolutePath,
  }),
  modelAttempts: define({
    env: 'DOCENT_MODEL_ATTEMPTS',
    about:
      'Attempts for one answer when a model is overloaded, rate-limited or unreachable. Pauses grow from ' +
      'a second to a minute, or follow the provider.',
    fallback: 10,
    read: wholeNumber(1, 100),
  }),
  modelIdleSeconds: define({
    env: 'DOCENT_MODEL_IDLE_SECONDS',
    about: 'Seconds without data until a request to a model is repeated. At most 290.',
    fallback: 120,
    read: wholeNumber(1, 290),
  }),
  budgetJobTokens: optional<number>({
    env: 'DOCENT_BUDGET_JOB_TOKENS',
    about:
      'Input and output tokens that one job may use. The job stops before its next step and keeps its changes. A project can override it.',
    shownDefault: 'no limit',
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetJobUsd: optional<number>({
    env: 'DOCENT_BUDGET_JOB_USD',
    about: 'US dollars per job.',
    shownDefault: 'no limit',
    read: amount,
  }),
  budgetDayTokens: optional<number>({
    env: 'DOCENT_BUDGET_DAY_TOKENS',
    about: 'Tokens that all jobs of a project may use per day (UTC).',
    shownDefault: 'no limit',
    read: wholeNumber(1, 1_000_000_000_000),
  }),
  budgetDayUsd: optional<number>({
    env: 'DOCENT_BUDGET_DAY_USD',
    about: 'US dollars that all jobs of a project may cost per day (UTC).',
    shownDefault: 'no limit',
    read: amount,
  }),
};
