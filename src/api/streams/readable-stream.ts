import { Readable } from 'node:stream';

/**
 * Texts as a stream, made on demand; a reader stalled for `stallMs` is disconnected.
 * @param close called once at the end
 */
export function readableStream(
  texts: AsyncGenerator<string>,
  { stallMs, close }: { stallMs: number; close: (reason: 'read' | 'stalled') => void },
): Readable {
  let stall: NodeJS.Timeout | undefined;
  let reason: 'read' | 'stalled' = 'read';
  async function* watched(): AsyncGenerator<string> {
    try {
      for await (const text of texts) {
        stall = setTimeout(() => {
          reason = 'stalled';
          readable.destroy();
        }, stallMs);
        yield text;
        clearTimeout(stall);
      }
    } finally {
      clearTimeout(stall);
    }
  }
  const readable = Readable.from(watched(), { objectMode: false, highWaterMark: 16_384 });
  readable.once('close', () => {
    clearTimeout(stall);
    close(reason);
  });
  return readable;
}
