import { extname } from 'node:path/posix';
import type { WritePolicy } from '@docent/git/contract';
import type { BaseTree } from '@docent/base/files/base-tree';
import { secretFileNoun } from '@docent/git/secret-files';
import { Workspace } from '@docent/git/workspace';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import type { FactsCache } from '@docent/docs-check/read/facts-cache';
import type { SitePlace } from '@docent/docs-check/read/find-site';
import type { Range } from '@docent/docs-check/read/page-facts';
import { indexPage, type PageIndex } from '@docent/docs-check/search/page-index';
import { commentsByPattern, VisibleText } from '@docent/docs-check/read/visible-text';
import { checkedFiles } from '../checked-files.ts';
import type { Source } from '../sources/source.ts';
import type { AttachedFile } from './attached-file.ts';
import type { LastChange } from './last-change.ts';

/** A web page that a call asks for, as it was fetched before the tools run. */
export type WebPage = { /** As the call has it. */ asked: string } & (
  | { /** After redirects. */ url: string; text: string }
  | { problem: string }
);

export interface ToolContext {
  /** The tree below the workspace: the docs as readers see them now. */
  base: BaseTree;
  policy: WritePolicy;
  /** The project's site settings: see SitePlace. */
  site?: string | null | undefined;
  cache: FactsCache;
  /** The job's last published change; null if there is none. */
  lastChange?: LastChange | null | undefined;
  /** Calls that would change something are refused. */
  readOnly?: boolean | undefined;
  /** Attachments of the job's messages. */
  attachments?: readonly AttachedFile[] | undefined;
  /** Readable repositories, and a folder for the cached indexes of their files. */
  sources?: { of: readonly Source[]; folder: string } | undefined;
  /** The web pages that the calls ask for. */
  webPages?: readonly WebPage[] | undefined;
}

/** In the order in which they are made. */
export interface Steps {
  clear?: readonly string[];
  /** Old paths to new ones. */
  move?: ReadonlyMap<string, string>;
  /** Whole texts by path. */
  write?: ReadonlyMap<string, string>;
  /** Blobs of attachments by path. */
  place?: ReadonlyMap<string, string>;
  remove?: readonly string[];
}

/** Letters of a blob id that distinguish the versions of a file. */
const VERSION_LENGTH = 10;

/** The id of a file's content in a call's data. */
export function versionOf({ workspace }: Pick<ToolSession, 'workspace'>, path: string): string {
  return workspace.blobKey(path).slice(0, VERSION_LENGTH);
}

/** Shared by the tool calls of one answer: the workspace, and the site as it is after each change. */
export class ToolSession {
  readonly workspace: Workspace;
  readonly base: BaseTree;
  readonly policy: WritePolicy;
  readonly attachments: readonly AttachedFile[];
  readonly lastChange: LastChange | null;
  readonly readOnly: boolean;
  readonly sources: ToolContext['sources'];
  readonly webPages: readonly WebPage[];
  readonly #place: SitePlace;
  readonly #cache: FactsCache;
  #docs: DocsSite | null = null;
  #baseDocs: DocsSite | null = null;

  constructor(workspace: Workspace, context: ToolContext) {
    this.workspace = workspace;
    this.base = context.base;
    this.policy = context.policy;
    this.lastChange = context.lastChange ?? null;
    this.readOnly = context.readOnly ?? false;
    this.attachments = context.attachments ?? [];
    this.sources = context.sources;
    this.webPages = context.webPages ?? [];
    this.#place = { docsDir: context.policy.docsDir, site: context.site };
    this.#cache = context.cache;
  }

  get docs(): DocsSite {
    this.#docs ??= new DocsSite(checkedFiles(this.workspace), this.#place, this.#cache);
    return this.#docs;
  }

  /** The site without the agent's changes. */
  get baseDocs(): DocsSite {
    this.#baseDocs ??= new DocsSite(checkedFiles(new Workspace(this.base, [], this.policy)), this.#place, this.#cache);
    return this.#baseDocs;
  }

  /**
   * Makes several changes of the workspace as one: if one is refused, the others are undone and the refusal
   * is rethrown. Removals come last, because a binary file cannot be restored; what `clear` removes is text.
   */
  change(steps: Steps): void {
    const undo: (() => void)[] = [];
    const { workspace } = this;
    const remove = (path: string) => {
      const before = workspace.readText(path);
      workspace.remove(path);
      if (before !== null) undo.push(() => workspace.write(path, before));
    };
    try {
      for (const path of steps.clear ?? []) remove(path);
      for (const [from, to] of steps.move ?? []) {
        workspace.move(from, to);
        undo.push(() => workspace.move(to, from));
      }
      for (const [path, text] of steps.write ?? []) {
        const before = workspace.exists(path) ? workspace.readLarge(path) : null;
        workspace.write(path, text);
        undo.push(() => (before === null ? workspace.remove(path) : workspace.write(path, before)));
      }
      for (const [path, blobId] of steps.place ?? []) {
        const before = workspace.exists(path) ? workspace.blobKey(path) : null;
        workspace.place(path, blobId);
        undo.push(() => (before === null ? workspace.remove(path) : workspace.place(path, before)));
      }
      for (const path of steps.remove ?? []) remove(path);
    } catch (thrown) {
      for (const step of undo.toReversed()) step();
      throw thrown;
    } finally {
      this.#docs = null;
    }
  }

  /** A file as the model sees it; null if it is not text, or holds secrets by its name. */
  visible(path: string): VisibleText | null {
    if (this.workspace.kind(path) !== 'text' || secretFileNoun(path) !== null) return null;
    return this.#cache.text(this.#textKey(path), () => this.#visible(path));
  }

  /** A file's index for ranked search; null if it is not text, or is a secret file by its name. */
  index(path: string): PageIndex | null {
    if (this.workspace.kind(path) !== 'text' || secretFileNoun(path) !== null) return null;
    return this.#cache.index(this.#textKey(path), () => {
      const visible = this.visible(path);
      return visible && indexPage(visible.text);
    });
  }

  /** The position of comments depends on the kind of page. */
  #textKey(path: string): string {
    return `${this.workspace.blobKey(path)} ${extname(path).toLowerCase()}`;
  }

  #visible(path: string): VisibleText | null {
    const raw = this.workspace.readText(path);
    if (raw === null) return null;
    if (!raw.includes('<!--') && !/\{\s*\/\*/.test(raw)) return new VisibleText(raw, []);
    return new VisibleText(raw, this.#comments(path, raw));
  }

  #comments(path: string, raw: string): Range[] {
    const facts = this.docs.facts(path);
    if (!facts || facts.notRead || facts.problems.some(({ kind }) => kind === 'syntax'))
      return commentsByPattern(raw, path);
    return facts.opaque.filter(({ kind }) => kind === 'comment').map(({ start, end }): Range => [start, end]);
  }
}
