import { serveChild } from '../platform/children/child-server.ts';
import { shortageOf } from '@docent/base/shortage';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { statesOfCited } from '@docent/agent/citations/cited-state';
import { statedClaims, type StatedAt } from '@docent/agent/citations/stated-claims';
import { verifyCitations, type CitationsAt } from '@docent/agent/citations/verify-all';
import { htmlToMarkdown } from '@docent/agent/html-to-markdown';
import { addedSecrets, holdsNoSecrets, pagesWithoutSecrets } from './outgoing-secrets.ts';
import {
  factsFile,
  readInstructions,
  readSite,
  runChecks,
  runStep,
  withheld,
  type ChangeDiff,
  type CheckResult,
  type ChecksAt,
  type InstructionsAt,
  type StepInput,
  type StepResult,
} from '@docent/agent/step-runner';
import { surveySite, type SurveyAt } from '@docent/agent/survey-site';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { checkedFiles } from '@docent/agent/checked-files';
import type { PageDialect } from '@docent/docs-check/read/page-dialect';
import { detectSite, dialectOf, type SitePlace } from '@docent/docs-check/read/site';

/** The child process of the agent pool: parses pages, runs tools and checks, and caches facts about pages. */
const cache = new FactsCache();
const loaded = new Set<string>();
/** How many newly parsed pages are worth a write. */
const WORTH_SAVING = 20;
let savedAt = 0;

/** Loads the facts of earlier processes first. Afterwards, saves new ones for later processes. */
function withFacts<T>(at: SitePlace & { cacheDir: string; snapshotPath: string }, work: () => T): T {
  const file = factsFile(at.cacheDir, at.snapshotPath);
  if (!loaded.has(file)) {
    cache.load(file);
    loaded.add(file);
  }
  const result = work();
  if (cache.parsed - savedAt >= WORTH_SAVING) {
    try {
      cache.save(file, pagesOf(at.snapshotPath, at));
      savedAt = cache.parsed;
    } catch (err) {
      // The new facts are in memory and are saved with the next call that finds space.
      if (!shortageOf(err)) throw err;
    }
  }
  return result;
}

/** A diff has changed lines and their context. Whole pages may hold secrets that were there before. */
async function shownWhole(diff: ChangeDiff, allowed: readonly string[]): Promise<ChangeDiff> {
  return { ...diff, pages: await pagesWithoutSecrets(diff.pages, allowed) };
}

const methods = {
  async runStep(args: StepInput & { cacheDir: string }): Promise<StepResult> {
    const result = withFacts({ ...args, docsDir: args.policy.docsDir }, () => runStep(args, cache, args.cacheDir));
    if (!result.diff) return result;
    const { snapshotPath, policy, allowedSecrets: allowed = [] } = args;
    const isSafe = await holdsNoSecrets({ snapshotPath, policy, overlay: result.overlay, allowed });
    return { ...result, diff: isSafe ? await shownWhole(result.diff, allowed) : withheld(result.diff) };
  },
  async runChecks(args: ChecksAt & { cacheDir: string }): Promise<CheckResult> {
    const result = withFacts({ ...args, docsDir: args.policy.docsDir }, () => runChecks(args, cache));
    return { ...result, diff: await shownWhole(result.diff, args.allowedSecrets ?? []) };
  },
  verifyCitations: async (args: CitationsAt) => verifyCitations(args),
  statesOfCited: async (args: Parameters<typeof statesOfCited>[0]) => statesOfCited(args),
  statedClaims: async (args: StatedAt) => statedClaims(args),
  findAddedSecrets: (args: Parameters<typeof addedSecrets>[0]) => addedSecrets(args),
  readWebPage: async ({ html, url }: { html: string; url: string }) => htmlToMarkdown(html, url),
  readInstructions: async (args: InstructionsAt) => readInstructions(args),
  readSite: async (args: InstructionsAt) => readSite(args),
  surveySite: async (args: SurveyAt & { cacheDir: string }) => withFacts(args, () => surveySite(args, cache)),
};

export type AgentMethods = typeof methods;

serveChild(methods);

/** The pages of a commit's site, by the keys under which their facts are cached. */
function pagesOf(snapshotPath: string, place: SitePlace): { blobKey: string; dialect: PageDialect }[] {
  const files = new Workspace(openSnapshot(snapshotPath), [], {
    docsDir: place.docsDir,
    maxFiles: 0,
    maxFileBytes: 0,
    maxTotalBytes: 0,
  });
  const site = detectSite(checkedFiles(files), place);
  return site.pages.flatMap((path) => {
    const dialect = dialectOf(site, path);
    return dialect ? [{ blobKey: files.blobKey(path), dialect }] : [];
  });
}
