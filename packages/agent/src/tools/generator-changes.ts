import { GeneratorEditor } from '@docent/docs-check/read/generator-editor';
import type { DocsSite } from '@docent/docs-check/read/docs-site';
import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { listed, some, type Some } from './bounded-output.ts';
import type { ToolSession } from './tool-session.ts';

/** The effect of a move or a deletion on the navigation and the redirects of sites other than Mintlify's. */
export interface GeneratorChanges {
  /** New texts by path. */
  texts: Map<string, string>;
  notes: string[];
  /** What the agent has to do itself, one line each. */
  manualSteps: string[];
}

const NONE: GeneratorChanges = { texts: new Map(), notes: [], manualSteps: [] };

/** @param docs the site before, with all files that move */
export function generatorMoves(
  docs: DocsSite,
  moves: ReadonlyMap<string, string>,
  session: ToolSession,
): GeneratorChanges {
  const editor = GeneratorEditor.of(docs, moves);
  if (!editor) return NONE;
  const entries = editor.renameEntries(moves);
  const added = redirected(editor, docs, moves, session);
  const notes = entries > 0 ? [`${plural(entries, 'navigation entry', 'navigation entries')} updated`] : [];
  if (added > 0) notes.push(`${plural(added, 'redirect')} added`);
  return finished(editor, notes, session);
}

/** @param successor the page that takes the deleted one's place, if there is one */
export function generatorRemoval(
  docs: DocsSite,
  path: string,
  successor: string | null,
  session: ToolSession,
): GeneratorChanges {
  const editor = GeneratorEditor.of(docs, new Map());
  if (!editor) return NONE;
  const entries = editor.removeEntries(path);
  const notes = entries > 0 ? [`${plural(entries, 'navigation entry', 'navigation entries')} removed`] : [];
  if (successor !== null && redirected(editor, docs, new Map([[path, successor]]), session) > 0) {
    notes.push('redirect added');
  }
  return finished(editor, notes, session);
}

/** @param docs the site with the new page */
export function generatorEntry(docs: DocsSite, path: string, session: ToolSession): GeneratorChanges {
  const editor = GeneratorEditor.of(docs, new Map());
  if (!editor) return NONE;
  return finished(editor, editor.addEntry(path) ? ['entered in the navigation'] : [], session);
}

function redirected(
  editor: GeneratorEditor,
  docs: DocsSite,
  moves: ReadonlyMap<string, string>,
  session: ToolSession,
): number {
  const pages = [...moves].filter(([from]) => pageFormatOf(from) && !docs.site.generator?.isPartial(from));
  const changes = pages.flatMap(([from, to]) => editor.addressChange(from, to) ?? []);
  // Readers may know the addresses of pages that are in the base tree.
  const known = changes.filter(({ fromFile }) => session.base.file(fromFile) !== undefined);
  return editor.redirect(changes, new Set(known.map(({ from }) => from))).length;
}

/** If the configuration is outside the writable folder, none of it is changed. */
function finished(editor: GeneratorEditor, notes: string[], session: ToolSession): GeneratorChanges {
  const texts = editor.changed();
  const outside = [...texts.keys()].filter((path) => !session.workspace.mayWrite(path));
  const manualSteps = [...editor.manualSteps()];
  if (outside.length > 0) {
    const names = listed(outside.map(visibleName), 10);
    manualSteps.push(
      `${names} is outside the folder that may be changed: navigation and redirects there were left alone`,
    );
    return { texts: new Map([...texts].filter(([path]) => !outside.includes(path))), notes: [], manualSteps };
  }
  return { texts, notes, manualSteps };
}

export function toDoOf({ manualSteps }: GeneratorChanges): Some {
  return some(manualSteps.map(visibleName), 20);
}

/** The same, as lines of a tool's answer. */
export function manualStepLines(changes: GeneratorChanges): string[] {
  const { first, count } = toDoOf(changes);
  const lines = first.map((sentence) => `To do: ${sentence}.`);
  return count > first.length ? [...lines, `… and ${count - first.length} more of the kind.`] : lines;
}
