import { LRUCache } from 'lru-cache';
import { childrenAtOnce } from '../platform/processes/pool-sizes.ts';
import { ChildPool, type CarriedError } from '../platform/children/child-pool.ts';
import type { Logger } from '../platform/log.ts';
import { inSpan } from '../platform/telemetry/spans.ts';
import type { AgentMethods } from './agent-child.ts';
import type { CitedState, statesOfCited } from '@docent/agent/citations/cited-state';
import type { statedClaims } from '@docent/agent/citations/stated-claims';
import type { CitationsAt, CitationsResult } from '@docent/agent/citations/verify-all';
import type { addedSecrets, PageSecret } from './outgoing-secrets.ts';
import type {
  CheckResult,
  ChecksAt,
  InstructionsAt,
  InstructionsResult,
  SiteResult,
  StepInput,
  StepResult,
} from '@docent/agent/step-runner';
import type { SiteSurvey, SurveyAt } from '@docent/agent/survey-site';

export interface AgentPoolOptions {
  /** A folder for facts about pages. Several processes may share it, and all of it can be rebuilt. */
  cacheDir: string;
  /** Child processes at most. */
  size?: number;
  log?: Logger;
  /** Time limit of a call in milliseconds. Default five minutes: first reads of large sites take two. */
  timeLimitMs?: number;
}

interface CallOptions {
  signal: AbortSignal;
}

/** The agent's heavy work, off the event loop. Every call may be repeated and aborted. */
export interface AgentPool {
  runStep(step: StepInput, options: CallOptions): Promise<StepResult>;
  runChecks(at: ChecksAt, options: CallOptions): Promise<CheckResult>;
  verifyCitations(at: CitationsAt, options: CallOptions): Promise<CitationsResult>;
  statesOfCited(at: Parameters<typeof statesOfCited>[0], options: CallOptions): Promise<CitedState[]>;
  statedClaims(at: Parameters<typeof statedClaims>[0], options: CallOptions): Promise<ReturnType<typeof statedClaims>>;
  findAddedSecrets(at: Parameters<typeof addedSecrets>[0], options: CallOptions): Promise<PageSecret[]>;
  /** A web page as Markdown. */
  readWebPage(page: { html: string; url: string }, options: CallOptions): Promise<string>;
  readInstructions(at: InstructionsAt, options: CallOptions): Promise<InstructionsResult>;
  readSite(at: InstructionsAt, options: CallOptions): Promise<SiteResult>;
  surveySite(at: SurveyAt, options: CallOptions): Promise<SiteSurvey | null>;
  close(): Promise<void>;
}

type AgentAnswer<M extends keyof AgentMethods> = Promise<Awaited<ReturnType<AgentMethods[M]>>>;

/** How many commits' instructions are cached. */
const MAX_INSTRUCTIONS = 50;

const MEGABYTE = 1_048_576;

export function createAgentPool({
  cacheDir,
  size = childrenAtOnce(),
  log,
  timeLimitMs = 300_000,
}: AgentPoolOptions): AgentPool {
  const pool = new ChildPool({
    entry: new URL(import.meta.url.endsWith('.ts') ? './agent-child.ts' : './agent-child.js', import.meta.url),
    size,
    // Empty, so that the agent's code cannot leak anything from it.
    environment: {},
    recycleAbove: 500 * MEGABYTE,
    killAbove: 1_536 * MEGABYTE,
    timeLimitMs,
    log,
    reviveError,
  });
  const call = <M extends keyof AgentMethods>(
    method: M,
    args: Parameters<AgentMethods[M]>[0],
    options: CallOptions,
  ): AgentAnswer<M> => inSpan({ name: `agent ${method}` }, () => pool.run(method, args, options) as AgentAnswer<M>);

  /** A snapshot is a commit's and never changes, and every step asks. */
  const instructions = new LRUCache<string, InstructionsResult>({ max: MAX_INSTRUCTIONS });

  return {
    runStep: (step, options) => call('runStep', { ...step, cacheDir }, options),
    runChecks: (at, options) => call('runChecks', { ...at, cacheDir }, options),
    verifyCitations: (at, options) => call('verifyCitations', at, options),
    statesOfCited: (at, options) => call('statesOfCited', at, options),
    statedClaims: (at, options) => call('statedClaims', at, options),
    findAddedSecrets: (at, options) => call('findAddedSecrets', at, options),
    readWebPage: (page, options) => call('readWebPage', page, options),
    async readInstructions(at, options) {
      const { docsDir, site, instructionFiles, styleGuides, snapshotPath } = at;
      const key = JSON.stringify([docsDir, site, instructionFiles, styleGuides, snapshotPath]);
      const known = instructions.get(key) ?? (await call('readInstructions', at, options));
      instructions.set(key, known);
      return known;
    },
    readSite: (at, options) => call('readSite', at, options),
    surveySite: (at, options) => call('surveySite', { ...at, cacheDir }, options),
    close: () => pool.close(),
  };
}

function reviveError({ name, message, stack, fields }: CarriedError): Error {
  return Object.assign(new Error(message), { name, stack, ...fields });
}
