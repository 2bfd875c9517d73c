/**
 * Checks the language of what users read: README.md, docs/, and the help, errors and logs in the sources.
 * It looks for words that the style guide replaces, long sentences, long pages and misspelled words.
 * `--measure` prints figures of each docs page instead. With files, it reads only these.
 *
 *   node scripts/prose.ts [--measure] [FILE…]
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './prose/measure.ts';
import { FORBIDDEN, MAX_PAGE_WORDS, MAX_SENTENCE_WORDS } from './prose/rules.ts';
import { readProse, sentencesOf, wordsOf, type Paragraph } from './prose/read-prose.ts';
import { readSource } from './prose/read-source.ts';

const ROOT = path.join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({ options: { measure: { type: 'boolean' } }, allowPositionals: true });
const SOURCES = [
  'src/**/*.ts',
  'packages/{access-log,agent,base,cli,code-hosts,docs-check,find-secrets,git,models,pages,recipes,servers}/src/**/*.ts',
];
const files =
  positionals.length > 0
    ? positionals
    : ['README.md', ...globSync(['docs/**/*.mdx', ...SOURCES], { cwd: ROOT, exclude: ['**/generated/**'] }).toSorted()];

if (values.measure) measure(ROOT, positionals);
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
