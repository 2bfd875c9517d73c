/** What the built-in editor can be asked for. */
export type Instruction =
  /** `loose`: the text was not in quotes, so it may be no text at all. */
  | { kind: 'replace'; from: string; to: string; within: string[]; inCode: boolean; inWords: boolean; loose?: boolean }
  | { kind: 'fix-links'; within: string | null }
  | { kind: 'add-page'; title: string | null; path: string | null; group: string | null; text: string | null }
  | { kind: 'append-section'; heading: string; page: string; text: string | null }
  | { kind: 'append-text'; page: string; text: string }
  /** `what` is what the sentence calls it; `into`: to its own name in the folder `to`. */
  | { kind: 'move'; from: string; to: string; what: 'page' | 'folder' | null; into: boolean }
  | { kind: 'retitle'; page: string; title: string }
  | { kind: 'delete'; page: string; what: 'page' | 'folder' | null; redirectTo: string | null }
  | { kind: 'describe'; page: string; text: string }
  /** Without a page: the only one that has it. */
  | { kind: 'rename-heading'; page: string | null; heading: string; text: string }
  | { kind: 'remove-section'; page: string | null; heading: string }
  | { kind: 'remove-text'; page: string | null; text: string }
  | { kind: 'rename-group'; group: string; to: string }
  /** In the navigation; `group` is that in which it shall be first or last. */
  | {
      kind: 'place';
      item: { name: string; what: 'page' | 'group' | null };
      place: 'before' | 'after' | 'first' | 'last';
      beside: { name: string; what: 'page' | 'group' | null } | null;
      group: string | null;
    }
  /** Of a file that came with a message. */
  | { kind: 'add-attachment'; name: string; path: string }
  | { kind: 'redirect'; from: string; to: string }
  /** Take back the last change of the job. */
  | { kind: 'undo' }
  /** Say what can be asked for. */
  | { kind: 'help' }
  /** Go on with what was not finished. */
  | { kind: 'go-on' };

/** What a message asks for. If one sentence is not understood, none of the message is carried out. */
export interface Request {
  instructions: Instruction[];
  /** Sentences that ask for nothing, such as reasons. */
  aside: string[];
  notUnderstood: string[];
}
