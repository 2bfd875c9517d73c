import { applyPatch, parsePatch, reversePatch, type StructuredPatch } from 'diff';
import { z } from 'zod';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { listed, some } from './bounded-output.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { Steps, ToolSession } from './tool-session.ts';

const schema = z.strictObject({});

/**
 * Undoes the unpublished change; without one, the job's last published change, by its diff alone. If others
 * have changed the files since, it reports that and undoes nothing. Not advertised to models: they undo by
 * editing.
 */
export const undoTool = defineTool({
  name: 'undo',
  description: 'Reverts the last change of this job.',
  schema,
  example: {},
  run(_, session) {
    return session.workspace.changes().length > 0 ? dropped(session) : undone(session);
  },
});

function dropped(session: ToolSession): ToolOutcome {
  const { workspace, base } = session;
  const write = new Map<string, string>();
  const remove: string[] = [];
  for (const { path } of workspace.changes()) {
    const file = base.file(path);
    const text = file ? base.readText(path) : null;
    if (!file) remove.push(path);
    else if (text !== null) write.set(path, text);
    else throw new ToolRefusal(`${visibleName(path)} is not a text file, so it cannot be restored.`);
  }
  session.change({ write, remove });
  return outcome(null, [...write.keys(), ...remove]);
}

function undone(session: ToolSession): ToolOutcome {
  const last = session.lastChange;
  if (!last) throw new ToolRefusal('This job has published no change so far: there is nothing to undo.');
  const patches = patchesOf(last.diff);
  const write = new Map<string, string>();
  const remove: string[] = [];
  const differing: string[] = [];
  for (const patch of patches) {
    const { path, isNew, isGone } = patch;
    const now = session.workspace.exists(path) ? session.workspace.readText(path) : null;
    const before = applyPatch(now ?? '', reversePatch(patch.patch));
    if (before !== false && !isNew && (now !== null) === !isGone) write.set(path, before);
    else if (before === '' && isNew && now !== null) remove.push(path);
    else if (!isUndone(patch, now)) differing.push(path);
  }
  if (differing.length > 0) {
    throw new ToolRefusal(
      `Turn ${last.turn} cannot be undone: ${listed(differing.map(visibleName))} ` +
        `${differing.length === 1 ? 'is' : 'are'} not as that turn left ` +
        `${differing.length === 1 ? 'it' : 'them'}. Others changed the same lines since, or its pull ` +
        'request was closed without being merged.',
    );
  }
  const steps: Steps = { write, remove };
  session.change(steps);
  return outcome(last.turn, [...write.keys(), ...remove]);
}

interface FilePatch {
  path: string;
  /** The turn made the file, or took it away. */
  isNew: boolean;
  isGone: boolean;
  patch: StructuredPatch;
}

/** Whether a file is already as it was before the turn. */
function isUndone({ patch, isNew, isGone }: FilePatch, now: string | null): boolean {
  if ((now === null) !== isNew) return false;
  return applyPatch(now ?? '', patch) !== false && !(isGone && now === null);
}

/** @throws ToolRefusal if the diff does not have all that was changed */
function patchesOf(diff: string): FilePatch[] {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part !== '');
  return parts.map((part): FilePatch => {
    const head = part.slice(0, part.search(/^@@ /m) === -1 ? part.length : part.search(/^@@ /m));
    const isWhole = /^--- /m.test(head) && !/^\.\.\. (?:the diff is cut here|\d+ changed parts)/m.test(part);
    const [patch] = isWhole ? parsePatch(part) : [];
    const isNew = /^new file mode /m.test(head);
    const isGone = /^deleted file mode /m.test(head);
    const name = isGone ? patch?.oldFileName : patch?.newFileName;
    const path = name?.replace(/^[ab]\//, '');
    if (!patch || !path || /^old mode /m.test(head)) {
      const [named = 'a file'] = /^diff --git (?:"?a\/)(.+?)"? "?b\//.exec(part)?.slice(1) ?? [];
      throw new ToolRefusal(
        `The last change cannot be undone by itself: what it did to ${visibleName(named)} is not in its ` +
          'diff (no text, or too much of it). Revert its commit in the repository.',
      );
    }
    return { path, isNew, isGone, patch };
  });
}

function outcome(turn: number | null, changed: string[]): ToolOutcome {
  return {
    text: `Undid ${turn === null ? 'what was not published yet' : `the change of turn ${turn}`} in ${plural(changed.length, 'file')}.`,
    changed,
    data: { tool: 'undo', turn, files: some(changed.map(visibleName), 20) },
  };
}
