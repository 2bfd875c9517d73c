/**
 * The map of `src/`: whom each room may import, types included. See "The map" in CONTRIBUTING.md.
 */
const ROOMS = {
  platform: [],
  config: ['platform'],
  recipes: ['platform'],
  store: ['config', 'platform'],
  git: ['config', 'platform'],
  'docs-site': ['git', 'platform'],
  'code-hosts': ['git', 'store', 'config', 'platform'],
  analytics: ['store', 'config', 'platform'],
  jobs: ['git', 'store', 'config', 'platform', 'recipes'],
  agent: ['docs-site', 'git', 'config', 'platform', 'recipes'],
  workflows: ['activities'],
  temporal: ['workflows', 'jobs', 'store', 'config', 'platform'],
  activities: [
    'workflows',
    'agent',
    'docs-site',
    'code-hosts',
    'analytics',
    'jobs',
    'git',
    'store',
    'config',
    'platform',
  ],
  api: ['workflows', 'analytics', 'jobs', 'store', 'config', 'platform'],
  dashboard: ['recipes'],
  main: ['.*'],
};

/** What the workflows and those who start or signal them agree on: data and names. */
const CONTRACT = '^src/workflows/contract[.]ts$';

const rooms = Object.entries(ROOMS).map(([room, others]) => ({
  name: `${room}-imports`,
  comment: `${room}/ may import ${others.length > 0 ? others.join(', ') : 'no other room'}.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: [room, ...others].map((name) => `^src/${name}/`) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms,
    {
      name: 'no-loose-files',
      comment: 'Every file of src/ is in one of its rooms, and every room is on the map.',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(ROOMS).map((room) => `^src/${room}/`) },
      to: {},
    },
    {
      name: 'no-circles',
      comment: 'A type lives with what it describes, not with who uses it.',
      severity: 'error',
      from: { path: '^(src|scripts|test|client)/' },
      to: { circular: true },
    },
    {
      name: 'parts-know-no-command-line',
      comment:
        'What is started, and a role, do not know the commands. What they share with them is in files of main/ itself.',
      severity: 'error',
      from: { path: '^src/main/(start|roles|[^/]+$)', pathNot: '^src/main/cli[.]ts$' },
      to: { path: '^src/main/cli/' },
    },
    {
      name: 'workflows-are-known-by-their-contract',
      comment: 'Of the workflows, only contract.ts may be imported: the rest runs in the sandbox.',
      severity: 'error',
      from: { path: '^src/(temporal|activities|api)/' },
      to: { path: '^src/workflows/', pathNot: CONTRACT },
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'Of activities, workflows import types only.',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/', pathNot: '^src/workflows/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contract-stands-alone',
      comment: 'contract.ts holds plain data and names: safe to import anywhere.',
      severity: 'error',
      from: { path: CONTRACT },
      to: {},
    },
    {
      name: 'analytics-knows-no-server',
      comment: 'Analytics knows nothing of HTTP and Temporal.',
      severity: 'error',
      from: { path: '^src/analytics/' },
      to: { path: '(^|/)(https?|http2|koa|@koa/router|@temporalio)(/|$)' },
    },
    {
      name: 'addresses-are-read-in-one-place',
      comment:
        'IP addresses are read by platform/net/ip-address.ts alone: two readers differ some day in what they let through.',
      severity: 'error',
      from: { path: '^(src|scripts|test)/', pathNot: '^src/platform/net/ip-address[.]ts$' },
      to: { path: '(^|/)ipaddr[.]js(/|$)' },
    },
    {
      name: 'the-checker-is-nobody-of-ours',
      comment:
        'What a cluster is judged by uses SQL, git and HTTP as anybody could, and none of the code that it judges.',
      severity: 'error',
      from: { path: '^test/faults/proof/checker/' },
      to: {
        pathNot: ['^test/faults/proof/checker/', '^node_modules/(pg|@types/pg|yaml)/', '^(node:)?[a-z_]+(/promises)?$'],
      },
    },
    {
      name: 'agent-knows-no-temporal',
      comment: 'What happens inside a step knows nothing of Temporal.',
      severity: 'error',
      from: { path: '^src/(agent|docs-site|git|code-hosts|store|config|platform)/' },
      to: { path: '(^|/)@temporalio/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
