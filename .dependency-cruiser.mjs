const SERVER = [
  'api',
  'activities',
  'temporal',
  'workflows',
  'agent',
  'jobs',
  'analytics',
  'code-hosts',
  'git',
  'store',
  'config',
  'platform',
];

/** The folders of `src/` and whom each may import, types included. See "The map" in CONTRIBUTING.md. */
const FOLDERS = {
  platform: [],
  config: ['platform'],
  store: ['config', 'platform'],
  git: ['platform'],
  'code-hosts': ['git', 'store', 'config', 'platform'],
  analytics: ['store', 'config', 'platform'],
  jobs: ['git', 'store', 'config', 'platform'],
  agent: ['platform'],
  workflows: ['activities'],
  temporal: ['workflows', 'jobs', 'store', 'config', 'platform'],
  activities: ['workflows', 'agent', 'code-hosts', 'analytics', 'jobs', 'git', 'store', 'config', 'platform'],
  api: ['workflows', 'analytics', 'jobs', 'store', 'config', 'platform'],
  roles: SERVER,
  start: ['roles', ...SERVER],
  operations: ['start', 'roles', ...SERVER],
  cli: ['operations', 'start', 'roles', ...SERVER],
};

/** The packages, and which of the others each may import. Of `src/`, no package imports anything. */
const PACKAGES = {
  base: [],
  'access-log': ['base'],
  git: ['base'],
  'code-hosts': ['base', 'git'],
  recipes: [],
  servers: ['base'],
  client: [],
  'docs-check': ['base'],
  models: ['base', 'docs-check'],
  agent: ['base', 'client', 'docs-check', 'git', 'models', 'recipes'],
  cli: ['base', 'client', 'recipes'],
  dashboard: ['client', 'recipes'],
  pages: ['client'],
  'find-secrets': [],
};

/** Which folders of `src/` may import which package. */
const USERS = {
  cli: ['cli'],
  agent: ['agent', 'activities', 'roles'],
  'code-hosts': ['code-hosts', 'activities', 'api', 'jobs', 'store'],
  models: ['activities', 'roles', 'store'],
  git: ['git', 'code-hosts', 'config', 'store', 'jobs', 'agent', 'activities', 'api', 'roles', 'operations'],
  'access-log': ['config', 'store', 'analytics', 'activities', 'api', 'roles', 'cli'],
  recipes: ['activities', 'api', 'jobs', 'cli'],
  'docs-check': ['agent', 'activities', 'cli', 'operations'],
  servers: ['roles', 'start', 'operations', 'cli'],
  dashboard: [],
  pages: ['api'],
  'find-secrets': ['agent', 'activities', 'api'],
};

/** What the workflows and those who start or signal them agree on: data and names. */
const CONTRACT = '^src/workflows/contract[.]ts$';

const folders = Object.entries(FOLDERS).map(([folder, others]) => ({
  name: `${folder}-imports`,
  comment: `src/${folder}/ may import ${others.length > 0 ? others.join(', ') : 'no other folder'}.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: [folder, ...others].map((name) => `^src/${name}/`) },
}));

const packages = Object.entries(PACKAGES).map(([name, others]) => ({
  name: `package-${name}-imports`,
  comment: `packages/${name}/ may import ${others.length > 0 ? others.join(', ') : 'no other package'}.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: { path: '^(src|packages)/', pathNot: [name, ...others].map((other) => `^packages/${other}/`) },
}));

const users = Object.entries(USERS).map(([name, allowed]) => ({
  name: `users-of-${name}`,
  comment: `Of src/, ${allowed.length > 0 ? allowed.join(', ') : 'no folder'} may import packages/${name}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: allowed.map((folder) => `^src/${folder}/`) },
  to: { path: `^packages/${name}/` },
}));

/** The phases of a turn and the other folders of `activities`: whom each may import, so that no two import each other. */
const ACTIVITIES = {
  open: [],
  step: ['open'],
  publish: ['open', 'step'],
  webhooks: [],
  requests: ['webhooks'],
  maintenance: ['requests'],
  triggers: [],
  reports: [],
  'host-events': ['requests', 'publish', 'step'],
};

const phases = Object.entries(ACTIVITIES).map(([phase, others]) => ({
  name: `activities-${phase}-imports`,
  comment: `Of the folders of activities, ${phase}/ may import ${others.length > 0 ? others.join(', ') : 'no other'}.`,
  severity: 'error',
  from: { path: `^src/activities/${phase}/` },
  to: { path: '^src/activities/[^/]+/', pathNot: [phase, ...others].map((name) => `^src/activities/${name}/`) },
}));

/** The folders of `analytics`: whom each may import, so that no two import each other. */
const ANALYTICS = {
  events: [],
  storage: ['events'],
  ingest: ['storage', 'events'],
  counts: ['storage', 'events'],
  query: ['counts', 'storage', 'events'],
  report: ['query', 'events'],
  maintenance: ['query', 'counts', 'ingest', 'storage', 'events'],
};

const parts = Object.entries(ANALYTICS).map(([part, others]) => ({
  name: `analytics-${part}-imports`,
  comment: `Of the folders of analytics, ${part}/ may import ${others.length > 0 ? others.join(', ') : 'no other'}.`,
  severity: 'error',
  from: { path: `^src/analytics/${part}/` },
  to: { path: '^src/analytics/', pathNot: [part, ...others].map((name) => `^src/analytics/${name}/`) },
}));

/** The folders of `store`: whom each may import beside the files above them, so that no two import each other. */
const STORE = {
  installation: [],
  analytics: [],
  projects: ['analytics', 'installation'],
  jobs: ['projects'],
  access: ['projects'],
  webhooks: ['jobs', 'projects'],
  hosts: ['webhooks', 'jobs', 'projects'],
  'pull-requests': ['webhooks', 'projects'],
  automations: ['webhooks', 'projects'],
};

const tables = Object.entries(STORE).map(([part, others]) => ({
  name: `store-${part}-imports`,
  comment: `Of the folders of store, ${part}/ may import ${others.length > 0 ? others.join(', ') : 'no other'}.`,
  severity: 'error',
  from: { path: `^src/store/${part}/` },
  to: { path: '^src/store/[^/]+/', pathNot: [part, ...others].map((name) => `^src/store/${name}/`) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...folders,
    ...packages,
    ...users,
    ...phases,
    ...parts,
    ...tables,
    {
      name: 'store-base-imports',
      comment: 'The files beside the folders of store serve them all, and import none of them.',
      severity: 'error',
      from: { path: '^src/store/[^/]+$' },
      to: { path: '^src/store/[^/]+/' },
    },
    {
      name: 'no-loose-files',
      comment: 'Every file of src/ is in one of its folders, and every folder is on the map.',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(FOLDERS).map((folder) => `^src/${folder}/`) },
      to: {},
    },
    {
      name: 'no-circles',
      comment: 'A type lives with what it describes, not with who uses it.',
      severity: 'error',
      from: { path: '^(src|scripts|test|packages)/' },
      to: { circular: true },
    },
    {
      name: 'no-imports-from-the-command-line',
      comment: 'Roles, `docent start` and operations do not know the commands.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
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
        'IP addresses are read by packages/base/src/net/ip-address.ts alone: two readers differ some day in what they let through.',
      severity: 'error',
      from: { path: '^(src|packages|scripts|test)/', pathNot: '^packages/base/src/net/ip-address[.]ts$' },
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
      from: { path: '^(src/(agent|git|code-hosts|store|config|platform)|packages/[^/]+)/' },
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
