import type { VisitorClass } from '../event-kind.ts';

/** One agent: how its user agent is recognized, and where that is documented. */
export interface AgentRule {
  readonly agent: string;
  readonly operator: string;
  readonly class: Exclude<VisitorClass, 'human'>;
  /** Found anywhere in the user agent, in any case, but not inside a longer word. */
  readonly token?: string;
  /** If a token is not enough. Case-sensitive. */
  readonly pattern?: RegExp;
  /** The operator's own documentation; without one, a third party's page about this agent. */
  readonly source: string;
}

type Row = readonly [
  agent: string,
  operator: string,
  class_: AgentRule['class'],
  match: string | RegExp,
  source: string,
];

const OPENAI = 'https://developers.openai.com/api/docs/bots';
const ANTHROPIC =
  'https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler';
const GOOGLE_CRAWLERS = 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers';
const GOOGLE_FETCHERS = 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers';
const PERPLEXITY = 'https://docs.perplexity.ai/docs/resources/perplexity-crawlers';
const META = 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers';
const AMAZON = 'https://developer.amazon.com/amazonbot';
const APPLE = 'https://support.apple.com/en-us/119829';
const MISTRAL = 'https://docs.mistral.ai/robots';
const BING = 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0';
const KIMI = 'https://www.kimi.com/policies/kimi-crawlers';
const AI2 = 'https://allenai.org/crawler';
const known = (slug: string): string => `https://knownagents.com/agents/${slug}`;

/** The first match wins: longer names come before shorter ones that they contain. */
const ROWS: readonly Row[] = [
  // OpenAI
  ['ChatGPT-User', 'OpenAI', 'assistant', 'ChatGPT-User', OPENAI],
  ['ChatGPT Agent', 'OpenAI', 'assistant', /\bChatGPT[ -]?Agent\b/i, known('chatgpt-agent')],
  ['Codex', 'OpenAI', 'assistant', /\bcodex(?:[_-]cli(?:_rs)?)?\//i, 'https://github.com/openai/codex'],
  ['OAI-SearchBot', 'OpenAI', 'search', 'OAI-SearchBot', OPENAI],
  ['GPTBot', 'OpenAI', 'training', 'GPTBot', OPENAI],
  ['OAI-AdsBot', 'OpenAI', 'other', 'OAI-AdsBot', OPENAI],
  // Anthropic. Claude Code fetches as "Claude-User (claude-code/…)".
  [
    'Claude-Code',
    'Anthropic',
    'assistant',
    /\bclaude-(?:code|cli)\b/i,
    'https://github.com/anthropics/claude-code/issues/38568',
  ],
  ['Claude-User', 'Anthropic', 'assistant', 'Claude-User', ANTHROPIC],
  ['Claude-SearchBot', 'Anthropic', 'search', 'Claude-SearchBot', ANTHROPIC],
  ['ClaudeBot', 'Anthropic', 'training', 'ClaudeBot', ANTHROPIC],
  ['anthropic-ai', 'Anthropic', 'training', 'anthropic-ai', known('anthropic-ai')],
  ['Claude-Web', 'Anthropic', 'training', 'Claude-Web', known('claude-web')],
  // Google
  ['Gemini-Deep-Research', 'Google', 'assistant', 'Gemini-Deep-Research', known('gemini-deep-research')],
  ['Google-NotebookLM', 'Google', 'assistant', /\b(?:Google-)?NotebookLM\b/i, GOOGLE_FETCHERS],
  ['Google-GeminiNotebook', 'Google', 'assistant', 'Google-GeminiNotebook', GOOGLE_FETCHERS],
  ['Google-Read-Aloud', 'Google', 'other', 'Google-Read-Aloud', GOOGLE_FETCHERS],
  ['Google-Agent', 'Google', 'assistant', 'Google-Agent', GOOGLE_FETCHERS],
  ['GoogleAgent-Mariner', 'Google', 'assistant', 'GoogleAgent-Mariner', known('googleagent-mariner')],
  ['GoogleAgent-URLContext', 'Google', 'assistant', 'GoogleAgent-URLContext', known('googleagent-urlcontext')],
  ['Gemini CLI', 'Google', 'assistant', /\b(?:Google-Gemini-CLI|GeminiCLI|Gemini-CLI)\b/i, known('google-gemini-cli')],
  ['Google-Firebase', 'Google', 'assistant', 'Google-Firebase', known('google-firebase')],
  ['Google-CloudVertexBot', 'Google', 'search', /\b(?:Google-)?CloudVertexBot\b/i, GOOGLE_CRAWLERS],
  ['Google-Extended', 'Google', 'training', 'Google-Extended', GOOGLE_CRAWLERS],
  ['GoogleOther', 'Google', 'other', /\bGoogleOther(?:-Image|-Video)?\b/i, GOOGLE_CRAWLERS],
  ['Google-InspectionTool', 'Google', 'other', 'Google-InspectionTool', GOOGLE_CRAWLERS],
  ['Storebot-Google', 'Google', 'search', 'Storebot-Google', GOOGLE_CRAWLERS],
  ['Googlebot', 'Google', 'search', /\bGooglebot(?:-Image|-News|-Video|-Mobile)?\b/i, GOOGLE_CRAWLERS],
  // Perplexity
  ['Perplexity-User', 'Perplexity', 'assistant', /\bPerplexity-?User\b/i, PERPLEXITY],
  ['PerplexityBot', 'Perplexity', 'search', 'PerplexityBot', PERPLEXITY],
  // Meta
  ['Meta-ExternalFetcher', 'Meta', 'assistant', 'meta-externalfetcher', META],
  ['Meta-WebIndexer', 'Meta', 'search', 'meta-webindexer', META],
  ['Meta-ExternalAds', 'Meta', 'other', 'meta-externalads', META],
  ['Meta-ExternalAgent', 'Meta', 'training', 'meta-externalagent', META],
  ['FacebookBot', 'Meta', 'training', 'FacebookBot', 'https://developers.facebook.com/docs/sharing/bot/'],
  ['facebookexternalhit', 'Meta', 'other', 'facebookexternalhit', META],
  // Amazon
  ['Amzn-User', 'Amazon', 'assistant', 'Amzn-User', AMAZON],
  ['AmazonBuyForMe', 'Amazon', 'assistant', 'AmazonBuyForMe', known('amazonbuyforme')],
  ['NovaAct', 'Amazon', 'assistant', 'NovaAct', known('novaact')],
  ['Amzn-SearchBot', 'Amazon', 'search', 'Amzn-SearchBot', AMAZON],
  [
    'bedrockbot',
    'Amazon',
    'search',
    'bedrockbot',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html',
  ],
  [
    'amazon-kendra',
    'Amazon',
    'search',
    'amazon-kendra',
    'https://docs.aws.amazon.com/kendra/latest/dg/what-is-kendra.html',
  ],
  ['amazon-QBusiness', 'Amazon', 'search', 'amazon-QBusiness', known('amazon-qbusiness')],
  ['Amazonbot', 'Amazon', 'training', 'Amazonbot', AMAZON],
  // Apple
  ['Applebot-Extended', 'Apple', 'training', 'Applebot-Extended', APPLE],
  ['Applebot', 'Apple', 'search', 'Applebot', APPLE],
  // Microsoft, and editors with a built-in agent. In an editor, pages open in its own Electron.
  [
    'GitHub Copilot',
    'GitHub',
    'assistant',
    /\bGitHub-?Copilot|\bcopilot-(?:cli|agent)\b/i,
    'https://docs.github.com/en/copilot',
  ],
  ['VS Code', 'Microsoft', 'assistant', /\bCode(?: - Insiders)?\/\d[\d.]* (?:.* )?Electron\//, known('code')],
  ['AzureAI-SearchBot', 'Microsoft', 'search', 'AzureAI-SearchBot', known('azureai-searchbot')],
  ['Bingbot', 'Microsoft', 'search', 'bingbot', BING],
  ['BingPreview', 'Microsoft', 'other', 'BingPreview', BING],
  ['AdIdxBot', 'Microsoft', 'other', 'adidxbot', BING],
  ['Cursor', 'Anysphere', 'assistant', /\bCursor\/\d/, known('cursor')],
  ['Windsurf', 'Cognition', 'assistant', /\b(?:Windsurf|Codeium)\/\d/i, 'https://docs.windsurf.com'],
  ['Devin', 'Cognition', 'assistant', /\bDevin(?:\b|(?=AI|Bot))/, known('devin')],
  ['opencode', 'Anomaly', 'assistant', /\bopencode\b/i, known('opencode')],
  ['Trae', 'ByteDance', 'assistant', /\bTrae\/\d/, known('trae')],
  ['Cline', 'Cline', 'assistant', /\bCline\/\d/i, 'https://docs.cline.bot'],
  ['Roo Code', 'Roo Code', 'assistant', /\bRoo-?Code\/\d/i, 'https://docs.roocode.com'],
  ['Kiro', 'Amazon', 'assistant', /\bKiro\/\d/i, 'https://kiro.dev/docs'],
  ['aider', 'aider', 'assistant', /\baider\/\d/i, 'https://aider.chat/docs/'],
  // The reference server of the Model Context Protocol that fetches pages.
  [
    'MCP fetch',
    'Model Context Protocol',
    'assistant',
    /\bModelContextProtocol\/\d/,
    'https://github.com/modelcontextprotocol/servers/tree/main/src/fetch',
  ],
  ['KimiBot', 'Moonshot AI', 'training', 'KimiBot', KIMI],
  ['Kimi-SearchBot', 'Moonshot AI', 'search', 'Kimi-SearchBot', KIMI],
  // Tools that would count as people: they name a browser, or do not name themselves.
  [
    'PowerShell',
    'Microsoft',
    'other',
    /\b(?:Windows)?PowerShell\/\d/,
    'https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/invoke-webrequest',
  ],
  ['Sphinx', 'Sphinx', 'other', /^Sphinx\/\d|\bSphinx\/\d[\w.]* /, 'https://www.sphinx-doc.org'],
  // Mistral, Cohere, Ai2, Common Crawl
  ['MistralAI-User', 'Mistral', 'assistant', 'MistralAI-User', MISTRAL],
  ['MistralAI-Index', 'Mistral', 'search', 'MistralAI-Index', MISTRAL],
  ['MistralAI-Training', 'Mistral', 'training', 'MistralAI-Training', MISTRAL],
  [
    'cohere-training-data-crawler',
    'Cohere',
    'training',
    'cohere-training-data-crawler',
    known('cohere-training-data-crawler'),
  ],
  ['cohere-ai', 'Cohere', 'assistant', 'cohere-ai', known('cohere-ai')],
  ['AI2Bot-DeepResearchEval', 'Ai2', 'assistant', 'AI2Bot-DeepResearchEval', known('ai2bot-deepresearcheval')],
  ['AI2Bot', 'Ai2', 'training', /\bAI2Bot(?:-Dolma)?\b/i, AI2],
  ['CCBot', 'Common Crawl', 'training', 'CCBot', 'https://commoncrawl.org/ccbot'],
  // Search engines with assistants
  [
    'DuckAssistBot',
    'DuckDuckGo',
    'assistant',
    'DuckAssistBot',
    'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot',
  ],
  [
    'DuckDuckBot',
    'DuckDuckGo',
    'search',
    'DuckDuckBot',
    'https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot',
  ],
  ['kagi-fetcher', 'Kagi', 'assistant', 'kagi-fetcher', 'https://help.kagi.com/kagi/ai/kagi-ai.html'],
  ['Bravebot', 'Brave', 'search', 'Bravebot', 'https://safe.search.brave.com/help/brave-search-crawler'],
  ['YouBot', 'You.com', 'search', 'YouBot', 'https://about.you.com/youbot/'],
  ['Andibot', 'Andi', 'search', 'Andibot', 'https://andisearch.com/'],
  ['PhindBot', 'Phind', 'assistant', 'PhindBot', known('phindbot')],
  ['iAskBot', 'iAsk', 'search', /\biAsk(?:Bot|spider)\b/i, known('iaskspider')],
  ['LinerBot', 'Liner', 'assistant', 'LinerBot', 'https://docs.getliner.com/docs/linerbot'],
  [
    'YandexAdditional',
    'Yandex',
    'assistant',
    /\bYandexAdditional(?:Bot)?\b/i,
    'https://yandex.ru/support/webmaster/en/search-appearance/fast.html?lang=en',
  ],
  [
    'YandexBot',
    'Yandex',
    'search',
    'YandexBot',
    'https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots.html',
  ],
  [
    'Baiduspider',
    'Baidu',
    'search',
    /\bBaiduspider(?:-[a-z]+)?\b/i,
    'https://help.baidu.com/question?prod_id=99&class=0&id=3001',
  ],
  ['PetalBot', 'Huawei', 'search', 'PetalBot', known('petalbot')],
  ['AddSearchBot', 'AddSearch', 'search', 'AddSearchBot', known('addsearchbot')],
  ['ZanistaBot', 'Zanista', 'search', 'ZanistaBot', 'https://zanista.ai/crawler-info'],
  ['Channel3Bot', 'Channel3', 'search', 'Channel3Bot', 'https://trychannel3.com/channel3bot'],
  [
    'Anomura',
    'Direqt',
    'search',
    'Anomura',
    'https://docs.direqt-search.com/direqt-bots/direqt-crawlers-and-user-agents',
  ],
  // Search and fetch made for agents
  ['Exa', 'Exa', 'search', /\bExa(?:Search)?Bot\b/i, known('exasearchbot')],
  ['TavilyBot', 'Tavily', 'search', 'TavilyBot', known('tavilybot')],
  ['LinkupBot', 'Linkup', 'search', 'LinkupBot', 'https://linkup.so/bot'],
  ['Shap-User', 'Parallel', 'assistant', 'Shap-User', known('shap-user')],
  ['ShapBot', 'Parallel', 'search', 'ShapBot', 'https://docs.parallel.ai/resources/crawler'],
  ['FirecrawlAgent', 'Firecrawl', 'assistant', /\bFirecrawl(?:Agent)?\b/i, known('firecrawlagent')],
  ['Mozilla-Tabstack', 'Mozilla', 'assistant', 'Mozilla-Tabstack', 'https://docs.tabstack.ai/trust/controlling-access'],
  ['Cloudflare-AutoRAG', 'Cloudflare', 'search', 'Cloudflare-AutoRAG', 'https://developers.cloudflare.com/autorag'],
  [
    'atlassian-bot',
    'Atlassian',
    'search',
    'atlassian-bot',
    'https://support.atlassian.com/organization-administration/docs/connect-custom-website-to-rovo/',
  ],
  ['QueritBot', 'Querit', 'search', /\bQuerit(?:-Search)?Bot\b/i, known('queritbot')],
  // Assistants and agents of others
  ['Kimi-User', 'Moonshot AI', 'assistant', 'Kimi-User', known('kimi-user')],
  ['Manus-User', 'Manus', 'assistant', /\bManus(?:-User|Bot)?(?:\/\d|\b)/, known('manus-user')],
  ['TongyiBot', 'Alibaba', 'assistant', 'TongyiBot', known('tongyibot')],
  ['YiyanBot', 'Baidu', 'assistant', 'YiyanBot', known('yiyanbot')],
  ['TwinAgent', 'Twin', 'assistant', 'TwinAgent', known('twinagent')],
  ['UseAI', 'UseAI', 'assistant', 'UseAI', known('useai')],
  ['WRTNBot', 'Wrtn', 'assistant', 'WRTNBot', known('wrtnbot')],
  ['KlaviyoAIBot', 'Klaviyo', 'assistant', 'KlaviyoAIBot', known('klaviyoaibot')],
  ['QualifiedBot', 'Qualified', 'assistant', 'QualifiedBot', known('qualifiedbot')],
  ['bigsur.ai', 'Big Sur AI', 'assistant', 'bigsur.ai', known('bigsur-ai')],
  ['Poggio-Citations', 'Poggio', 'assistant', 'Poggio-Citations', 'https://docs.poggio.io/api/robots'],
  // Collectors of training data
  ['Bytespider', 'ByteDance', 'training', 'Bytespider', known('bytespider')],
  ['TikTokSpider', 'ByteDance', 'training', 'TikTokSpider', known('tiktokspider')],
  ['DeepSeekBot', 'DeepSeek', 'training', 'DeepSeekBot', known('deepseekbot')],
  ['ChatGLM-Spider', 'Zhipu AI', 'training', 'ChatGLM-Spider', known('chatglm-spider')],
  ['PanguBot', 'Huawei', 'training', 'PanguBot', known('pangubot')],
  ['Diffbot', 'Diffbot', 'training', 'Diffbot', 'https://docs.diffbot.com'],
  ['Timpibot', 'Timpi', 'training', 'Timpibot', 'https://timpi.io'],
  ['Webzio-Extended', 'Webz.io', 'training', 'webzio-extended', 'https://webz.io/'],
  ['omgili', 'Webz.io', 'training', /\bomgili(?:bot)?\b/i, 'https://webz.io/'],
  ['ImagesiftBot', 'Hive', 'training', 'ImagesiftBot', 'https://imagesift.com/about'],
  ['img2dataset', 'img2dataset', 'training', 'img2dataset', 'https://github.com/rom1504/img2dataset'],
  ['LAION', 'LAION', 'training', /\b(?:laion-huggingface-processor|LAIONDownloader)\b/i, 'https://laion.ai/'],
  ['Kangaroo Bot', 'Kangaroo LLM', 'training', 'Kangaroo Bot', 'https://kangaroollm.com.au/kangaroo-bot/'],
  ['SBIntuitionsBot', 'SB Intuitions', 'training', 'SBIntuitionsBot', 'https://www.sbintuitions.co.jp/bot/'],
  ['ICC-Crawler', 'NICT', 'training', 'ICC-Crawler', known('icc-crawler')],
  ['Cotoyogi', 'ROIS', 'training', 'Cotoyogi', 'https://ds.rois.ac.jp/en_center8/en_crawler/'],
  ['FriendlyCrawler', 'unknown', 'training', 'FriendlyCrawler', known('friendlycrawler')],
  ['VelenPublicWebCrawler', 'Velen', 'training', 'VelenPublicWebCrawler', 'https://velen.io'],
  ['imageSpider', 'ByteDance', 'training', 'imageSpider', known('imagespider')],
  ['TerraCotta', 'Ceramic', 'training', /\bTerra ?Cotta\b/i, 'https://github.com/CeramicTeam/CeramicTerracotta'],
];

/** Our own table: AI agents and the search engines that they use. */
export const AGENT_RULES: readonly AgentRule[] = ROWS.map(([agent, operator, class_, match, source]) => ({
  agent,
  operator,
  class: class_,
  ...(typeof match === 'string' ? { token: match } : { pattern: match }),
  source,
}));

const RULES = new Map(AGENT_RULES.map((rule) => [rule.agent, rule]));

/** The operator of an agent, or null if the table has none. */
export const operatorOf = (agent: string): string | null => RULES.get(agent)?.operator ?? null;

/** The class of an agent, or null if the table has none. */
export const classOfAgent = (agent: string): AgentRule['class'] | null => RULES.get(agent)?.class ?? null;
