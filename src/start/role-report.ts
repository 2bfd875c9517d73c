import type { LastOutput } from '@docent/servers/supervisor';
import type { FromRole } from '../roles/role-messages.ts';
import { LogLine } from './log-view.ts';

/** How a role starts, from its log and its messages. It refuses in both, and either can arrive first. */
export class RoleReport {
  readonly #ready = Promise.withResolvers<void>();
  #complaint: string | undefined;
  #fatal: string | undefined;
  #refusal: string | undefined;

  /** Resolves when the role has said that it is ready. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The newest warning or worse. */
  get complaint(): string | undefined {
    return this.#complaint;
  }

  /** Why it ends. */
  get lastOutput(): LastOutput | undefined {
    if (this.#refusal !== undefined) return { text: this.#refusal, isRefusal: true };
    return this.#fatal === undefined ? undefined : { text: this.#fatal, isRefusal: false };
  }

  /** @returns the complaint, if the line is one */
  line(line: string): string | undefined {
    const found = complaintIn(line);
    if (found === undefined) return undefined;
    this.#complaint = found.text;
    if (found.isFatal) this.#fatal = found.text;
    return found.text;
  }

  message(message: FromRole): void {
    if (message.type === 'ready') this.#ready.resolve();
    else this.#refusal = message.reason;
  }
}

/** A role's complaint: a warning or worse, or what Node prints. A fatal one ends it. */
function complaintIn(line: string): { text: string; isFatal: boolean } | undefined {
  try {
    const { level, msg = '', err } = LogLine.parse(JSON.parse(line));
    if (level < 40) return undefined;
    return { text: err?.message ? `${msg}: ${err.message}` : msg, isFatal: level >= 60 };
  } catch {
    return line.trim() ? { text: line.trim(), isFatal: false } : undefined;
  }
}
