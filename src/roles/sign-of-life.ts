import { hostname } from 'node:os';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import type { Database } from '../store/database.ts';
import { newId } from '../store/ids.ts';
import { forgetDeadProcesses, signOff, signOfLife, type ProcessSign } from '../store/installation/processes.ts';
import { VERSION } from '../platform/version.ts';
import { Refused } from '@docent/base/refused';

const EVERY_MS = 10_000;

/** Regularly reports to `docent migrate` what this process needs, and notices if that was removed. */
export class SignOfLife {
  /** Rejects, with a sentence, when this build can no longer work on the database. Never resolves. */
  readonly outdated: Promise<never>;
  readonly #database: Database;
  readonly #sign: ProcessSign;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #giving: Promise<void> = Promise.resolve();
  #left = false;

  private constructor(database: Database, sign: ProcessSign, log: Logger) {
    this.#database = database;
    this.#sign = sign;
    this.#log = log;
    const outdated = Promise.withResolvers<never>();
    this.outdated = outdated.promise;
    // Prevents a crash by an unhandled rejection.
    this.outdated.catch(() => {});
    this.#schedule(outdated.reject);
  }

  /**
   * @param name such as `docent api`
   * @param level of this build
   * @throws Refused if the database has moved on
   */
  static async join(
    database: Database,
    { name, level }: { name: string; level: number },
    log: Logger,
  ): Promise<SignOfLife> {
    const sign = { id: newId(), name, version: VERSION, level, host: hostname(), pid: process.pid };
    await refuseOutdated(database, sign);
    await forgetDeadProcesses(database.db);
    return new SignOfLife(database, sign, log);
  }

  /** Signs off. A process that dies instead counts as alive for a little longer. */
  async leave(): Promise<void> {
    this.#left = true;
    clearTimeout(this.#timer);
    await this.#giving;
    await signOff(this.#database.db, this.#sign.id).catch((err: unknown) => this.#missed(err));
  }

  #schedule(onOutdated: (err: Refused) => void): void {
    if (this.#left) return;
    this.#timer = setTimeout(() => {
      this.#giving = refuseOutdated(this.#database, this.#sign)
        .catch((err: unknown) => (err instanceof Refused ? onOutdated(err) : this.#missed(err)))
        .finally(() => this.#schedule(onOutdated));
    }, EVERY_MS).unref();
  }

  /** Other code reports an unreachable database. */
  #missed(err: unknown): void {
    this.#log.debug({ err: messageOf(err) }, 'could not update the heartbeat of this process in the database');
  }
}

async function refuseOutdated(database: Database, sign: ProcessSign): Promise<void> {
  const { minCompatible } = await signOfLife(database.db, sign);
  if (minCompatible <= sign.level) return;
  await signOff(database.db, sign.id);
  throw new Refused(
    `A newer version of Docent changed the database schema, so this version (${VERSION}, schema level ${sign.level}) ` +
      `can no longer use it. Level ${minCompatible} or higher is required. Start the newer version instead.`,
  );
}
