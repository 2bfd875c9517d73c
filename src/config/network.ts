import { readIpRange } from '@docent/base/net/ip-address';
import { PRIVATE_HOSTS_RULE, readPrivateHost } from '@docent/base/net/private-hosts';
import { hostName, httpUrl, listenHost, listOf, onOff, wholeNumber } from './readers.ts';
import { define, optional } from './setting.ts';

const SIGNATURE_AGENTS = ['https://chatgpt.com', 'https://agent.bot.goog'];

/** As browsers write it: lower case, no default port, no path. `*` and `null` are not origins. */
function isOrigin(entry: string): boolean {
  const url = URL.parse(entry);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === entry;
}

/** How the API is reached, and what requests may reach. */
export const networkSettings = {
  metricsHost: define({
    env: 'DOCENT_METRICS_HOST',
    about: 'The address that serves [metrics](/operate/metrics). Anyone who reaches it can read them.',
    fallback: '127.0.0.1',
    read: listenHost,
  }),
  metricsPort: optional<number>({
    env: 'DOCENT_METRICS_PORT',
    about:
      'The port that serves [metrics](/operate/metrics); 0 for any free one. With `docent start`, the ' +
      'API uses it and the worker uses the next free one.',
    read: wholeNumber(0, 65_535),
  }),
  host: define({
    env: 'DOCENT_HOST',
    about: 'The address that the API listens on. `0.0.0.0` allows access from other machines.',
    fallback: '127.0.0.1',
    read: listenHost,
  }),
  port: define({
    env: 'DOCENT_PORT',
    about: 'The port that the API listens on; 0 for any free one. `--port` overrides it.',
    fallback: 4000,
    read: wholeNumber(0, 65_535),
  }),
  publicUrl: optional<string>({
    env: 'DOCENT_PUBLIC_URL',
    about: 'The address that people use. Links to pull request pages start with it.',
    shownDefault: '`http://<host>:<port>`',
    read: httpUrl,
  }),
  allowedHosts: define<readonly string[]>({
    env: 'DOCENT_ALLOWED_HOSTS',
    about:
      'Other names that requests may have in `Host`, separated by commas. A leading dot allows all ' +
      'subdomains. Loopback names, addresses and the host of DOCENT_PUBLIC_URL are always allowed.',
    fallback: [],
    read: listOf(
      (entry) => hostName.test(entry.replace(/^\./, '')),
      'must be host names without port, with commas between them',
    ),
  }),
  allowedOrigins: define<readonly string[]>({
    env: 'DOCENT_ALLOWED_ORIGINS',
    about:
      'Origins whose pages may call the API from a browser (CORS), separated by commas, such as ' +
      '`https://app.example.com`. The page script does not need this.',
    fallback: [],
    read: listOf(
      isOrigin,
      'must be origins of http:// or https:// without path or final slash, with commas between them, such as https://app.example.com',
    ),
  }),
  privateHosts: define<readonly string[]>({
    env: 'DOCENT_PRIVATE_HOSTS',
    about:
      'Private hosts that Docent may contact, separated by commas: names, addresses (with `:port` to ' +
      'allow one port only) and CIDR ranges. See [requests that Docent ' +
      'sends](/operate/security#requests-that-docent-sends).',
    fallback: [],
    read: listOf((entry) => readPrivateHost(entry) !== null, PRIVATE_HOSTS_RULE),
  }),
  agentLookups: define({
    env: 'DOCENT_AGENT_LOOKUPS',
    about:
      '`off`: no DNS lookups of clients that claim to be a crawler whose operator publishes no ' +
      'addresses. See [verified agents](/analytics/agents#verified-agents).',
    shownDefault: '`on`',
    fallback: true,
    read: onOff,
  }),
  signatureAgents: define<readonly string[]>({
    env: 'DOCENT_SIGNATURE_AGENTS',
    about:
      'Origins of agents whose [signed requests](/analytics/agents#by-signature) are trusted, separated ' +
      'by commas. The worker reads their keys daily.',
    shownDefault: '`https://chatgpt.com,https://agent.bot.goog`',
    fallback: SIGNATURE_AGENTS,
    read: listOf(
      (entry) => entry.startsWith('https://') && isOrigin(entry),
      'must be origins of https:// without path or final slash, with commas between them, such as https://chatgpt.com',
    ),
  }),
  trustedProxies: define<readonly string[]>({
    env: 'DOCENT_TRUSTED_PROXIES',
    about:
      'Addresses and CIDR ranges of your reverse proxies, separated by commas. Docent reads `X-Forwarded-For` only from these.',
    fallback: [],
    read: listOf((entry) => readIpRange(entry) !== null, 'must be addresses or CIDR ranges, with commas between them'),
  }),
};
