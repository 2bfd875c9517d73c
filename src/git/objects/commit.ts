import type { CommitObject } from 'isomorphic-git';

/** What Docent reads of a commit object. */
export interface CommitFields {
  tree: string;
  parents: string[];
  authorName: string;
  /** Seconds since the epoch, of the committer. */
  time: number;
  message: string;
}

/** A commit object that is not one. */
export class BadCommit extends Error {
  override readonly name = 'BadCommit';
}

export function parseCommit(raw: Uint8Array): CommitFields {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');
  const end = text.indexOf('\n\n');
  const headers = (end === -1 ? text : text.slice(0, end)).split('\n');
  const valuesOf = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const tree = valuesOf('tree')[0];
  const parents = valuesOf('parent');
  if (!tree || ![tree, ...parents].every((id) => /^[0-9a-f]{40}$/.test(id))) throw new BadCommit('a commit is garbled');
  const author = valuesOf('author')[0] ?? '';
  const committer = / (-?\d{1,15}) [+-]\d{4}$/.exec(valuesOf('committer')[0] ?? '');
  return {
    tree,
    parents,
    authorName: author.replace(/ ?<.*$/, ''),
    time: committer ? Number(committer[1]) : 0,
    message: end === -1 ? '' : text.slice(end + 2),
  };
}

/**
 * A commit whose bytes depend on the arguments alone: author is committer, the time zone is UTC, and the message is what
 * will be written, to the byte.
 */
export function newCommit(commit: {
  tree: string;
  parent: string;
  author: { name: string; email: string };
  timestamp: number;
  message: string;
}): CommitObject {
  const { name, email } = commit.author;
  const person = {
    name: identPart(name),
    email: identPart(email),
    timestamp: Math.trunc(commit.timestamp),
    timezoneOffset: 0,
  };
  const message = commit.message
    .replaceAll(/[\0\r]/g, '')
    .replace(/^\n+/, '')
    .trimEnd();
  return { tree: commit.tree, parent: [commit.parent], author: person, committer: person, message: `${message}\n` };
}

/** As git cleans names: without what would end the field, or crud at its ends. */
function identPart(text: string): string {
  const cleaned = text.replace(/[<>\p{Cc}]/gu, '').replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
  return cleaned === '' ? 'unknown' : cleaned;
}
