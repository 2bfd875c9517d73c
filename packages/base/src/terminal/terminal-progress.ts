/**
 * Shows what a long step is doing: one line that is rewritten on a terminal, a line now and then elsewhere
 * (CI logs).
 */
export interface TerminalProgress {
  update: (text: string) => void;
  /** Clears the line. */
  done: () => void;
}

const PLAIN_EVERY_MS = 15_000;

export function terminalProgress(stream: NodeJS.WriteStream): TerminalProgress {
  let lastPlain = -Infinity;
  let isShown = false;
  return {
    update(text) {
      if (stream.isTTY) {
        // Cut to one row: a wrapped line could not be cleared.
        stream.write(`\r\u001B[2K${text.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
        isShown = true;
      } else if (performance.now() - lastPlain >= PLAIN_EVERY_MS) {
        lastPlain = performance.now();
        stream.write(`${text}\n`);
      }
    },
    done() {
      if (isShown) stream.write('\r\u001B[2K');
      isShown = false;
    },
  };
}
