/** What the built-in editor can be asked for. */
export type Instruction =
  | { kind: 'replace'; from: string; to: string; within: string[]; inCode: boolean; inWords: boolean }
  | { kind: 'fix-links'; within: string | null }
  | { kind: 'add-page'; title: string | null; path: string | null; group: string | null; text: string | null }
  | { kind: 'append-section'; heading: string; page: string; text: string | null }
  | { kind: 'append-text'; page: string; text: string }
  /** `what` is what the sentence calls it; `into`: to its own name in the folder `to`. */
  | { kind: 'move'; from: string; to: string; what: 'page' | 'folder' | null; into: boolean }
  | { kind: 'retitle'; page: string; title: string }
  | { kind: 'delete'; page: string; what: 'page' | 'folder' | null; redirectTo: string | null }
  /** Go on with what was not finished. */
  | { kind: 'go-on' };

/** What a message asks for. If one sentence is not understood, none of the message is carried out. */
export interface Request {
  instructions: Instruction[];
  /** Sentences that ask for nothing, such as reasons. */
  aside: string[];
  notUnderstood: string[];
}
