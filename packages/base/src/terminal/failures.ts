import { CommanderError } from 'commander';
import { ConfigError } from '../config-error.ts';
import { messageOf } from '../thrown.ts';

/** Exit codes. Documented in the help of `docent job run`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** The job was archived or cancelled before it was done. */
  putAside: 3,
  unreachable: 4,
  /** `docent migrate --check`: the schema of the database is not up to date. */
  pending: 5,
  /** The model did not do what the job was asked. */
  refused: 6,
  /** The exit code of Ctrl-C in shells. */
  interrupted: 130,
} as const;

/** A failure with a one-sentence message. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}

/** Additional fields of the server's error: see Error in openapi.yaml. */
interface RefusalDetails {
  param: string | null;
  errors: readonly { param: string | null; message: string; code: string }[];
  docs: string | null;
}

/** The server's own refusal. */
export class ServerRefusal extends CliFailure {
  readonly code: string;
  readonly requestId: string;

  readonly details: RefusalDetails | null;

  constructor(sentence: string, code: string, requestId: string, details: RefusalDetails | null = null) {
    super(sentence);
    this.name = 'ServerRefusal';
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

export class ServerUnreachable extends CliFailure {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, EXIT.unreachable, options);
    this.name = 'ServerUnreachable';
  }
}

/** Prints a failure on standard error, as a sentence or as JSON, and returns its exit code. */
export function printFailure(
  err: unknown,
  json: boolean,
  write: (text: string) => unknown = (text) => process.stderr.write(text),
): number {
  // Commander has already printed the error in the command line; asking for help is not a failure.
  if (err instanceof CommanderError) return err.exitCode === 0 ? EXIT.done : EXIT.usage;
  const refusal = err instanceof ServerRefusal ? err : null;
  const { code, requestId } = refusal ?? { code: undefined, requestId: undefined };
  const message = messageOf(err);
  if (json) write(`${JSON.stringify({ error: message, code, requestId, ...refusal?.details })}\n`);
  else {
    const others = (refusal?.details?.errors ?? []).map((each) => each.message).filter((each) => each !== message);
    write(`${[message, ...others].join('\n')}${code ? ` (${code}, request ${requestId})` : ''}\n`);
  }
  if (err instanceof CliFailure) return err.exitCode;
  return err instanceof ConfigError ? EXIT.usage : EXIT.failed;
}
