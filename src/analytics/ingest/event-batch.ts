import { newId } from '../../store/ids.ts';
import type { DuckSession } from '../storage/duck.ts';
import type { EventKind } from '@docent/access-log/event-kind';
import type { SharedValue } from '@docent/access-log/shared-value';

/** An event of a batch. Its sender did not set the class. */
export interface BatchedEvent {
  /** Two numbers of 32 bits, the first ones first; they are copied. */
  readonly id: Uint32Array;
  readonly time: number;
  readonly path: SharedValue<string>;
  readonly visitorHigh: number;
  readonly visitorLow: number;
  readonly kind: SharedValue<EventKind>;
  readonly referrer: SharedValue<string> | null;
  readonly notFound: boolean;
}

const FIRST_CAPACITY = 4_096;
const NO_REFERRER = -1;

/** Events for one file, by column: 49 bytes each, and each text once. {@link clear} keeps the memory. */
export class EventBatch {
  #rows = 0;
  #ids = new Uint32Array(4 * FIRST_CAPACITY);
  #times = new Float64Array(FIRST_CAPACITY);
  #visitors = new Uint32Array(2 * FIRST_CAPACITY);
  #paths = new Int32Array(FIRST_CAPACITY);
  #kinds = new Int32Array(FIRST_CAPACITY);
  #referrers = new Int32Array(FIRST_CAPACITY);
  #notFound = new Uint8Array(FIRST_CAPACITY);
  /** Unique among batches, and changed by clearing. */
  #no = nextBatch();
  #pathTexts: string[] = [];
  #referrerTexts: string[] = [];
  #kindValues: EventKind[] = [];
  #textBytes = 0;

  get rows(): number {
    return this.#rows;
  }

  /** About how many bytes the texts take. */
  get textBytes(): number {
    return this.#textBytes;
  }

  add({ id, time, path, visitorHigh, visitorLow, kind, referrer, notFound }: BatchedEvent): void {
    const row = this.#rows;
    if (row === this.#times.length) this.#grow();
    this.#rows = row + 1;
    // A UUID is in DuckDB's memory as a number of 128 bits, the last ones first, with the first bit turned so
    // that the order is right.
    this.#ids[4 * row] = id[1]!;
    this.#ids[4 * row + 1] = id[0]!;
    this.#ids[4 * row + 3] = 0x8000_0000;
    this.#times[row] = time;
    this.#visitors[2 * row] = visitorLow;
    this.#visitors[2 * row + 1] = visitorHigh;
    this.#paths[row] = this.#numberOf(path, this.#pathTexts, path.value);
    this.#kinds[row] = this.#numberOf(kind, this.#kindValues, kind.value.userAgent);
    this.#referrers[row] =
      referrer === null ? NO_REFERRER : this.#numberOf(referrer, this.#referrerTexts, referrer.value);
    this.#notFound[row] = notFound ? 1 : 0;
  }

  clear(): void {
    this.#rows = 0;
    this.#no = nextBatch();
    this.#pathTexts = [];
    this.#referrerTexts = [];
    this.#kindValues = [];
    this.#textBytes = 0;
  }

  /** Lends the events to DuckDB, as a relation of SQL with the columns of events. */
  async use<T>(session: DuckSession, work: (relation: string) => Promise<T>): Promise<T> {
    const id = newId();
    const [rows, paths, kinds, referrers] = ['rows', 'paths', 'kinds', 'referrers'].map((name) => `${name}_${id}`) as [
      string,
      string,
      string,
      string,
    ];
    try {
      await session.run(
        `CREATE TEMP TABLE ${rows} (id UUID, time DOUBLE, path INTEGER, visitor UBIGINT, kind INTEGER, referrer INTEGER, not_found BOOLEAN)`,
      );
      await session.append(rows, this.#rows, [
        { type: 'UUID', values: this.#ids, width: 16 },
        { type: 'DOUBLE', values: this.#times, width: 8 },
        { type: 'INTEGER', values: this.#paths, width: 4 },
        { type: 'UBIGINT', values: this.#visitors, width: 8 },
        { type: 'INTEGER', values: this.#kinds, width: 4 },
        { type: 'INTEGER', values: this.#referrers, width: 4 },
        { type: 'BOOLEAN', values: this.#notFound, width: 1 },
      ]);
      await createTexts(session, paths, this.#pathTexts);
      await createTexts(session, referrers, this.#referrerTexts);
      await this.#createKinds(session, kinds);
      return await work(`(
        SELECT e.id, make_timestamp(e.time::BIGINT * 1000) AS time, p.text AS path, e.visitor, k.class, false AS class_given,
          k.user_agent, k.agent, k.format, r.text AS referrer, e.not_found, k.classifier,
          k.verified::BOOLEAN AS verified, k.verified_by
        FROM ${rows} e JOIN ${paths} p ON p.no = e.path JOIN ${kinds} k ON k.no = e.kind
          LEFT JOIN ${referrers} r ON r.no = e.referrer)`);
    } finally {
      await session.drop(rows, paths, kinds, referrers);
    }
  }

  async #createKinds(session: DuckSession, table: string): Promise<void> {
    await session.run(
      `CREATE TEMP TABLE ${table} (no INTEGER, classifier INTEGER, user_agent VARCHAR, class VARCHAR, agent VARCHAR, format VARCHAR, verified_by VARCHAR, verified VARCHAR)`,
    );
    const kinds = this.#kindValues;
    await session.append(table, kinds.length, [
      { type: 'INTEGER', values: Int32Array.from(kinds.keys()), width: 4 },
      { type: 'INTEGER', values: Int32Array.from(kinds, ({ classifier }) => classifier), width: 4 },
      kinds.map(({ userAgent }) => userAgent),
      kinds.map((kind) => kind.class),
      kinds.map(({ agent }) => agent),
      kinds.map(({ format }) => format),
      kinds.map(({ verifiedBy }) => verifiedBy),
      kinds.map(({ verified }) => (verified === null ? null : String(verified))),
    ]);
  }

  #numberOf<T>(shared: SharedValue<T>, list: T[], text: string | null): number {
    if (shared.batch !== this.#no) {
      shared.batch = this.#no;
      shared.no = list.push(shared.value) - 1;
      this.#textBytes += 2 * (text?.length ?? 0) + 64;
    }
    return shared.no;
  }

  #grow(): void {
    this.#ids = grown(this.#ids, (length) => new Uint32Array(length));
    this.#times = grown(this.#times, (length) => new Float64Array(length));
    this.#visitors = grown(this.#visitors, (length) => new Uint32Array(length));
    this.#paths = grown(this.#paths, (length) => new Int32Array(length));
    this.#kinds = grown(this.#kinds, (length) => new Int32Array(length));
    this.#referrers = grown(this.#referrers, (length) => new Int32Array(length));
    this.#notFound = grown(this.#notFound, (length) => new Uint8Array(length));
  }
}

let batches = 0;
const nextBatch = (): number => (batches += 1);

async function createTexts(session: DuckSession, table: string, texts: readonly string[]): Promise<void> {
  await session.run(`CREATE TEMP TABLE ${table} (no INTEGER, text VARCHAR)`);
  await session.append(table, texts.length, [
    { type: 'INTEGER', values: Int32Array.from(texts.keys()), width: 4 },
    texts,
  ]);
}

interface Numbers {
  readonly length: number;
  set(from: this): void;
}

/** A copy of twice the length. */
function grown<T extends Numbers>(from: T, make: (length: number) => T): T {
  const to = make(2 * from.length);
  to.set(from);
  return to;
}
