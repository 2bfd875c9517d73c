import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readProse, sentencesOf, wordsOf } from './read-prose.ts';

/** The most words of docs in total, reference tables aside. */
const GOAL_WORDS = 45_000;
const LINE_LENGTH = 110;
const SUBJECT_LENGTH = 72;
/** Newest commits whose subjects are counted. */
const COMMITS = 500;
const COLUMNS = ['words', 'in tables', 'is told', '…body', 'you ‰', '> 25', '> 35'];

const NONE = { words: 0, inTables: 0, you: 0, told: 0, somebody: 0, sentences: 0, above25: 0, above35: 0 };
type Figures = typeof NONE;

/**
 * Prints, for each page of the docs and in total: words of prose and in tables, and how it is written. Front
 * matter except title and description, code blocks and generated tables do not count.
 */
export function measure(root: string, pages: readonly string[]): void {
  const chosen = pages.length > 0 ? pages : globSync('docs/**/*.mdx', { cwd: root }).toSorted();
  const total = { ...NONE };
  let withoutReferenceTables = 0;
  process.stdout.write(`${'page'.padEnd(44)}${COLUMNS.map((name) => name.padStart(10)).join('')}\n`);
  for (const page of chosen) {
    const figures = figuresOf(readFileSync(path.resolve(root, page), 'utf8'));
    for (const key of Object.keys(figures) as (keyof Figures)[]) total[key] += figures[key];
    withoutReferenceTables += figures.words + (page.includes('docs/reference/') ? 0 : figures.inTables);
    print(page, figures);
  }
  print('total', total);
  if (pages.length > 0) return;
  const [count, goal] = [withoutReferenceTables, GOAL_WORDS].map((number) => number.toLocaleString('en-US'));
  process.stdout.write(
    `\nWithout the tables of the reference: ${count} words, ${chosen.length} pages. Goal: ${goal}.\n`,
  );
  printSources(root);
}

function figuresOf(source: string): Figures {
  const figures = { ...NONE };
  for (const { text, isCell } of readProse(source)) {
    figures[isCell ? 'inTables' : 'words'] += wordsOf(text).length;
    figures.you += text.match(/\byou(?:rs?|rself)?\b/gi)?.length ?? 0;
    figures.told += text.match(/\b(?:is|are|was|were|be) told\b/gi)?.length ?? 0;
    figures.somebody += text.match(/\b(?:some|no|any)body\b/gi)?.length ?? 0;
    for (const sentence of sentencesOf(text)) {
      const { length } = wordsOf(sentence);
      figures.sentences += 1;
      if (length > 25) figures.above25 += 1;
      if (length > 35) figures.above35 += 1;
    }
  }
  return figures;
}

function print(name: string, of: Figures): void {
  const you = ((1000 * of.you) / (of.words + of.inTables) || 0).toFixed(1);
  const share = (part: number) => `${((100 * part) / of.sentences || 0).toFixed(1)} %`;
  const cells = [of.words, of.inTables, of.told, of.somebody, you, share(of.above25), share(of.above35)];
  process.stdout.write(`${name.padEnd(44)}${cells.map((cell) => String(cell).padStart(10)).join('')}\n`);
}

function printSources(root: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const sources = git('ls-files', 'src', 'packages', 'scripts').filter((file) =>
    /(?<!generated\/.*)\.(?:ts|tsx)$/.test(file),
  );
  const lines = sources.flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n'));
  const comments = lines.filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > LINE_LENGTH);
  const subjects = git('log', `-${COMMITS}`, '--format=%s').filter((subject) => subject.length > SUBJECT_LENGTH);
  process.stdout.write(
    `Lines of comments above ${LINE_LENGTH} characters: ${comments.length}. Lines above 120: ${lines.filter((line) => line.length > 120).length}.\n`,
  );
  process.stdout.write(
    `Of the last ${COMMITS} commit subjects, ${subjects.length} are above ${SUBJECT_LENGTH} characters.\n`,
  );
}
