import { Listr } from 'listr2';
import { dim, safe } from '@docent/base/terminal/terminal-text';

/**
 * Shows what happens as it happens: below a heading that turns, on a terminal; a line each elsewhere. What is
 * said to `doing` of `follow` is in the heading while it is true, and leaves no line. Ends with the events;
 * what they throw goes on to the caller. Aborted, it was left before its end, and shows that.
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
    // Ctrl-C is whoever's that asked for this.
    { rendererOptions: { collapseErrors: true }, registerSignalListeners: false },
  ).run();
}
