import { NewPathLimit } from '../analytics/ingest/script/new-path-limit.ts';
import type { Logger } from '../platform/log.ts';
import { AddressLimit } from '../platform/net/address-limit.ts';
import type { ApiConfig } from './api-config.ts';
import { SignInLimit } from './middleware/sign-in-limit.ts';
import { OpenStreams } from './streams/open-streams.ts';

/** The limits that this process counts in memory. */
export type Limits = ReturnType<typeof createLimits>;

export function createLimits(config: ApiConfig, log: Logger) {
  return {
    streams: new OpenStreams({
      all: config.streams,
      perCaller: config.streamsPerCaller,
      what: 'streams',
      instead: 'pages of events',
    }),
    /** Listings of analytics that are read whole. */
    wholeListings: new OpenStreams({
      all: config.wholeListings,
      perCaller: config.wholeListingsPerCaller,
      what: 'whole listings',
      instead: 'pages, with `limit` and `offset`',
    }),
    /** Requests with events, by caller. */
    eventRequests: new AddressLimit({ perMinute: config.eventRequestsPerMinute }),
    /** New tokens, by key. */
    tokens: new AddressLimit({ perMinute: config.tokensPerMinute }),
    /** Webhook messages that a project requests. */
    webhookMessages: new AddressLimit({ perMinute: config.webhookMessagesPerMinute }),
    /** Attempts with a wrong key or token, by address. */
    failedSignIns: new SignInLimit(config.failedSignInsPerMinute, log),
    /** Page views of the public endpoint, by address. */
    views: new AddressLimit({ perMinute: config.viewsPerMinute }),
    /** New page paths of the public endpoint, by project. */
    newPaths: new NewPathLimit(config.newPathsPerHour),
    /** By project: the texts of readers are kept one by one. */
    feedback: new AddressLimit({ perMinute: config.feedbackPerMinute }),
    searches: new AddressLimit({ perMinute: config.searchesPerMinute }),
    /** When the log last reported a view of no project, on the clock of `performance.now()`. */
    unknownNotedAt: -Infinity,
  };
}
