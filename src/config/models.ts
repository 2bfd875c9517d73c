import type { Secret } from '../platform/secret.ts';
import { absolutePath, amount, headerSecret, httpUrl, text, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Models';

/** A part of a host name, as the clouds make addresses of it. */
const cloudName = text.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'must have letters, digits and hyphens');

/** Where nobody has said anything. */
export const DEFAULT_MODEL = 'builtin';

/** Models, their providers and what they may cost. */
export const modelSettings = {
  model: define<string | undefined>({
    env: 'DOCENT_MODEL',
    group: GROUP,
    about:
      'The model of projects that name none: `builtin`, or `<provider>/<model>` with one of the providers `anthropic`, `openai`, `google`, `google-vertex`, `amazon-bedrock`, `azure` and `openai-compatible`. API processes go by it, before what `docent model set` says. `builtin` carries out a small set of written instructions and needs no key. See [models](/agent/models).',
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
  googleApiKey: define<Secret | undefined>({
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    group: GROUP,
    about: 'The key for models of Google. Workers need it, nothing else does.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  googleBaseUrl: define({
    env: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    group: GROUP,
    about: 'Where models of Google are reached, for a proxy or gateway.',
    fallback: 'https://generativelanguage.googleapis.com/v1beta',
    read: httpUrl,
  }),
  vertexProject: define<string | undefined>({
    env: 'GOOGLE_VERTEX_PROJECT',
    group: GROUP,
    about:
      'The Google Cloud project of models of Vertex AI. Workers then use application default credentials, such as those that GOOGLE_APPLICATION_CREDENTIALS names.',
    fallback: undefined,
    read: cloudName,
  }),
  vertexLocation: define<string | undefined>({
    env: 'GOOGLE_VERTEX_LOCATION',
    group: GROUP,
    about: 'The location of models of Vertex AI, such as `global` or `europe-west4`.',
    fallback: undefined,
    read: cloudName,
  }),
  vertexApiKey: define<Secret | undefined>({
    env: 'GOOGLE_VERTEX_API_KEY',
    group: GROUP,
    about: 'A key for Vertex AI in express mode, in place of project, location and credentials.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  vertexBaseUrl: define<string | undefined>({
    env: 'GOOGLE_VERTEX_BASE_URL',
    group: GROUP,
    about: 'Where models of Vertex AI are reached, for a proxy or gateway.',
    fallback: undefined,
    read: httpUrl,
  }),
  bedrockApiKey: define<Secret | undefined>({
    env: 'AWS_BEARER_TOKEN_BEDROCK',
    group: GROUP,
    about:
      'A key of Amazon Bedrock. Without one, workers sign requests with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. AWS_REGION says where.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  awsAccessKeyId: define<string | undefined>({
    env: 'AWS_ACCESS_KEY_ID',
    group: GROUP,
    about:
      'The access key for Amazon Bedrock, with AWS_SECRET_ACCESS_KEY and, for temporary credentials, AWS_SESSION_TOKEN.',
    fallback: undefined,
    read: text,
  }),
  awsSecretAccessKey: define<Secret | undefined>({
    env: 'AWS_SECRET_ACCESS_KEY',
    group: GROUP,
    about: 'The secret of AWS_ACCESS_KEY_ID.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  awsSessionToken: define<Secret | undefined>({
    env: 'AWS_SESSION_TOKEN',
    group: GROUP,
    about: 'The token that goes with temporary credentials of AWS.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  bedrockBaseUrl: define<string | undefined>({
    env: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    group: GROUP,
    about: 'Where Amazon Bedrock is reached, for a proxy or gateway.',
    fallback: undefined,
    read: httpUrl,
  }),
  azureApiKey: define<Secret | undefined>({
    env: 'AZURE_API_KEY',
    group: GROUP,
    about: 'The key for models of Azure OpenAI. Workers need it, nothing else does.',
    fallback: undefined,
    read: headerSecret,
    isSecret: true,
  }),
  azureResourceName: define<string | undefined>({
    env: 'AZURE_RESOURCE_NAME',
    group: GROUP,
    about: 'The resource of Azure OpenAI that has the deployments: `<name>` of `https://<name>.openai.azure.com`.',
    fallback: undefined,
    read: cloudName,
  }),
  azureBaseUrl: define<string | undefined>({
    env: 'AZURE_BASE_URL',
    group: GROUP,
    about:
      'Where models of Azure OpenAI are reached, in place of AZURE_RESOURCE_NAME, for a proxy or gateway: an address that ends with `/openai`.',
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
