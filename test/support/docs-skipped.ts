/**
 * Blocks of commands in the docs that no test runs unchanged, each with its reason. By page, and by how
 * the block begins.
 */
export const SKIPPED: readonly (readonly [page: RegExp, begins: string, reason: string])[] = [
  [/./, 'npm ci', 'installs and starts, tests or packs this checkout; CI does so'],
  [/./, 'npm config set prefix', "is how the test's own command came to be"],
  [/./, 'npm run demo', 'test/integration/start-everything.test.ts runs it'],
  [/./, 'npm run bench', 'takes minutes to hours, and measures'],
  [/performance/, 'npm run try-package', 'packs and installs; CI runs it for each release'],
  [/performance/, 'npx vitest run --project browser', 'is a test of this checkout'],
  [
    /sign-in-openid/,
    'docent person update',
    'is for somebody who has signed in; test/integration/cli-people.test.ts has such people',
  ],
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
  [/production/, "export DATABASE_URL='postgresql://docent:secret@db.internal", 'a database of somebody else'],
  [/production/, 'docent api', 'runs for ever; every installation of the tests is started so'],
  [/production/, 'docent worker', 'runs for ever; every installation of the tests is started so'],
  [/own-services|retention/, 'temporal operator', "Temporal's own program"],
  [
    /event-files/,
    'docent analytics export --project acme-docs --to s3:',
    'a bucket of somebody else; test/integration/analytics-export-bucket.test.ts has one',
  ],
  [
    /analytics-storage/,
    'export DOCENT_ANALYTICS_STORAGE',
    'a bucket of somebody else; test/faults/analytics-bucket.test.ts has one',
  ],
  [
    /analytics-storage|cli/,
    'docent analytics move --to s3:',
    'a bucket of somebody else; test/faults/analytics-move.test.ts has one',
  ],
  [/own-services/, 'createuser', "PostgreSQL's own program"],
  [/backups/, 'pg_dump', "PostgreSQL's own program"],
  [/backups/, 'cp -a .docent', 'is for a Docent that is stopped'],
  [/backups/, 'pg_restore', "PostgreSQL's own program"],
  [
    /agent\/models|first-pull-request/,
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
    /code-hosts/,
    'docent project update acme-docs --verified-commits',
    'needs a project on GitHub with an App; test/integration/hosts-pull-requests.test.ts has one',
  ],
  [
    /guides\/browser/,
    'DOCENT_ALLOWED_ORIGINS=',
    'starts another Docent; test/integration/api-cors.test.ts asks such a one',
  ],
  [/send-events/, 'tail -F', 'never ends; test/integration/analytics-streams.test.ts sends such streams'],
  [
    /optional-checks/,
    'docent check --external',
    'asks servers of the internet; test/integration/check-external.test.ts asks one of its own',
  ],
  [/check-in-ci/, 'npm install', 'installs 450 packages'],
  [/check-in-ci/, 'git clone', 'clones and installs 450 packages'],
  [/check-in-ci/, 'cd ', 'clones and installs 450 packages'],
  [/guides\/client/, 'npm ', 'builds and installs a package; test/integration/api-client.test.ts bundles the client'],
];

/** Outputs that are of another repository than the test's: what they look like is tested with the command. */
export const NOT_COMPARED: readonly string[] = ['Repository instructions for the agent'];
