import type { DiffLine } from '@docent/client';
import { signal, type Signal } from '@preact/signals';

/** A comment on a line. */
export interface Comment {
  path: string;
  side: 'old' | 'now';
  line: number;
  /** The line, as it is in the diff. */
  quote: string;
  text: string;
}

/** Characters of a line that a message quotes. */
const MAX_QUOTE = 500;

/** The comments on a job's changes that are not sent yet: kept in this tab, through reloads. */
export class Comments {
  readonly #place: string;
  readonly #ofFile = new Map<string, Signal<readonly Comment[]>>();
  /** The number of comments, and of those with text. */
  readonly open = signal(0);
  readonly ready = signal(0);

  constructor(jobId: string) {
    this.#place = `docent-draft:comments:${jobId}`;
    for (const comment of read(this.#place)) {
      const file = this.of(comment.path);
      file.value = [...file.peek(), comment];
    }
    this.#count();
  }

  /** The comments on one file. Changes when one is added or removed, and not while typing. */
  of(path: string): Signal<readonly Comment[]> {
    let file = this.#ofFile.get(path);
    if (!file) this.#ofFile.set(path, (file = signal<readonly Comment[]>([])));
    return file;
  }

  /** Opens an empty one at a line that has none. */
  begin(path: string, line: DiffLine): void {
    const file = this.of(path);
    const comment = { path, ...placeOf(line), quote: line.text, text: '' };
    if (!file.peek().some((other) => isSamePlace(other, comment))) file.value = [...file.peek(), comment];
    this.#keep();
  }

  write(comment: Comment, text: string): void {
    comment.text = text;
    this.#keep();
  }

  remove(comment: Comment): void {
    const file = this.of(comment.path);
    file.value = file.peek().filter((other) => other !== comment);
    this.#keep();
  }

  /** All comments with text, in the order of their files and lines. */
  all(): Comment[] {
    return [...this.#ofFile.values()]
      .flatMap((file) => file.peek())
      .filter(({ text }) => text.trim() !== '')
      .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  }

  #keep(): void {
    this.#count();
    const kept = [...this.#ofFile.values()].flatMap((file) => file.peek());
    try {
      if (kept.length === 0) sessionStorage.removeItem(this.#place);
      else sessionStorage.setItem(this.#place, JSON.stringify(kept));
    } catch {
      // Storage may be disabled or full: then they live as long as the page.
    }
  }

  #count(): void {
    this.open.value = [...this.#ofFile.values()].reduce((sum, file) => sum + file.peek().length, 0);
    this.ready.value = this.all().length;
  }
}

export function placeOf(line: DiffLine): Pick<Comment, 'side' | 'line'> {
  return line.now === null ? { side: 'old', line: line.old ?? 0 } : { side: 'now', line: line.now };
}

export function isSamePlace(a: Pick<Comment, 'side' | 'line'>, b: Pick<Comment, 'side' | 'line'>): boolean {
  return a.side === b.side && a.line === b.line;
}

/** The message to the job with all comments: each with its file, its line and the line's text. */
export function messageOf(comments: readonly Comment[]): string {
  return comments
    .map(({ path, side, line, quote, text }) => {
      const where = `In ${path}, line ${line}${side === 'old' ? ' of the version before the change' : ''}:`;
      const quoted = quote.length > MAX_QUOTE ? `${quote.slice(0, MAX_QUOTE).toWellFormed()}…` : quote;
      return [where, ...(quoted.trim() === '' ? [] : [`> ${quoted}`]), '', text.trim()].join('\n');
    })
    .join('\n\n');
}

function read(place: string): Comment[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return Array.isArray(found) ? found.filter(isComment) : [];
  } catch {
    return [];
  }
}

function isComment(value: unknown): value is Comment {
  const { path, side, line, quote, text } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof path === 'string' &&
    (side === 'old' || side === 'now') &&
    typeof line === 'number' &&
    typeof quote === 'string' &&
    typeof text === 'string'
  );
}
