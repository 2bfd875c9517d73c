import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliFailure, EXIT } from './failures.ts';

/** Whether there is a person at the terminal. @param forPeople whether the output is for people */
export function mayAsk(forPeople: boolean): boolean {
  return forPeople && process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks at the terminal, on standard error. @throws CliFailure if the answer is Ctrl-C or Ctrl-D */
export async function ask(question: string): Promise<string> {
  return answer(question, process.stderr);
}

/**
 * Asks for a secret: the input is not shown.
 * @throws CliFailure after Ctrl-C or Ctrl-D
 */
export async function askSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await answer(question, nowhere);
  } finally {
    process.stderr.write('\n');
  }
}

async function answer(question: string, output: NodeJS.WritableStream): Promise<string> {
  // First: from here on the terminal does not echo, however quickly an answer is pasted.
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  process.stderr.write(question);
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new CliFailure('Cancelled. Nothing was changed.', EXIT.interrupted));
  terminal.once('SIGINT', leave);
  terminal.once('close', leave);
  try {
    return (await Promise.race([terminal.question(''), left.promise])).trim();
  } finally {
    terminal.off('close', leave);
    terminal.close();
  }
}
