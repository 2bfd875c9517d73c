import { Listr } from 'listr2';
import { dim, safe } from '@docent/base/terminal/terminal-text';

/**
 * Shows events: below a spinner on a terminal, else a line each. What `doing` gets is only in the spinner.
 * Errors of the events reach the caller; aborting shows that.
 */
export async function showProgress(
  title: string,
  follow: (doing: (words: string | null) => void) => AsyncIterable<{ text: string }>,
  signal?: AbortSignal,
): Promise<void> {
  if (!process.stdout.isTTY) {
    for await (const event of follow(() => {})) process.stdout.write(`${safe(event.text)}\n`);
    return;
  }
  await new Listr(
    [
      {
        title,
        async task(_context, task) {
          const doing = (words: string | null) => {
            task.title = words === null ? title : `${title} ${dim(safe(words))}`;
          };
          for await (const event of follow(doing)) task.output = dim(safe(event.text));
          doing(null);
          if (signal?.aborted) task.skip(`${title} continues`);
        },
        rendererOptions: { persistentOutput: true, outputBar: Infinity },
      },
    ],
    // The caller handles Ctrl-C.
    { rendererOptions: { collapseErrors: true }, registerSignalListeners: false },
  ).run();
}
