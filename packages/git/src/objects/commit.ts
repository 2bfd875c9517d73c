import type { CommitObject } from 'isomorphic-git';
import { isObjectId } from '@docent/base/files/object-id';
import { GitError } from '../git-error.ts';

/** The fields of a commit object that Docent reads. */
export interface CommitFields {
  tree: string;
  parents: string[];
  authorName: string;
  /** Seconds since the epoch, of the committer. */
  time: number;
  message: string;
}

/**
 * Accepts odd people and dates of old imports. Like git, reads the tree and the parents only at the
 * beginning: lines further down are kept and mean nothing. Throws GitError `object_bad`.
 */
export function parseCommit(raw: Uint8Array): CommitFields {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');
  const end = text.indexOf('\n\n');
  const [first = '', ...headers] = (end === -1 ? text : text.slice(0, end)).split('\n');
  const tree = /^tree ([0-9a-f]{40})$/.exec(first)?.[1];
  const others = headers.findIndex((line) => !line.startsWith('parent '));
  const parents = headers.slice(0, others === -1 ? headers.length : others).map((line) => line.slice('parent '.length));
  if (!tree || !parents.every(isObjectId)) throw new GitError('object_bad', 'a commit is garbled');
  const valueOf = (name: string) => headers.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const committer = / (-?\d{1,15}) [+-]\d{4}$/.exec(valueOf('committer'));
  return {
    tree,
    parents,
    authorName: valueOf('author').replace(/ ?<.*$/, ''),
    time: committer ? Number(committer[1]) : 0,
    message: end === -1 ? '' : text.slice(end + 2),
  };
}

/** Deterministic: the author is the committer, the time zone UTC, and the message is used as it is. */
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

/** As git cleans names: without characters that end the field, or crud at its ends. */
function identPart(text: string): string {
  const cleaned = text.replace(/[<>\p{Cc}]/gu, '').replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
  return cleaned === '' ? 'unknown' : cleaned;
}
