import type { Config } from '../config/config.ts';

/** Limits of requests that are no settings. */
const REQUEST_LIMITS = {
  /** Largest body, in bytes. */
  maxBodyBytes: 1_048_576,
  /** How long a body may take to arrive, in milliseconds; events may take as long as they like. */
  bodyMs: 60_000,
  /** How long nothing may come of a body of events, in milliseconds. */
  silenceMs: 60_000,
};

type RequestLimits = typeof REQUEST_LIMITS;

/** What the API needs of the installation's settings, which are explained there, and the limits of its requests. */
export interface ApiConfig
  extends
    Readonly<RequestLimits>,
    Pick<
      Config,
      | 'jobsPerHour'
      | 'messagesPerHour'
      | 'concurrentJobs'
      | 'projectConcurrentJobs'
      | 'keyPrefix'
      | 'model'
      | 'trustedProxies'
      | 'allowedHosts'
      | 'failedSignInsPerMinute'
      | 'viewsPerMinute'
      | 'newPathsPerHour'
    > {}

export const apiConfigOf = (config: Config): ApiConfig => ({ ...REQUEST_LIMITS, ...config });
