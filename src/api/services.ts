import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Analytics } from '../analytics/analytics.ts';
import { AppError } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Database, Db } from '../store/database.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { JobReader } from '../store/jobs/job-reader.ts';
import type { JobWorkflows, ShortWorkflows } from '../workflows/contract.ts';
import { AuditTrail } from './audit-trail.ts';
import type { ApiConfig } from './api-config.ts';
import type { ClientAddresses } from './middleware/client-address.ts';
import { JobFeed } from './streams/job-feed.ts';
import type { Dashboard } from './pages/dashboard.ts';
import { SignIns } from './middleware/sign-ins.ts';
import { openIdSignIn, type OpenIdSignIn } from './open-id/sign-in.ts';
import { AcceptTurns } from './accept-turns.ts';
import { WakeQueue } from './wake-queue.ts';
import { NewPathLimit } from '../analytics/ingest/script/new-path-limit.ts';
import { AddressLimit } from '../platform/net/address-limit.ts';
import { SignInLimit } from './middleware/sign-in-limit.ts';
import { OpenStreams } from './streams/open-streams.ts';

/** The limits that this process counts in memory. */
type Limits = ReturnType<typeof createLimits>;

/** Openings of share links per minute. A person opens one a day; a password can be guessed. */
export const SHARE_OPENINGS = { perAddress: 10, perLink: 60 } as const;

function createLimits(config: ApiConfig, log: Logger) {
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
    sharePerAddress: new AddressLimit({ perMinute: SHARE_OPENINGS.perAddress }),
    sharePerLink: new AddressLimit({ perMinute: SHARE_OPENINGS.perLink }),
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

/** What this server can reach now. */
export interface Readiness {
  temporal: boolean;
  database: boolean;
  /** Why not the database, as a sentence. */
  databaseProblem?: string;
  /** Whether the analytics folder exists and belongs to this installation. */
  analyticsFolder: boolean;
  /** Whether the bucket of page views is usable; null without one. */
  bucket: boolean | null;
  /** Why no page view can be acknowledged without the bucket, as a sentence. */
  bucketProblem?: string;
  /** Damaged files of page views that no operator has handled yet; null if unknown now. */
  damagedFiles: number | null;
  /** Unnamed files with page views, set aside for an operator; null if unknown. */
  setAsideFiles: number | null;
  /** Parts of `docent start` that fail whenever they are started. */
  givenUpParts?: readonly { name: string; reason: string }[];
}

/** Temporal's own status. */
export interface TemporalStatus {
  namespace: string;
  serverVersion: string | null;
  workers: { identity: string; lastAccessAt: Date | null }[];
}

/** A workflow in Temporal. `link`: its page in the Web UI; null if the Web UI's address is not configured. */
interface WorkflowLocation {
  workflowId: string;
  namespace: string;
  link: string | null;
}

/** The API's dependencies, provided by the composition root. */
export interface ApiDeps {
  database: Database;
  jobWorkflows: Pick<JobWorkflows, 'start' | 'signal' | 'signalOpen'>;
  /** If you pass one, close it after the server has stopped. */
  wakes?: WakeQueue;
  /** If you pass one, close it after the server has stopped. */
  audit?: AuditTrail;
  workflows: ShortWorkflows;
  /** Encrypts the credentials of code hosts. */
  secrets: SecretBox;
  config: ApiConfig;
  log: Logger;
  /** Whether Temporal and the database are reachable. Answers within a few seconds and never rejects. */
  readiness: () => Promise<Readiness>;
  /** How Temporal is, for `getInstallationHealth`. Rejects if it cannot be reached. */
  askTemporal?: (withinMs: number) => Promise<TemporalStatus>;
  /** A job's workflow, for `getJobWorkflow`. */
  workflowOf?: (jobId: string) => WorkflowLocation;
  /**
   * The public address, such as `https://docent.example.com`; called on every use, as the port may be chosen
   * late.
   */
  publicUrl: () => string;
  /** Page views, in and out. Without it, the analytics routes return 503. */
  analytics?: Analytics;
  /** SHA-256 of each operator token that is valid. */
  operatorTokenHashes: readonly Buffer[];
  /** The dashboard's files. Without them, its addresses do not exist. */
  dashboard?: Dashboard;
}

/** The dependencies of handlers. */
export interface ApiServices {
  db: Db;
  /** Reads jobs that are polled. */
  jobs: JobReader;
  /** Notifies readers about their jobs. */
  feed: JobFeed;
  limits: Limits;
  /** Where new jobs wait to be accepted. */
  accepting: AcceptTurns;
  jobWorkflows: Pick<JobWorkflows, 'start' | 'signal' | 'signalOpen'>;
  /** Signals to send with `jobWorkflows` after the answer. */
  wakes: WakeQueue;
  /** Records who changed what. */
  audit: AuditTrail;
  workflows: ShortWorkflows;
  secrets: SecretBox;
  config: ApiConfig;
  log: Logger;
  /** @throws AppError `unavailable` if this server has none */
  analytics: () => Analytics;
  /** The client address of a request, through trusted proxies; null if it is not an address. */
  addressOf: (request: IncomingMessage) => string | null;
  readiness: ApiDeps['readiness'];
  askTemporal: NonNullable<ApiDeps['askTemporal']>;
  /** Null on a server that does not know Temporal. */
  workflowOf: NonNullable<ApiDeps['workflowOf']> | null;
  /** A path of this server as a browser or client sees it, with a proxy's prefix. */
  pathOf: (path: string) => string;
  /** The whole URL of a path of this server. */
  urlOf: (path: string) => string;
  isOperatorToken: (token: string) => boolean;
  signIns: SignIns;
  /** The identity provider for sign-in; null if none is configured. */
  openId: OpenIdSignIn | null;
  /** Aborts when the server stops: whatever waits should answer. */
  draining: AbortSignal;
  /** Whether the server is about to stop: it still answers, but new clients should go elsewhere. */
  isLeaving: () => boolean;
  /** Work that continues after its answer. Errors are logged. */
  background: (what: string, work: () => Promise<unknown>) => void;
}

/** A path of a server as browsers see it: after the prefix of its public URL. */
export function pathBehind(publicUrl: string, path: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '') + path;
}

export function createServices(
  deps: ApiDeps,
  { draining, isLeaving }: Pick<ApiServices, 'draining' | 'isLeaving'>,
  addresses: ClientAddresses,
): ApiServices {
  const {
    database,
    jobWorkflows,
    workflows,
    secrets,
    config,
    log,
    readiness,
    publicUrl,
    operatorTokenHashes,
    analytics,
  } = deps;
  return {
    db: database.db,
    jobs: new JobReader(database.db),
    feed: new JobFeed(database.db, log),
    limits: createLimits(config, log),
    accepting: new AcceptTurns(),
    jobWorkflows,
    wakes: deps.wakes ?? new WakeQueue(log),
    audit: deps.audit ?? new AuditTrail(database.db, log),
    workflows,
    secrets,
    config,
    log,
    readiness,
    analytics: () => {
      if (analytics) return analytics;
      throw new AppError('unavailable', 'Analytics is not enabled on this server.', { retryAfterSeconds: 60 });
    },
    addressOf: (request) => addresses.of(request)?.toString() ?? null,
    draining,
    isLeaving,
    workflowOf: deps.workflowOf ?? null,
    askTemporal: deps.askTemporal ?? (() => Promise.reject(new Error('This server does not ask Temporal.'))),
    pathOf: (path) => pathBehind(publicUrl(), path),
    urlOf: (path) => publicUrl().replace(/\/+$/, '') + path,
    isOperatorToken: (token) => {
      const hash = createHash('sha256').update(token).digest();
      // Every hash is compared, each in constant time.
      return operatorTokenHashes.map((known) => timingSafeEqual(known, hash)).includes(true);
    },
    signIns: new SignIns({
      db: database.db,
      log,
      publicUrl,
      operatorTokenHashes,
      absoluteDays: config.sessionDays,
      idleDays: config.sessionIdleDays,
    }),
    openId: openIdSignIn(config, publicUrl),
    background: (what, work) => {
      work().catch((err: unknown) => log.warn({ err }, `${what} failed`));
    },
  };
}
