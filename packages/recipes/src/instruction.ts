/** The instructions of the built-in editor. */
export type Instruction =
  | ReplaceInstruction
  | { kind: 'fix-links'; within: string | null }
  | {
      kind: 'add-page';
      title: string | null;
      path: string | null;
      /** The folder of a page without a path. */
      folder: string | null;
      group: string | null;
      text: string | null;
    }
  | { kind: 'append-section'; heading: string; page: string; text: string | null }
  | { kind: 'append-text'; page: string; at: 'top' | 'end'; text: string }
  /** `what` is the noun in the sentence; `into`: keep the name, in the folder `to`. */
  | { kind: 'move'; from: string; to: string; what: 'page' | 'folder' | null; into: boolean | 'unclear' }
  | { kind: 'retitle'; page: string; title: string }
  | { kind: 'delete'; page: string; what: 'page' | 'folder' | null; redirectTo: string | null }
  | { kind: 'describe'; page: string; text: string }
  /** Without a page: the only one that has it. */
  | { kind: 'rename-heading'; page: string | null; heading: string; text: string }
  | { kind: 'remove-section'; page: string | null; heading: string }
  /** `everywhere`: from all pages. */
  | { kind: 'remove-text'; page: string | null; everywhere: boolean; text: string }
  | { kind: 'rename-group'; group: string; to: string }
  /** In the navigation; `group`: the group in which it becomes first or last. */
  | {
      kind: 'place';
      item: { name: string; what: 'page' | 'group' | null };
      place: 'before' | 'after' | 'first' | 'last';
      beside: { name: string; what: 'page' | 'group' | null } | null;
      group: string | null;
    }
  /** Takes a page out of the navigation. The page stays. */
  | { kind: 'unlist'; page: string }
  /** A file that was attached to a message. */
  | { kind: 'add-attachment'; name: string; path: string }
  | { kind: 'redirect'; from: string; to: string }
  /** Reverts the last change of the job. */
  | { kind: 'undo' }
  /** Shows the possible requests. */
  | { kind: 'help' }
  /** Reviews a pull request: the docs checks do it. */
  | { kind: 'review' }
  /** Continues unfinished work. */
  | { kind: 'go-on' };

export interface ReplaceInstruction extends ReplaceScope {
  kind: 'replace';
  from: string;
  to: string;
  /** The text was not in quotes: if no page has it, something else was meant. */
  loose: boolean;
}

/** Where a text is replaced. */
export interface ReplaceScope {
  /** Pages, folders or globs; empty for all pages. */
  within: string[];
  except: string[];
  inCode: boolean;
  inWords: boolean;
  /** Only the first occurrence in the page. */
  first: boolean;
}

/** The instructions of a message. If one sentence is not understood, none of the message is carried out. */
export interface Request {
  instructions: Instruction[];
  notUnderstood: string[];
}
