import { Listr } from 'listr2';
import { dim, safe } from '@docent/base/terminal/terminal-text';

/**
 * Shows events as they happen: below an animated heading on a terminal; one line each elsewhere. Text for
 * `doing` of `follow` is shown in the heading while it applies, and leaves no line. Ends with the events, and
 * passes on their errors. If aborted, it shows that it was left early.
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
