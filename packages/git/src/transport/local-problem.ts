import { open, stat } from 'node:fs/promises';
import { diskFailsIn, REMEDY, Shortage, shortageIn, shortageOf } from '@docent/base/shortage';
import { RepositoryProblem } from '../repository-problem.ts';
import { otherHash } from '../protocol/advertisement.ts';
import { codeOf } from '@docent/base/thrown';
import { oneLine } from '@docent/base/one-line';

/** Turns git's error about a local repository into a sentence for the person who can help. */
export async function localProblem(
  path: string,
  stderr: string,
  code: number | null,
): Promise<RepositoryProblem | Shortage> {
  const complaint = firstComplaint(stderr);
  const cause = new Error(`git ended with ${code === null ? 'a signal' : `code ${code}`}: ${stderr.slice(0, 2_000)}`);
  const problem = (kind: RepositoryProblem['code'], sentence: string) =>
    new RepositoryProblem(kind, sentence, { cause });

  const short = shortageIn(stderr);
  if (short)
    return new Shortage(short, `git could not work on ${path}: ${REMEDY[short]} It said: ${complaint}`, { cause });
  const obstacle = await obstacleAt(path);
  if (obstacle instanceof Shortage) return obstacle;
  if (obstacle) return problem(obstacle.code, obstacle.message);
  if (/detected dubious ownership/.test(stderr)) {
    return problem(
      'repository_unreadable',
      `git refuses ${path} because it belongs to another user. Trust it, as the user that Docent runs as, with: ` +
        `git config --global --add safe.directory ${path}`,
    );
  }
  if (/mismatched object format|detected.*sha256/i.test(stderr)) return otherHash();
  if (
    /unknown repository extension|unknown ref storage|Expected git repo version|unknown object format|hash algorithm/i.test(
      stderr,
    )
  ) {
    return problem(
      'repository_unsupported',
      `The repository at ${path} uses a format that the git on this machine does not know: ${complaint}`,
    );
  }
  if (/not appear to be a git repository|not a git repository|unable to chdir|no such file/i.test(stderr)) {
    return problem(
      'repository_missing',
      `There is no git repository at ${path}. Create one with "git init", or choose another folder.`,
    );
  }
  if (/permission denied/i.test(stderr)) {
    return problem('repository_unreadable', `Docent may not read the repository at ${path}: ${complaint}`);
  }
  if (diskFailsIn(stderr)) return problem('unreachable', `The disk of the repository at ${path} fails: ${complaint}`);
  if (
    /bad object|missing blob|missing tree|unable to read|object file .* is empty|corrupt|missing necessary objects/i.test(
      stderr,
    )
  ) {
    return problem(
      'repository_unreadable',
      `The repository at ${path} is damaged (git fsck shows where): ${complaint}`,
    );
  }
  return problem('unreachable', `git could not serve the repository at ${path}: ${complaint}`);
}

/** The file system's problem with a repository path; null if it is an accessible folder. */
export async function obstacleAt(path: string): Promise<RepositoryProblem | Shortage | null> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) {
      // A folder that allows only listing or only entering has no readable repository.
      await stat(`${path}/.`);
      return null;
    }
    const kind = found.isFile() && (await startOf(path)).startsWith('# v') ? 'a git bundle' : 'a file';
    return new RepositoryProblem(
      'repository_missing',
      `${path} is ${kind}, not a repository's folder.${kind === 'a file' ? '' : ' Clone it first, and name the clone.'}`,
    );
  } catch (err) {
    const code = codeOf(err);
    const short = shortageOf(err);
    if (short) return new Shortage(short, `${path} cannot be read: ${REMEDY[short]}`, { cause: err });
    if (code === 'EACCES' || code === 'EPERM') {
      return new RepositoryProblem('repository_unreadable', `Docent has no read access to ${path}.`, { cause: err });
    }
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG') {
      return new RepositoryProblem('repository_missing', `${path} does not exist.`, { cause: err });
    }
    return new RepositoryProblem('unreachable', `${path} cannot be read now (${code ?? 'unknown error'}).`, {
      cause: err,
    });
  }
}

async function startOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    return /^# v[23] git bundle/.test(start) ? start : '';
  } finally {
    await file.close();
  }
}

function firstComplaint(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const line =
    lines.find((text) => /^(fatal|error):/.test(text)) ?? lines.find((text) => text !== '') ?? 'it gave no reason';
  return oneLine(line.replace(/^(fatal|error): /, '')).slice(0, 300);
}
