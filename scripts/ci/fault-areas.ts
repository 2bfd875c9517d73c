import { shuffled } from './change.ts';

/** Run for every change: no process death loses work or does it twice. */
const ALWAYS = /^kill-points/;

/**
 * Which fault tests depend on which files. A file in none of these areas breaks none of them: docs, the
 * dashboard, scripts.
 */
const AREAS: readonly { sources: RegExp; tests: RegExp }[] = [
  {
    sources: /^src\/(analytics|store\/analytics|workflows\/analytics|activities\/maintenance)|^packages\/access-log\//,
    tests: /^(analytics-|bucket-|backup-)/,
  },
  {
    sources:
      /^src\/(jobs|workflows|temporal|agent|git|code-hosts)\/|^packages\/(agent|code-hosts|git|models)\/|^src\/activities\/(?!maintenance)/,
    tests:
      /^(automations|control-requests|disk-full-repository|fair-queue|git-large-|hosts-|job-|late-worker|local-replaced|lost-workflow|many-messages|shared-polling|outages|publish-|queue|rest|webhooks)/,
  },
  { sources: /^src\/api\//, tests: /^(api-|automations|control-requests|job-stream|planted-secrets|sign-in|webhooks)/ },
  { sources: /^src\/operations\//, tests: /^(backup-|restored-)/ },
  {
    sources: /^src\/(roles|start|cli)\/|^packages\/servers\//,
    tests: /^(bucket-|disk-full-start|given-up-part|log-lines|outages|sign-in|start-)/,
  },
  {
    sources: /^src\/store\/(migrat|schema|database|installation|processes)/,
    tests: /^(outages|restored-|rolling-|schema-guard|upgrade-)/,
  },
  { sources: /^src\/store\/(?!analytics)/, tests: /^(job-|late-worker|lost-workflow|queue|rest|restored-|webhooks)/ },
  // Under all processes; the rest of platform/ and config/ breaks in unit and integration tests.
  {
    sources: /^src\/platform\/(children|processes|faults)|^packages\/servers\/src\/processes|^package-lock\.json$/,
    tests: /./,
  },
];

/** How many files of fault tests `.ci/run` takes: the kill points and one for each area. */
const MOST_FILES = 7;

interface Chosen {
  run: string[];
  /** The change can break them too, but they exceed the limit of a run. */
  beyond: string[];
}

/**
 * First the kill points, then fault tests that changed themselves. Then, in turn, one of each area that
 * changed, the area with most changed files first.
 *
 * @param changed paths of the repository
 * @param all the names of all files of fault tests
 * @param seed decides which of several come first: with the commit as seed, every file comes first at some
 * time
 */
export function faultFilesFor(changed: readonly string[], all: readonly string[], seed: string): Chosen {
  const names = shuffled(all, seed);
  const areas = AREAS.map(({ sources, tests }) => ({
    tests,
    size: changed.filter((file) => sources.test(file)).length,
  }))
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size)
    .map(({ tests }) => names.filter((name) => tests.test(name)));
  const affected = new Set([
    ...names.filter((name) => ALWAYS.test(name)),
    ...names.filter((name) => changed.includes(`test/faults/${name}`)),
    ...names.flatMap((_, i) => areas.flatMap((ofArea) => ofArea[i] ?? [])),
  ]);
  return { run: [...affected].slice(0, MOST_FILES).toSorted(), beyond: [...affected].slice(MOST_FILES).toSorted() };
}
