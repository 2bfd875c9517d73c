import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import type { AgentPool } from '../agent/agent-pool.ts';
import type { NamedInstructions } from '@docent/agent/instructions';
import type { SitePlace } from '@docent/docs-check/read/find-site';
import type { Models } from '@docent/models/model';
import type { GitStore } from '../git/git-store.ts';
import type { WritePolicy } from '@docent/git/contract';
import type { CodeHosts } from '../code-hosts/host.ts';
import type { Logger } from '../platform/log.ts';
import type { Secret } from '../platform/secret.ts';
import type { Db } from '../store/database.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import type { Budgets } from '../store/schema.ts';
import type { JobWorkflows, TurnLimits } from '../workflows/contract.ts';
import type { TranscriptMemory } from './step/transcript-memory.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

export interface TurnSettings {
  /** The most messages that one turn takes. The rest wait for the next turn. */
  messagesPerTurn: number;
  maxFiles: number;
  maxFileBytes: number;
  maxTotalBytes: number;
  /** First part of branch names: `<branchPrefix>/<jobId>`. */
  branchPrefix: string;
  commitAuthor: { name: string; email: string };
  signingKey?: Secret | undefined;
  /** How often a model is asked that gives no answer for a passing reason. */
  modelAttempts: number;
  /** Model budgets for jobs whose project sets none. */
  budgets: Budgets;
  concurrentJobs: number;
  projectConcurrentJobs: number;
  limits: TurnLimits;
  /** Docent's URL for people, without a trailing slash; absent if the operator has not set it. */
  publicUrl?: string | undefined;
  /** For tests: pauses between the attempts of a webhook's delivery, in milliseconds. */
  webhookPausesMs?: readonly number[] | undefined;
}

export interface ActivityDeps {
  db: Db;
  git: GitStore;
  hosts: CodeHosts;
  agents: AgentPool;
  models: Models;
  transcripts: TranscriptMemory;
  /** For telling jobs that wait that they have a slot. */
  jobWorkflows: Pick<JobWorkflows, 'signal'>;
  webhooks: WebhookSender;
  /** For web pages: see {@link createPageFetch}. */
  fetchPage: GuardedFetch;
  log: Logger;
  settings: TurnSettings;
}

/** Which docs a project is about, and which instruction files its settings name. */
export function docsOf({
  docsDir,
  settings: { site, instructionFiles, styleGuides },
}: Pick<ProjectRow, 'docsDir' | 'settings'>): SitePlace & NamedInstructions {
  return { docsDir, site, instructionFiles, styleGuides };
}

export function policyOf(settings: TurnSettings, { docsDir, host }: Pick<ProjectRow, 'docsDir' | 'host'>): WritePolicy {
  const { maxFiles, maxFileBytes, maxTotalBytes } = settings;
  // A repository on this machine has no server beside it.
  return { docsDir, maxFiles, maxFileBytes, maxTotalBytes, lfs: host !== 'local' };
}
