/**
 * Checks the language of what users read: README.md, docs/, and the help, errors and logs in the sources.
 * It looks for words that the style guide replaces, long sentences, long pages and misspelled words.
 * `--measure` prints a table instead. With files, it checks only these.
 *
 *   node scripts/prose.ts [--measure] [FILE…]
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FORBIDDEN, MAX_PAGE_WORDS, MAX_SENTENCE_WORDS } from './prose/rules.ts';
import { readProse, sentencesOf, wordsOf, type Paragraph } from './prose/read-prose.ts';
import { readSource } from './prose/read-source.ts';

const ROOT = path.join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({ options: { measure: { type: 'boolean' } }, allowPositionals: true });
const SOURCES = ['src/**/*.ts', 'packages/{base,docs-check,recipes}/src/**/*.ts'];
const files =
  positionals.length > 0
    ? positionals
    : ['README.md', ...globSync(['docs/**/*.mdx', ...SOURCES], { cwd: ROOT, exclude: ['**/generated/**'] }).toSorted()];

if (values.measure) measure();
else check();

function check(): void {
  const problems = files.flatMap(problemsOf);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${files.length} files, ${problems.length} problems.\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function paragraphsOf(file: string): Paragraph[] {
  const source = readFileSync(path.resolve(ROOT, file), 'utf8');
  return file.endsWith('.ts') ? readSource(file, source) : readProse(source);
}

function problemsOf(file: string): string[] {
  const paragraphs = paragraphsOf(file);
  const found = paragraphs.flatMap(({ line, text }) => {
    const at = `${file}:${line}`;
    const words = FORBIDDEN.flatMap(({ pattern, instead }) => {
      const said = pattern.exec(text);
      return said ? [`${at}: "${said[0]}": ${instead}`] : [];
    });
    const long = sentencesOf(text).flatMap((sentence) => {
      const count = wordsOf(sentence).length;
      return count > MAX_SENTENCE_WORDS ? [`${at}: ${count} words in one sentence: "${sentence.slice(0, 60)}…"`] : [];
    });
    return [...words, ...long];
  });
  const total = paragraphs.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  if (total > MAX_PAGE_WORDS && !file.startsWith('docs/reference/') && !file.endsWith('.ts'))
    found.push(`${file}: ${total} words: split the page, ${MAX_PAGE_WORDS} are the most.`);
  return found;
}

function measure(): void {
  const none = { words: 0, you: 0, told: 0, somebody: 0, sentences: 0, above25: 0, above35: 0 };
  const sums = { ...none };
  const print = (name: string, of: typeof sums) => {
    const perThousand = ((1000 * of.you) / of.words || 0).toFixed(1);
    const share = (part: number) => `${((100 * part) / of.sentences || 0).toFixed(1)} %`;
    const cells = [of.words, of.told, of.somebody, perThousand, share(of.above25), share(of.above35)];
    process.stdout.write(`${name.padEnd(44)}${cells.map((cell) => String(cell).padStart(9)).join('')}\n`);
  };
  process.stdout.write(
    `${'page'.padEnd(44)}${['words', 'is told', 'somebody', 'you ‰', '> 25', '> 35'].map((head) => head.padStart(9)).join('')}\n`,
  );
  for (const file of files) {
    const of = { ...none };
    for (const { text } of paragraphsOf(file)) {
      of.words += wordsOf(text).length;
      of.you += text.match(/\byou(?:rs?|rself)?\b/gi)?.length ?? 0;
      of.told += text.match(/\b(?:is|are|was|were|be) told\b/gi)?.length ?? 0;
      of.somebody += text.match(/\b(?:some|no|any)body\b/gi)?.length ?? 0;
      for (const sentence of sentencesOf(text)) {
        const count = wordsOf(sentence).length;
        of.sentences += 1;
        if (count > 25) of.above25 += 1;
        if (count > 35) of.above35 += 1;
      }
    }
    for (const key of Object.keys(of) as (keyof typeof of)[]) sums[key] += of[key];
    print(file, of);
  }
  print('total', sums);
}
