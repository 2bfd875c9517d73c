import path from 'node:path';
import type { Problem, ProblemCode } from '../../checks/problem.ts';
import type { DocsSite } from '../../read/docs-site.ts';
import { folderOf } from '../../read/folder.ts';
import { isBelow } from '../../read/site.ts';
import { messageOf } from '@docent/base/thrown';
import { plural } from '@docent/base/plural';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { oneLine } from '../one-line.ts';
import { findProgram } from './find-program.ts';
import type { Finding, Linter } from './linter.ts';
import { MARKDOWNLINT } from './markdownlint.ts';
import { runProgram } from './run-program.ts';
import { VALE } from './vale.ts';

const LINTERS: readonly Linter[] = [VALE, MARKDOWNLINT];
/** Per linter, for all pages. */
const LIMIT_MS = 10 * 60_000;
/** The system bounds what a program is given. Characters, and files. */
const MAX_ARGUMENTS = 60_000;
const MAX_FILES = 500;
const MAX_MESSAGE = 600;

export interface LinterOptions {
  docs: DocsSite;
  /** The repository's folder. Absolute. */
  top: string;
  /** From the top of the repository. */
  pages: readonly string[];
  /** The current step, and its seconds. */
  onProgress: (news: string) => void;
  /** Where to find programs outside the repository, as in `PATH`. */
  searchPath: string;
}

/** The linters' findings on a site's pages. */
export interface Linted {
  problems: Problem[];
  /** Codes of those that ran. */
  ran: ReadonlySet<ProblemCode>;
}

export const NOT_LINTED: Linted = { problems: [], ran: new Set() };

/**
 * Runs the repository's configured linters on pages. These are programs, and their configuration may name
 * others: never for jobs, only on request of a person or a CI system.
 * @throws CliFailure if one fails, or takes too long
 */
export async function runLinters(options: LinterOptions): Promise<Linted> {
  const { docs } = options;
  const problems: Problem[] = [];
  const ran = new Set<ProblemCode>();
  let isConfigured = false;
  for (const linter of LINTERS) {
    const configurations = configurationsOf(linter, docs);
    const [first] = configurations;
    if (first === undefined) continue;
    isConfigured = true;
    const folder = path.join(options.top, folderOf(first));
    const program = findProgram(linter.programs(configurations), { ...options, folder });
    if (!program) {
      problems.push(
        notChecked(
          first,
          `${linter.title} is configured here but not installed, so its rules are not checked. ${linter.install}.`,
        ),
      );
      continue;
    }
    problems.push(
      ...(await lint(linter, program, linter.runsAtConfiguration(program.name) ? folderOf(first) : '', options)),
    );
    ran.add(linter.code);
  }
  if (!isConfigured) {
    const message =
      '--linters has nothing to run: the repository configures neither Vale (.vale.ini) nor markdownlint (.markdownlint.* or .markdownlint-cli2.*).';
    problems.push(notChecked(docs.site.configPath ?? (docs.docsDir || '.'), message));
  }
  return { problems, ran };
}

/** The one that is nearest above the docs first; else those in their folder. */
function configurationsOf({ isConfiguration }: Linter, docs: DocsSite): string[] {
  const { site, docsDir } = docs;
  const all = [...site.files].filter((file) => isConfiguration.test(file.slice(file.lastIndexOf('/') + 1)));
  const above = (dir: string) =>
    all
      .filter((file) => isBelow(dir, folderOf(file)) || dir === folderOf(file))
      .toSorted((a, b) => depth(b) - depth(a));
  const below = all.filter((file) => isBelow(file, docsDir)).toSorted((a, b) => depth(a) - depth(b));
  return [...new Set([...above(docsDir), ...above(site.root), ...below])];
}

function depth(file: string): number {
  return file.split('/').length;
}

async function lint(
  linter: Linter,
  { name, file }: { name: string; file: string },
  folder: string,
  { docs, top, pages, onProgress }: LinterOptions,
): Promise<Problem[]> {
  const wanted = new Set(pages.filter((page) => isBelow(page, folder)));
  const inFolder = (page: string) => (folder === '' ? page : page.slice(folder.length + 1));
  const start = performance.now();
  const news = () => {
    const seconds = Math.round((performance.now() - start) / 1_000);
    if (seconds > 0) onProgress(`${linter.title} is checking ${plural(wanted.size, 'page')}: ${seconds} s`);
  };
  const timer = setInterval(news, 1_000);
  const problems: Problem[] = [];
  try {
    for (const files of chunks([...wanted].map(inFolder))) {
      const limit = Math.max(1, LIMIT_MS - (performance.now() - start));
      const args = linter.args(name, files);
      const ran = await runProgram(file, args, { cwd: path.join(top, folder), limit }).catch((thrown: unknown) => {
        throw failure(linter, messageOf(thrown), thrown);
      });
      const found = linter.read(name, ran);
      if (!found) throw failure(linter, said(ran));
      for (const one of found) {
        const page = pathOf(one.file, top, folder);
        if (wanted.has(page)) problems.push(problemOf(linter, docs, page, one));
      }
    }
  } finally {
    clearInterval(timer);
  }
  return problems;
}

/** Linters name files as they were given to them, or by their whole path. */
function pathOf(file: string, top: string, folder: string): string {
  return path
    .relative(top, path.resolve(top, folder, file))
    .split(path.sep)
    .join('/');
}

function problemOf(
  { code, countsCharacters, isCausedByRule }: Linter,
  docs: DocsSite,
  page: string,
  { line, column, rule, message, severity }: Finding,
): Problem {
  const text = message.slice(0, MAX_MESSAGE).replace(/(?<![.?!…])$/, '.');
  const place = column !== undefined && countsCharacters ? unitsBefore(docs, page, line, column) : column;
  return {
    path: page,
    line,
    ...(place !== undefined && { column: place }),
    code,
    rule,
    message: text,
    severity,
    ...(isCausedByRule && { cause: rule }),
  };
}

/** A column in characters as one in UTF-16 units. */
function unitsBefore(docs: DocsSite, page: string, line: number, column: number): number {
  const text = docs.readText(page)?.split('\n', line)[line - 1] ?? '';
  // Without characters beyond 16 bits, both are the same.
  return /[\uD800-\uDBFF]/.test(text) ? [...text].slice(0, column - 1).join('').length + 1 : column;
}

function* chunks(files: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let length = 0;
  for (const file of files) {
    if (part.length > 0 && (part.length === MAX_FILES || length + file.length > MAX_ARGUMENTS)) {
      yield part;
      [part, length] = [[], 0];
    }
    part.push(file);
    length += file.length + 4;
  }
  if (part.length > 0) yield part;
}

/** The first words that a program has for its failure. */
function said({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): string {
  const lines = `${stderr}\n${stdout}`.split('\n').map((line) => line.trim());
  const words = lines
    .filter((line) => /[a-z]{3}/i.test(line) && !line.startsWith('at '))
    .slice(0, 4)
    .join(' ');
  const end = code === null ? 'it was stopped by a signal' : `it exited with ${code}`;
  return words === '' ? end : `${end}: ${words.slice(0, MAX_MESSAGE)}`;
}

function failure({ title }: Linter, why: string, cause?: unknown): CliFailure {
  return new CliFailure(
    `${title} could not be run: ${oneLine(why.replace(/\.$/, ''))}. To run the other checks only, omit --linters.`,
    EXIT.usage,
    { cause },
  );
}

function notChecked(file: string, message: string): Problem {
  return { path: file, line: 1, code: 'not-checked', message, severity: 'notice' };
}
