/**
 * `node scripts/check-release.ts TAG`: whether a tag, both packages and the changelog agree. With `--notes
 * FILE` it writes this version's section of the changelog.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { releaseNotes, releaseProblems } from './package/release-notes.ts';

const ROOT = path.join(import.meta.dirname, '..');
const { values: options, positionals } = parseArgs({ options: { notes: { type: 'string' } }, allowPositionals: true });
const [tag = ''] = positionals;
const textOf = (name: string) => readFile(path.join(ROOT, name), 'utf8');
const manifestOf = async (name: string) =>
  JSON.parse(await textOf(name)) as { version: string; repository: { url: string } };

const server = await manifestOf('package.json');
const client = await manifestOf('packages/client/package.json');
const changelog = await textOf('CHANGELOG.md');
const problems = releaseProblems(
  tag,
  {
    server: server.version,
    client: client.version,
    repositories: [server.repository.url, client.repository.url],
  },
  changelog,
);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else {
  if (options.notes !== undefined) await writeFile(options.notes, releaseNotes(changelog, server.version) ?? '');
  process.stdout.write(`${tag} is version ${server.version}.\n`);
}
