import { readIpRange } from '@docent/base/net/ip-address';
import { PRIVATE_HOSTS_RULE, readPrivateHost } from '@docent/base/net/private-hosts';
import { hostName, httpUrl, listenHost, listOf, wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Network';

/** As browsers write it: in lower case, no port that the scheme has anyway, no path. `*` and `null` are none. */
function isOrigin(entry: string): boolean {
  const url = URL.parse(entry);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === entry;
}

/** How the API is reached, and what requests may reach. */
export const networkSettings = {
  metricsHost: define({
    env: 'DOCENT_METRICS_HOST',
    group: GROUP,
    about: 'The address that [metrics](/operate/metrics) are answered on. Whoever reaches it reads them.',
    fallback: '127.0.0.1',
    read: listenHost,
  }),
  metricsPort: define<number | undefined>({
    env: 'DOCENT_METRICS_PORT',
    group: GROUP,
    about:
      'The port on which a process answers with [metrics](/operate/metrics); 0 for any free one. Under `docent start` it is the API’s, and the ' +
      'worker takes the next free one.',
    fallback: undefined,
    read: wholeNumber(0, 65_535),
  }),
  host: define({
    env: 'DOCENT_HOST',
    group: GROUP,
    about: 'The address that the API listens on. `0.0.0.0` opens it to other machines.',
    fallback: '127.0.0.1',
    read: listenHost,
  }),
  port: define({
    env: 'DOCENT_PORT',
    group: GROUP,
    about: 'The port that the API listens on; 0 for any free one. The option `--port` goes before it.',
    fallback: 4000,
    read: wholeNumber(0, 65_535),
  }),
  publicUrl: define<string | undefined>({
    env: 'DOCENT_PUBLIC_URL',
    group: GROUP,
    about: 'The address under which people reach the API: links to pull request pages begin with it.',
    shownDefault: '`http://<host>:<port>`',
    fallback: undefined,
    read: httpUrl,
  }),
  allowedHosts: define<readonly string[]>({
    env: 'DOCENT_ALLOWED_HOSTS',
    group: GROUP,
    about:
      'Further names, with commas between them, that requests may have in `Host`. A leading dot admits all names below. Loopback names, addresses and the host of DOCENT_PUBLIC_URL always may; others are refused, against DNS rebinding.',
    fallback: [],
    read: listOf(
      (entry) => hostName.test(entry.replace(/^\./, '')),
      'must be host names without port, with commas between them',
    ),
  }),
  allowedOrigins: define<readonly string[]>({
    env: 'DOCENT_ALLOWED_ORIGINS',
    group: GROUP,
    about:
      'Origins, with commas between them, whose pages may call the API from a browser and read its answers (CORS): scheme, name and port, such as `https://app.example.com`, each exactly as browsers send it in `Origin`. The page script needs none.',
    fallback: [],
    read: listOf(
      isOrigin,
      'must be origins of http:// or https:// without path or final slash, with commas between them, such as https://app.example.com',
    ),
  }),
  privateHosts: define<readonly string[]>({
    env: 'DOCENT_PRIVATE_HOSTS',
    group: GROUP,
    about:
      'Hosts outside the public internet that Docent may send requests to, with commas between them: names, addresses (both with `:port` if only one is meant) and CIDR ranges. Repositories, code hosts and receivers of webhooks on the server itself or in a private network are refused unless they are listed.',
    fallback: [],
    read: listOf((entry) => readPrivateHost(entry) !== null, PRIVATE_HOSTS_RULE),
  }),
  trustedProxies: define<readonly string[]>({
    env: 'DOCENT_TRUSTED_PROXIES',
    group: GROUP,
    about:
      'Addresses and CIDR ranges, with commas between them, of reverse proxies whose `X-Forwarded-For` is believed. From anybody else it is ignored.',
    fallback: [],
    read: listOf((entry) => readIpRange(entry) !== null, 'must be addresses or CIDR ranges, with commas between them'),
  }),
};
