import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import type { SitePlace } from '@docent/docs-check/read/find-site';
import { checkDocs } from '@docent/docs-check/checks/check-docs';
import { siteProblems } from '@docent/docs-check/checks/site-problems';
import { describeProblem, type Problem } from '@docent/docs-check/checks/problem';
import type { Model, ModelAnswer } from '@docent/models/model';
import { createBuiltinModel } from '@docent/agent/builtin/builtin';
import { runToolCalls, TOOL_DEFINITIONS } from '@docent/agent/tools/tool-set';
import type { LastChange } from '@docent/agent/tools/last-change';
import type { ToolResult } from '@docent/models/conversation/tool-call';
import { readEntries, type TranscriptEntry } from '@docent/models/conversation/transcript';
import type { WritePolicy } from '@docent/git/contract';
import { memoryBaseTree, type MemoryFile } from '@docent/base/files/memory-base-tree';
import { Workspace } from '@docent/git/workspace';

export type Files = Record<string, MemoryFile>;

/** Facts are those of a text: sites of all tests share them, so each page is read once. */
const FACTS = new FactsCache();

const SITES = new URL('../fixtures/sites/', import.meta.url).pathname;

const sites = new Map<string, Files>();

/** A site of test/fixtures/sites, by path. */
export function siteFiles(name: 'mintlify' | 'mint-json' | 'plain'): Readonly<Files> {
  const files = sites.get(name) ?? readSite(name);
  sites.set(name, files);
  return files;
}

function readSite(name: string): Files {
  const root = join(SITES, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(root, path), readFileSync(path)]),
  );
}

/** A workspace over a site, and what the tests ask of it. */
export class Site {
  readonly base;
  readonly workspace: Workspace;
  readonly policy: WritePolicy;
  readonly cache = FACTS;
  readonly site: string | undefined;
  readonly lastChange: LastChange | undefined;
  /** The result of {@link Site.introduced} for these changes: many a test asks again after a turn. */
  #found: { changes: string; introduced: string[] } | undefined;

  constructor(
    files: Files,
    { site, lastChange, ...policy }: Partial<WritePolicy> & { site?: string; lastChange?: LastChange } = {},
  ) {
    this.site = site;
    this.lastChange = lastChange;
    this.policy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 10_000_000, ...policy };
    this.base = memoryBaseTree(files);
    this.workspace = new Workspace(this.base, [], this.policy);
  }

  get context() {
    return { base: this.base, policy: this.policy, site: this.site, cache: this.cache, lastChange: this.lastChange };
  }

  get place(): SitePlace {
    return { docsDir: this.policy.docsDir, site: this.site };
  }

  /** One tool call. */
  call(name: string, input: unknown): ToolResult {
    return runToolCalls(this.workspace, [{ id: 'c', name, input }], this.context)[0]!;
  }

  text(path: string): string | null {
    return this.workspace.exists(path) ? this.workspace.readText(path) : null;
  }

  /** Paths that differ from the base. */
  changed(): string[] {
    return this.workspace.changes().map(({ path }) => path);
  }

  /** What changed, as a unified diff without context. */
  diff(): string {
    return this.workspace
      .changes()
      .map(({ path, content }) => {
        const patch = createTwoFilesPatch(path, path, this.base.readText(path) ?? '', content ?? '', '', '', {
          context: 0,
        });
        return `== ${path}\n${patch.split('\n').slice(4).join('\n')}`;
      })
      .join('');
  }

  docs(): DocsSite {
    return new DocsSite(this.workspace, this.place, this.cache);
  }

  problems(): Problem[] {
    return checkDocs(this.docs());
  }

  /** Problems that the change introduced, as lines. Notices left out. */
  introduced(): string[] {
    const changes = JSON.stringify(this.workspace.changes());
    if (this.#found?.changes !== changes) this.#found = { changes, introduced: this.#introduced() };
    return this.#found.introduced;
  }

  #introduced(): string[] {
    const before = new DocsSite(new Workspace(this.base, [], this.policy), this.place, this.cache);
    const { introduced } = siteProblems(this.docs(), before);
    return introduced.filter(({ severity }) => severity !== 'notice').map(describeProblem);
  }

  /**
   * One turn as a job runs it: the model is asked until it makes no more calls, then the docs are checked,
   * and problems go back to it for up to three rounds. The transcript is added to.
   */
  async turn(
    transcript: TranscriptEntry[],
    model: Model = wordless(createBuiltinModel()),
  ): Promise<{ text: string; steps: number; outcome: ModelAnswer['outcome'] | null }> {
    for (let steps = 1, rounds = 0; ; steps++) {
      if (steps > 50) throw new Error('The turn used up its 50 steps.');
      const request = { system: '', transcript: recorded(transcript), tools: TOOL_DEFINITIONS };
      const answer = await model.respond(request, { signal: AbortSignal.timeout(60_000) });
      transcript.push({ role: 'assistant', text: answer.text, toolCalls: answer.toolCalls });
      if (answer.toolCalls.length > 0) {
        const results = runToolCalls(this.workspace, answer.toolCalls, this.context);
        transcript.push({ role: 'tool', results });
        continue;
      }
      const problems = this.introduced().filter((line) => !/missing-redirect|redirect-to-nowhere/.test(line));
      if (problems.length === 0 || rounds === 3) return { text: answer.text, steps, outcome: answer.outcome ?? null };
      rounds++;
      const listed = problems.map((problem) => `- ${problem}`).join('\n');
      transcript.push({
        role: 'notice',
        kind: 'problems',
        problems,
        text: `The docs checks found problems:\n${listed}`,
      });
    }
  }

  /** Turns with these messages, one message a turn. */
  async say(...messages: string[]) {
    const transcript: TranscriptEntry[] = [];
    let last: Awaited<ReturnType<Site['turn']>> = { text: '', steps: 0, outcome: null };
    for (const [i, text] of messages.entries()) {
      transcript.push({ role: 'user', no: i + 1, text });
      last = await this.turn(transcript);
    }
    return { ...last, transcript };
  }
}

/** As a later step reads it from the database. */
function recorded(transcript: readonly TranscriptEntry[]): TranscriptEntry[] {
  return readEntries(JSON.parse(JSON.stringify(transcript)) as unknown[]);
}

/** A model that is a program, and sees nothing of what tools and notices say in words. */
export function wordless(model: Model): Model {
  return {
    ...model,
    respond: (request, options) =>
      model.respond({ ...request, transcript: request.transcript.map(withoutWords) }, options),
  };
}

function withoutWords(entry: TranscriptEntry): TranscriptEntry {
  if (entry.role === 'notice') return { ...entry, text: 'x' };
  if (entry.role !== 'tool') return entry;
  return { ...entry, results: entry.results.map((result) => ({ ...result, text: 'x' })) };
}

export function mintlify(extra: Files = {}): Site {
  return new Site({ ...siteFiles('mintlify'), ...extra });
}

export function mintJson(extra: Files = {}): Site {
  return new Site({ ...siteFiles('mint-json'), ...extra });
}

export function plain(extra: Files = {}): Site {
  return new Site({ ...siteFiles('plain'), ...extra }, { docsDir: 'docs' });
}
