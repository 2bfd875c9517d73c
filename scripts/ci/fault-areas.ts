/** Run for every change: the promise that nothing is lost or done twice, whatever dies. */
const ALWAYS = /^kill-points/;

/** Which fault tests depend on which files. A file in none of these areas breaks none of them: docs, the dashboard, scripts. */
const AREAS: readonly { sources: RegExp; tests: RegExp }[] = [
  {
    sources: /^src\/(analytics|store\/analytics|workflows\/analytics|activities\/maintenance)/,
    tests: /^(analytics-|bucket-|backup-)/,
  },
  {
    sources: /^src\/(jobs|workflows|temporal|agent|git|code-hosts)\/|^src\/activities\/(?!maintenance)/,
    tests:
      /^(automations|control-requests|disk-full-repository|fair-queue|job-|late-worker|lost-workflow|many-messages|model-calls|one-look|outages|publish-|queue|rest|webhooks)/,
  },
  { sources: /^src\/api\//, tests: /^(api-|automations|control-requests|job-stream|planted-words|sign-in|webhooks)/ },
  { sources: /^src\/operations\//, tests: /^(backup-|restored-)/ },
  {
    sources: /^src\/(roles|start|cli)\//,
    tests: /^(bucket-|disk-full-start|given-up-part|log-lines|outages|sign-in)/,
  },
  {
    sources: /^src\/store\/(migrat|schema|database|installation|processes)/,
    tests: /^(outages|restored-|rolling-|upgrade-)/,
  },
  { sources: /^src\/store\/(?!analytics)/, tests: /^(job-|late-worker|lost-workflow|queue|rest|restored-|webhooks)/ },
  // Under all processes; the rest of platform/ and config/ breaks in unit and integration tests.
  { sources: /^src\/platform\/(children|processes|faults)|^package-lock\.json$/, tests: /./ },
];

/**
 * @param changed paths of the repository
 * @param all the names of all files of fault tests
 */
export function faultFilesFor(changed: readonly string[], all: readonly string[]): string[] {
  const areas = AREAS.filter(({ sources }) => changed.some((file) => sources.test(file)));
  return all.filter(
    (name) =>
      ALWAYS.test(name) || changed.includes(`test/faults/${name}`) || areas.some(({ tests }) => tests.test(name)),
  );
}
