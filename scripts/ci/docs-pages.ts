/**
 * Prints the pages whose commands `.ci/run` runs, with commas in between, and how many it leaves out on
 * standard error.
 *
 *   node scripts/ci/docs-pages.ts
 */
import { pagesWithCommands } from '../../test/support/docs-blocks.ts';
import { changedFiles, headCommit } from './change.ts';
import { pagesFor } from './docs-areas.ts';

const all = pagesWithCommands();
const run = pagesFor(changedFiles(), all, headCommit());
process.stdout.write(run.join(','));
if (run.length < all.length)
  process.stderr.write(
    `Commands of ${all.length - run.length} of ${all.length} docs pages are not run. "npm run test:integration" runs them all.\n`,
  );
