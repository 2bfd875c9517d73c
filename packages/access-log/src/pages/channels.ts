import { referrerHost, type ReferrerHost } from './referrer-host.ts';

/** How readers found a page, by the host that they came from. */
export type Channel = 'ai-assistant' | 'search' | 'social' | 'code' | 'other' | 'direct';

/**
 * Hosts by channel, as of 2026-11-27, with subdomains. `*` is any ending, such as `co.uk`, without
 * subdomains, where documents and mail are. `com.` starts Android apps.
 */
const HOSTS: Record<Exclude<Channel, 'other' | 'direct'>, string> = {
  'ai-assistant': `chatgpt.com chat.openai.com com.openai.chatgpt perplexity.ai ai.perplexity.app.android claude.ai
    gemini.google.com bard.google.com notebooklm.google.com aistudio.google.com copilot.microsoft.com copilot.com
    m365.cloud.microsoft chat.mistral.ai chat.deepseek.com grok.com meta.ai poe.com you.com phind.com chat.qwen.ai
    kimi.com duck.ai devin.ai deepwiki.com`,
  search: `google.* com.google.android.googlequicksearchbox bing.com duckduckgo.com search.brave.com ecosia.org
    qwant.com startpage.com kagi.com search.yahoo.com yahoo.co.jp yandex.* baidu.com sogou.com naver.com seznam.cz
    mojeek.com swisscows.com ask.com aol.com`,
  social: `reddit.com com.reddit.frontpage news.ycombinator.com lobste.rs x.com twitter.com t.co com.twitter.android
    linkedin.com lnkd.in com.linkedin.android facebook.com fb.com messenger.com instagram.com threads.net threads.com
    bsky.app mastodon.social fosstodon.org hachyderm.io youtube.com youtu.be com.google.android.youtube tiktok.com
    pinterest.* discord.com com.discord slack.com com.slack telegram.org t.me org.telegram.messenger whatsapp.com
    quora.com medium.com dev.to hashnode.com producthunt.com vk.com weibo.com zhihu.com tumblr.com`,
  code: `github.com githubusercontent.com github.dev gitlab.com bitbucket.org codeberg.org gitea.com
    sr.ht sourceforge.net dev.azure.com stackoverflow.com stackexchange.com serverfault.com superuser.com
    askubuntu.com npmjs.com pypi.org crates.io docs.rs rubygems.org packagist.org nuget.org pkg.go.dev
    hub.docker.com marketplace.visualstudio.com codepen.io codesandbox.io stackblitz.com replit.com jsr.io`,
};

const CHANNELS = new Map<string, Channel>();
for (const [channel, hosts] of Object.entries(HOSTS)) {
  for (const host of hosts.split(/\s+/)) CHANNELS.set(host, channel as Channel);
}

/** Endings under which a `*` of the table is looked up: `de`, `co.uk`. */
const ENDING = /\.(?:com?\.)?[a-z]{2,3}$/;

/** @param host as {@link referrerHost} gives it; null for none */
export function channelOf(host: string | null): Channel {
  if (host === null) return 'direct';
  // From the whole name to its last two labels: the longest name in the table decides.
  const anyEnding = CHANNELS.get(host.replace(ENDING, '.*'));
  if (anyEnding !== undefined) return anyEnding;
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const found = CHANNELS.get(name);
    if (found !== undefined) return found;
  }
  return 'other';
}

/** Stored values of `utm_source`, as of 2026-11-27, and their hosts. */
const UTM_SOURCES = new Map([
  ['chatgpt.com', 'chatgpt.com'],
  ['chatgpt', 'chatgpt.com'],
  ['openai', 'chatgpt.com'],
  ['perplexity', 'perplexity.ai'],
  ['perplexity.ai', 'perplexity.ai'],
  ['claude.ai', 'claude.ai'],
  ['copilot.com', 'copilot.com'],
  ['copilot.microsoft.com', 'copilot.microsoft.com'],
  ['gemini.google.com', 'gemini.google.com'],
]);
const UTM_SOURCE = /[?&]utm_source=([\w.-]{1,40})(?=[&#]|$)/i;

/**
 * The host in `utm_source`, which assistants add to links, for views without a referrer. Null unless listed:
 * nothing else of a query is kept.
 */
export function utmHost(pathOrUrl: string): ReferrerHost {
  const host = UTM_SOURCES.get(UTM_SOURCE.exec(pathOrUrl)?.[1]?.toLowerCase() ?? '');
  return host === undefined ? null : referrerHost(host);
}
