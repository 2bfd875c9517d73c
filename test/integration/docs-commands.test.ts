import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, commandsOf, isShell, pagesWithCommands } from '../support/docs-blocks.ts';
import { DocsBench } from '../support/docs-bench.ts';
import { differencesFrom } from '../support/docs-outputs.ts';
import { NOT_COMPARED, SKIPPED } from '../support/docs-skipped.ts';

/*
 * All commands of README.md and docs/, as a new user would paste them: one home, one `docent start`, and page
 * by page in one shell. The result of `npm link` is tried once: the commands of the shells are carried out in
 * this process, see WarmCommand. Unavailable services are imitated: see DocsBench.
 */

/** `npm link`, then a first `docent start`. */
const START_MS = 180_000;

let bench: DocsBench;
const ran: string[] = [];
const skipped: (typeof SKIPPED)[number][] = [];

beforeAll(async () => {
  bench = await DocsBench.start();
}, START_MS);
afterAll(async () => {
  await bench?.stop();
  process.stdout.write(`Blocks of commands in the docs: ${ran.length} ran, ${skipped.length} skipped.\n`);
});

/** Pages with commas in between; without it, all. */
const { DOCENT_TEST_DOCS_PAGES: chosen } = process.env;
const pages = pagesWithCommands().filter((page) => chosen === undefined || chosen.split(',').includes(page));

// One page has up to fifty commands, each of them a process or a job.
const PAGE_MS = 300_000;

test.each(pages)('every command in %s works, and prints the shown output', { timeout: PAGE_MS }, async (page) => {
  await bench.turnTo(page);
  const problems: string[] = [];
  let output = '';
  for (const block of commandsOf(page)) {
    if (!isShell(block)) {
      if (block.isFile) bench.writeFile(block);
      else if (block.text.includes('Docent is running.'))
        problems.push(...differencesFrom(block, bench.startOutput, bench.apiUrl));
      else if (block.sameSection && output !== '' && !NOT_COMPARED.some((begins) => block.text.startsWith(begins)))
        problems.push(...differencesFrom(block, output, bench.apiUrl));
      output = block.isFile ? output : '';
      continue;
    }
    const reason = SKIPPED.find(([where, begins]) => where.test(page) && block.text.startsWith(begins));
    if (reason) {
      skipped.push(reason);
      output = '';
      continue;
    }
    const result = await bench.run(block);
    ran.push(block.where);
    output = result.output;
    if (result.code !== 0) problems.push(`${block.where} ended with ${result.code}:\n${block.text}\n\n${output}`);
  }
  expect(problems.join('\n\n---\n\n')).toBe('');
});

test.skipIf(chosen !== undefined)('nothing is skipped that no page shows', () => {
  expect(SKIPPED.filter((entry) => !skipped.includes(entry))).toEqual([]);
});

test("the client guide's code compiles, and does what the guide describes", async () => {
  const code = blocksOf('docs/guides/client.mdx').filter(({ language }) => language === 'ts');
  const inBrowser = code.filter(({ text }) => text.includes('location.'));
  const inNode = code.filter((block) => !inBrowser.includes(block));
  expect([inNode.length, inBrowser.length]).toEqual([8, 1]);
  const compiled = await bench.compile({
    'guide.ts': inNode.map(({ text }) => text).join('\n\n'),
    'readme.ts': blocksOf('packages/client/README.md').find(({ language }) => language === 'ts')?.text ?? '',
    'browser.ts': `${inBrowser[0]?.text}\nexport { docent };`,
  });
  expect(compiled.output).toBe('');
  const { output, code: status } = await bench.runProgram('guide.ts');
  expect(status, output).toBe(0);
  expect(output).toMatch(/^\w{20} active$/m);
  expect(output).toMatch(/^completed http:.*\/pull-requests\//m);
  const readme = await bench.runProgram('readme.ts');
  expect(readme.output).toMatch(/^completed (http|null)/m);
  expect(output, 'the diff of the turn that is over').toContain('+This page was written by a job.');
});
