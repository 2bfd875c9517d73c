/** Blocks of commands in the docs that no test runs as they stand, each with its reason. By page, and by how the block begins. */
export const SKIPPED: readonly (readonly [page: RegExp, begins: string, reason: string])[] = [
  [/./, 'npm ci', 'installs and starts, tests or packs this checkout; CI does so'],
  [/./, 'npm config set prefix', "is how the test's own command came to be"],
  [/./, 'npm run demo', 'test/integration/start-everything.test.ts runs it'],
  [/./, 'npm run bench', 'takes minutes to hours, and measures'],
  [/performance/, 'npx vitest run --project browser', 'is a test of this checkout'],
  [
    /sign-in-openid/,
    'docent person update',
    'is for somebody who has signed in; test/integration/cli-people.test.ts has such people',
  ],
  [/./, 'DOCENT_TEST_SOAK_MINUTES=', 'takes half an hour'],
  [/./, 'DOCENT_BENCH_DATA=', 'takes hours, and measures'],
  [/operate\/install/, 'sha256sum', 'installs 500 packages in /opt; npm run try-package does so in a temporary folder'],
  [/operate\/install/, 'npm ', 'packs, installs and starts; CI runs npm run try-package for each release'],
  [/operate\/install/, 'buildah', 'builds an image; npm run try-image does so'],
  [/operate\/install/, 'podman', 'runs an image; npm run try-image does so'],
  [/operate\/install/, 'cat > deploy', 'pulls images; npm run check-deploy reads the file as Compose does'],
  [
    /operate\/install/,
    'kubectl',
    'is for a cluster; npm run check-deploy reads the files with the types of Kubernetes',
  ],
  [/operate\/install/, 'useradd', 'changes the machine; npm run check-deploy reads the units with systemd'],
  [/README|production/, "export DATABASE_URL='postgresql://docent:secret@db.internal", 'a database of somebody else'],
  [/production/, 'docent api', 'runs for ever; every installation of the tests is started so'],
  [/production/, 'docent worker', 'runs for ever; every installation of the tests is started so'],
  [/production/, 'temporal operator', "Temporal's own program"],
  [/backups/, 'pg_dump', "PostgreSQL's own program"],
  [/backups/, 'cp -a .docent', 'is for a Docent that is stopped'],
  [/backups/, 'pg_restore', "PostgreSQL's own program"],
  [
    /agent\/models/,
    'export ANTHROPIC',
    'starts Docent on a paid model; test/integration/models.test.ts does so on imitations',
  ],
  [
    /agent\/models/,
    'export OPENAI',
    'starts Docent on a paid model; test/integration/models.test.ts does so on imitations',
  ],
  [/agent\/models/, 'ollama', 'a model of 5 GB; test/integration/models.test.ts has an imitation'],
  [/agent\/models/, 'vllm', 'a model of 64 GB; test/integration/models.test.ts has an imitation'],
  [
    /guides\/browser/,
    'DOCENT_ALLOWED_ORIGINS=',
    'starts another Docent; test/integration/api-cors.test.ts asks such a one',
  ],
  [/send-events/, 'tail -F', 'never ends; test/integration/analytics-streams.test.ts sends such streams'],
  [
    /docs-checks/,
    'docent check --external',
    'asks servers of the internet; test/unit/main/external asks one of its own',
  ],
  [/docs-checks/, 'npm install', 'installs 450 packages'],
  [/docs-checks/, 'npm run plant-faults', 'is a script of this checkout, and takes minutes'],
  [/docs-checks/, 'git clone', 'clones and installs 450 packages'],
  [/docs-checks/, 'cd ', 'clones and installs 450 packages'],
  [/guides\/client/, 'npm ', 'builds and installs a package; test/integration/api-client.test.ts bundles the client'],
];

/** Outputs that are of another repository than the test's: what they look like is tested with the command. */
export const NOT_COMPARED: readonly string[] = ['What the agent is told of the repository’s own instructions'];
