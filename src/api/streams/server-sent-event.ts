/** How long a reader waits before it opens a broken stream again, in milliseconds. */
const RETRY_MS = 1_000;

/** The beginning of a stream: readers see immediately that it is open. */
export const BEGINNING = `retry: ${RETRY_MS}\n\n`;

/** A server-sent event (WHATWG HTML standard); JSON escapes line ends. @param event.type a declared name */
export function serverSentEvent(event: { id?: number; type: string; data: unknown }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** A line that readers pass over. @param text without line ends */
export const comment = (text: string): string => `: ${text}\n\n`;
