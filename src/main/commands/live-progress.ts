import { Listr } from 'listr2';
import { dim, safe } from './output.ts';

/**
 * Shows what happens as it happens: below a heading that turns, on a terminal; a line each elsewhere.
 * Ends with the events; what they throw goes on to the caller.
 */
export async function showProgress(title: string, events: AsyncIterable<{ text: string }>): Promise<void> {
  if (!process.stdout.isTTY) {
    for await (const event of events) process.stdout.write(`${safe(event.text)}\n`);
    return;
  }
  await new Listr(
    [
      {
        title,
        async task(_context, task) {
          for await (const event of events) task.output = dim(safe(event.text));
        },
        rendererOptions: { persistentOutput: true, outputBar: Infinity },
      },
    ],
    { rendererOptions: { collapseErrors: true } },
  ).run();
}
