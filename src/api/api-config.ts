/** Settings of the API. The composition root maps the environment onto it. */
export interface ApiConfig {
  /** New jobs that a project may have per sliding hour. */
  jobsPerHour: number;
  /** Follow-up messages that a project may have per sliding hour. */
  messagesPerHour: number;
  /** First part of new keys: a lower-case letter, then 1 to 31 lower-case letters or digits. Older keys keep theirs. */
  keyPrefix: string;
  /** The model of projects that name none. */
  defaultModel: string;
  /** Addresses or CIDR ranges of the proxies in front: only from them is `X-Forwarded-For` believed. */
  trustedProxies: readonly string[];
  /**
   * Names under which the server may be called, besides loopback names, IP addresses and the public URL's host. Without port; a
   * leading dot admits all names below.
   */
  allowedHosts: readonly string[];
  /** Largest body, in bytes. */
  maxBodyBytes: number;
  /** Wrong keys and operator tokens that one address may send in a minute before it is answered 429. */
  failedSignInsPerMinute: number;
  /** How long a body may take to arrive, in milliseconds; events may take as long as they like. */
  bodyMs: number;
  /** How long nothing may come of a body of events, in milliseconds. */
  silenceMs: number;
  /** Page views that one address may send to the public endpoint in a minute. */
  viewsPerMinute: number;
  /** Pages never counted before that the public endpoint takes for a project in an hour. */
  newPathsPerHour: number;
}

export const DEFAULT_API_CONFIG: ApiConfig = Object.freeze({
  jobsPerHour: 100,
  messagesPerHour: 100,
  keyPrefix: 'docent',
  defaultModel: 'builtin',
  trustedProxies: [],
  allowedHosts: [],
  maxBodyBytes: 1_048_576,
  failedSignInsPerMinute: 20,
  bodyMs: 60_000,
  silenceMs: 60_000,
  viewsPerMinute: 120,
  newPathsPerHour: 1_000,
});
