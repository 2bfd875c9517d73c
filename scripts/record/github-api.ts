/**
 * Stores the parts of GitHub's published REST API description that tests use in
 * test/fixtures/openapi/github.json. Its package, `@octokit/openapi`, has every edition, 399 MB, so it is
 * only fetched for this and not installed. `npm run record-github-api -- 23.0.2` takes that version of the
 * package.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gitHubExamples } from '../../test/support/host-answers.ts';

const run = promisify(execFile);
const TARGET = path.join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'openapi', 'github.json');

/** Whole families: a path with a parameter must not replace one that is left out. */
const PATHS =
  /^\/(user|app(\/.*)?|(orgs|users)\/\{\w+\}\/installation|repos\/\{owner\}\/\{repo\}(\/(installation|labels|pulls|git|commits\/\{ref\}\/(check-runs|status)|issues\/\{issue_number\}\/labels)(\/.*)?)?)$/;

/** Texts for people, and parts that no request or answer is compared with. */
const NEEDLESS = new Set([
  'description',
  'summary',
  'externalDocs',
  'tags',
  'x-github',
  'examples',
  'example',
  'title',
]);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface Description {
  openapi: string;
  info: { title: string; version: string; license: Json };
  paths: Record<string, Json>;
  components: Record<string, Record<string, Json>>;
}

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Say which version of @octokit/openapi: 23.0.2, for instance.');
const folder = await mkdtemp(path.join(tmpdir(), 'docent-github-'));
try {
  const described = await fetchDescription();
  const { openapi, info } = described;
  const kept: Description = {
    openapi,
    info: {
      title: `${info.title}, in part`,
      version: `${info.version}, @octokit/openapi ${version}`,
      license: info.license,
    },
    paths: {},
    components: { examples: {} },
  };
  for (const [name, operations] of Object.entries(described.paths)) if (PATHS.test(name)) keep(kept, name, operations);
  for (const name of gitHubExamples) {
    const example = described.components.examples?.[name];
    if (example === undefined) throw new Error(`GitHub's description has no example ${name} any more.`);
    Object.assign(kept.components.examples ?? {}, { [name]: example });
  }
  await writeFile(TARGET, `${JSON.stringify(kept, null, 1)}\n`);
  process.stdout.write(`Kept ${Object.keys(kept.paths).length} of ${Object.keys(described.paths).length} paths.\n`);

  function keep(into: Description, name: string, operations: Json): void {
    into.paths[name] = withoutWords(operations);
    keepReferences(into, into.paths[name]);
  }

  /** With all that they refer to in turn. */
  function keepReferences(into: Description, value: Json): void {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) return value.forEach((item) => keepReferences(into, item));
    for (const [key, item] of Object.entries(value)) {
      const [, kind = '', name = ''] = (key === '$ref' && /^#\/components\/([^/]+)\/(.+)$/.exec(String(item))) || [];
      if (name === '') keepReferences(into, item);
      else if (into.components[kind]?.[name] === undefined) {
        const found = withoutWords(described.components[kind]?.[name] ?? null);
        (into.components[kind] ??= {})[name] = found;
        keepReferences(into, found);
      }
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function fetchDescription(): Promise<Description> {
  await run('npm', ['pack', '--silent', `@octokit/openapi@${version}`, '--pack-destination', folder], { cwd: folder });
  const file = 'package/generated/api.github.com.json';
  await run('tar', ['-xzf', `octokit-openapi-${version}.tgz`, file], { cwd: folder });
  return JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Description;
}

/** A property may be called `description`, too: then its value is a schema. */
function withoutWords(value: Json, isProperties = false): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => withoutWords(item));
  const entries = Object.entries(value).filter(([key]) => isProperties || !NEEDLESS.has(key));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, withoutWords(item, !isProperties && key === 'properties')]),
  );
}
