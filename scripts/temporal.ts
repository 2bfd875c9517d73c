/**
 * Finds the Temporal server that `npm start` and `npm test` use, or downloads or builds it, with progress on
 * the terminal. Prints its path. Run it alone to do that beforehand, as CI does.
 */
import { messageOf } from '@docent/base/thrown';
import { findTemporal } from '@docent/servers/temporal/find';
import { terminalProgress } from '@docent/base/terminal/terminal-progress';

const progress = terminalProgress(process.stderr);
try {
  const { binary, server, source } = await findTemporal({ env: process.env, onProgress: progress.update });
  progress.done();
  process.stderr.write(`Temporal server ${server} (from: ${source})\n`);
  process.stdout.write(`${binary}\n`);
} catch (err) {
  progress.done();
  process.stderr.write(`${messageOf(err)}\n`);
  process.exitCode = 1;
}
