import type { Config } from '../config/config.ts';
import { LISTINGS_AT_ONCE } from '../platform/processes/pool-sizes.ts';

const REQUEST_LIMITS = {
  /** Largest body, in bytes. */
  maxBodyBytes: 1_048_576,
  /** How long a body may take to arrive, in milliseconds; events may take as long as they like. */
  bodyMs: 60_000,
  /** The longest pause within a body of events, in milliseconds. */
  silenceMs: 60_000,
  /** Requests with events that one caller may send to a server in a minute. */
  eventRequestsPerMinute: 12_000,
  /** Messages of webhooks that a project may ask a server for in a minute: tests, and messages sent again. */
  webhookMessagesPerMinute: 30,
  /** Streams of events that one caller may have open at a server. */
  streamsPerCaller: 100,
  /** Streams of events that a server has open. */
  streams: 1_000,
  /** Listings that one caller may read whole at a time, at a server. */
  wholeListingsPerCaller: 4,
  wholeListings: LISTINGS_AT_ONCE,
  /** The interval of a stream's heartbeats, in milliseconds. */
  heartbeatMs: 15_000,
  /** How long a reader of a stream may take nothing, in milliseconds. */
  stallMs: 60_000,
  /** How often it is looked whether the reader of a stream may still read it, in milliseconds. */
  authorizeMs: 3_000,
};

type RequestLimits = typeof REQUEST_LIMITS;

/** The installation's settings that the API needs (explained there), and the limits of its requests. */
export interface ApiConfig
  extends
    Readonly<RequestLimits>,
    Pick<
      Config,
      | 'branchPrefix'
      | 'jobsPerHour'
      | 'messagesPerHour'
      | 'concurrentJobs'
      | 'projectConcurrentJobs'
      | 'attachmentsPerHour'
      | 'attachmentMegabytes'
      | 'keyPrefix'
      | 'model'
      | 'trustedProxies'
      | 'allowedHosts'
      | 'allowedOrigins'
      | 'tokensPerMinute'
      | 'sessionDays'
      | 'sessionIdleDays'
      | 'failedSignInsPerMinute'
      | 'viewsPerMinute'
      | 'newPathsPerHour'
      | 'privateHosts'
      | 'feedbackPerMinute'
      | 'searchesPerMinute'
      | 'openIdIssuer'
      | 'openIdClientId'
      | 'openIdClientSecret'
      | 'openIdName'
      | 'openIdScopes'
      | 'openIdRolesClaim'
      | 'openIdRoles'
      | 'openIdDefaultRole'
    > {}

export const apiConfigOf = (config: Config): ApiConfig => ({ ...REQUEST_LIMITS, ...config });
