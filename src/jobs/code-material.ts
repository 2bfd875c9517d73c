import { readDiff } from '@docent/client';
import type { CodeEvent, StaleClaim } from './code-trigger.ts';
import type { RunMaterial } from '../store/automations/automation-schema.ts';

const MAX_CHARACTERS = 16_000;
const MAX_LIST = 4_000;

/** The changes of one branch, or of one pull request. All of it is hostile. */
export interface CodeChanges {
  /** The repository. */
  name: string;
  branch: string;
  /** The number of the pull request; null for a branch. */
  pullRequest: number | null;
  /** Null if no earlier commit is known. */
  since: string | null;
  until: string | null;
  /** Oldest first. */
  commits: readonly { id: string; message: string; authorName: string }[];
  files: readonly string[];
  /** Unified. */
  diff: string;
  /** Why it could not be read; null if it could. */
  problem: string | null;
}

type MaterialEvent = Pick<CodeEvent, 'number' | 'title' | 'branch' | 'citation'> & {
  name: string;
  /** Where it happened. */
  repository: string;
};

/** A run's code changes: events, commits, files, and as much diff as fits. Reports omissions. */
export function codeMaterial(
  events: readonly MaterialEvent[],
  changes: readonly CodeChanges[],
): { text: string; material: RunMaterial } {
  let isCut = false;
  const bounded = (lines: readonly string[], max: number) => {
    let room = max;
    const shown = lines.filter((line) => (room -= line.length + 1) >= 0);
    if (shown.length === lines.length) return shown.join('\n');
    isCut = true;
    return [...shown, `[${lines.length - shown.length} more are left out here]`].join('\n');
  };
  const share = Math.floor(MAX_LIST / Math.max(1, changes.length));
  const happened = events.flatMap(({ name, number, title, branch, citation }) =>
    citation
      ? []
      : ['-', name, number === null ? '' : `#${number}`, title ?? '', branch === null ? '' : `(${branch})`]
          .filter((part) => part !== '')
          .join(' '),
  );
  const stale = events.flatMap(({ repository, citation }) => (citation ? [staleLine(repository, citation)] : []));
  const parts: string[] = [];
  if (happened.length > 0) parts.push(`Events:\n${bounded(happened, 2_000)}`);
  if (stale.length > 0) parts.push(`Statements whose cited lines have changed:\n${bounded(stale, MAX_LIST)}`);
  for (const change of changes) {
    const { since, commits, files, problem } = change;
    const name = placeOf(change);
    const from = since === null ? '' : ` since ${since}`;
    if (problem !== null) parts.push(`${name} could not be read: ${problem}`);
    if (commits.length > 0) {
      const lines = commits
        .toReversed()
        .map(({ id, message, authorName }) => `- ${id.slice(0, 10)} ${firstLine(message)} (${authorName})`);
      const where = change.pullRequest === null ? `${name}, branch ${change.branch}` : name;
      parts.push(`Commits in ${where}${from}, newest first:\n${bounded(lines, share)}`);
    }
    if (files.length > 0) {
      parts.push(
        `Changed files in ${name}:\n${bounded(
          files.map((file) => `- ${file}`),
          share,
        )}`,
      );
    }
  }
  let text = parts.join('\n\n');
  for (const change of changes) {
    const { diff } = change;
    if (diff === '') continue;
    const room = MAX_CHARACTERS - text.length;
    if (diff.length > room) isCut = true;
    if (room > 200) text += `\n\nDiff of ${placeOf(change)}:\n${diff.slice(0, room)}`;
  }
  if (isCut) text += `\n\n[Docent left out a part of this material: the limit is ${MAX_CHARACTERS} characters.]`;
  const count = (of: 'commits' | 'files') => changes.reduce((sum, change) => sum + change[of].length, 0);
  return {
    text,
    material: { commits: count('commits'), files: count('files'), characters: text.length, cut: isCut },
  };
}

/** Without the lines themselves: the agent reads them as they are now. */
function staleLine(source: string, { page, line, claim, path, fromLine, toLine, isGone }: StaleClaim): string {
  const where = `${source}:${path}#L${fromLine}-L${toLine}`;
  return `- ${page}:${line} ${JSON.stringify(claim)} cites ${where}${isGone ? ', which is gone' : ''}`;
}

function placeOf({ name, pullRequest }: CodeChanges): string {
  return pullRequest === null ? name : `${name}, pull request #${pullRequest}`;
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}

export function filesOf(diff: string): string[] {
  return readDiff(diff).files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
}

/** The parts of a unified diff that are about these files. */
export function diffOf(diff: string, files: readonly string[]): string {
  const wanted = new Set(files);
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => {
      const found = filesOf(part);
      return found.length === 0 || found.some((file) => wanted.has(file));
    })
    .join('');
}
