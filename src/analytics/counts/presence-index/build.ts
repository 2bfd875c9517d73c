import type { FileHandle } from 'node:fs/promises';
import { newId } from '../../../store/ids.ts';
import type { FileRow } from '../../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../../storage/analytics-folder.ts';
import type { DuckSession } from '../../storage/duck.ts';
import { writeAll } from '../../storage/durable-files.ts';
import { checksum, indexEnd, writeIndexFile } from '../index-file.ts';
import { BLOCK_BYTES, Bytes, KIND, type Footer, type Section } from './format.ts';

/** Bytes per write. */
const WRITE_BYTES = 1 << 18;

/** Makes the index of a file of presence. Idempotent. @throws without leaving anything behind */
export async function buildIndex(session: DuckSession, folder: AnalyticsFolder, file: FileRow): Promise<void> {
  await writeIndexFile(folder, file, (handle) => writeIndex(session, handle, file, folder.fileOf(file.path)));
}

async function writeIndex(session: DuckSession, handle: FileHandle, file: FileRow, source: string): Promise<void> {
  const [paths, kinds] = [`index_paths_${newId()}`, `index_kinds_${newId()}`];
  // `concat` ignores NULL, and neither classes nor booleans contain a colon.
  const kind = `concat(class, ':', verified, ':' || agent)`;
  try {
    const named = await session.all<{ path: string }>(`SELECT DISTINCT path FROM read_parquet($source) ORDER BY path`, {
      source,
    });
    const allKinds = await session.all<Footer['kinds'][number]>(
      `SELECT DISTINCT class, agent, verified FROM read_parquet($source) ORDER BY ${kind}`,
      { source },
    );
    // Types, and no tables that would be joined: the rows of a join may come in any order.
    await session.run(
      `CREATE TEMP TYPE ${paths} AS ENUM (SELECT DISTINCT path FROM read_parquet('${sqlText(source)}') ORDER BY path)`,
    );
    await session.run(
      `CREATE TEMP TYPE ${kinds} AS ENUM (SELECT DISTINCT ${kind} AS kind FROM read_parquet('${sqlText(source)}') ORDER BY kind)`,
    );
    const rows = session.numbers(
      `SELECT file_row_number::UINTEGER, (visitor >> 32)::UINTEGER, (visitor & 4294967295)::UINTEGER,
         enum_code(path::${paths})::UINTEGER, enum_code((${kind})::${kinds})::UINTEGER, (day - $firstDay)::UINTEGER
       FROM read_parquet($source, file_row_number = true)`,
      { source, firstDay: file.minDay },
    );
    const writer = new IndexWriter(handle, file.minDay);
    for await (const [, high = NONE, low = NONE, page = NONE, kindNo = NONE, day = NONE] of inOrder(rows)) {
      writer.add(high, low, page, kindNo, day, named[0]?.path === '');
      if (writer.isFull) await writer.flush();
    }
    await writer.finish({ id: file.id, rows: file.rows, paths: named.map((row) => row.path), kinds: allKinds });
  } finally {
    for (const type of [paths, kinds]) await session.run(`DROP TYPE IF EXISTS ${type}`);
  }
}

const sqlText = (text: string): string => text.replaceAll("'", "''");

const NONE = new Uint32Array();

/** Reorders the parts that several threads read, by the first column. */
async function* inOrder(chunks: AsyncIterable<Uint32Array[]>): AsyncGenerator<Uint32Array[]> {
  const waiting = new Map<number, Uint32Array[]>();
  let next = 0;
  for await (const chunk of chunks) {
    waiting.set(chunk[0]![0]!, chunk);
    for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
      waiting.delete(next);
      next += ready[0]!.length;
      yield ready;
    }
  }
  if (waiting.size > 0) throw new Error('A file of presence was read with gaps.');
}

/** Rows of presence in their order, as blocks. */
class IndexWriter {
  readonly #handle: FileHandle;
  readonly #firstDay: number;
  readonly #out = new Bytes(WRITE_BYTES * 2);
  readonly #block = new Bytes();
  readonly #visitor = new Bytes();
  readonly #table = new Bytes();
  #written = 0;
  #blocks = 0;
  #rows = 0;
  #siteBlocks = 0;
  #isSite = true;
  #blockHigh = 0;
  #blockLow = 0;
  /** The previous visitor in the block. */
  #highBefore = 0;
  #high = -1;
  #low = -1;
  /** The current visitor's data, by page and day. */
  #pages: number[] = [];
  #kinds: number[] = [];
  #days: number[] = [];

  constructor(handle: FileHandle, firstDay: number) {
    this.#handle = handle;
    this.#firstDay = firstDay;
  }

  get isFull(): boolean {
    return this.#out.length >= WRITE_BYTES;
  }

  /** @param hasSite page 0 is the site */
  add(
    high: Uint32Array,
    low: Uint32Array,
    page: Uint32Array,
    kind: Uint32Array,
    day: Uint32Array,
    hasSite: boolean,
  ): void {
    for (let i = 0; i < high.length; i += 1) {
      const isSite = hasSite && page[i] === 0;
      if (high[i] !== this.#high || low[i] !== this.#low || isSite !== this.#isSite) {
        this.#endVisitor();
        const isBehind = high[i]! > this.#high || (high[i] === this.#high && low[i]! > this.#low);
        if (isSite !== this.#isSite) {
          if (isSite) throw new Error('A file of presence does not begin with the site.');
          this.#endBlock();
          this.#siteBlocks = this.#blocks;
          this.#isSite = false;
        } else if (!isBehind) throw new Error('A file of presence does not lie by visitor.');
        this.#high = high[i]!;
        this.#low = low[i]!;
      } else if (page[i]! < this.#pages.at(-1)!) throw new Error('A file of presence does not lie by page.');
      this.#pages.push(page[i]!);
      this.#kinds.push(kind[i]!);
      this.#days.push(day[i]!);
    }
    this.#rows += high.length;
  }

  async flush(): Promise<void> {
    await writeAll(this.#handle, this.#out.bytes);
    this.#out.length = 0;
  }

  async finish(about: Pick<Footer, 'id' | 'rows' | 'paths' | 'kinds'>): Promise<void> {
    this.#endVisitor();
    this.#endBlock();
    if (this.#rows !== about.rows)
      throw new Error(`${this.#rows} rows of presence were read instead of ${about.rows}.`);
    const siteBlocks = this.#isSite ? this.#blocks : this.#siteBlocks;
    const site: Section = { first: 0, blocks: siteBlocks };
    const pages: Section = { first: siteBlocks, blocks: this.#blocks - siteBlocks };
    const footer: Footer = {
      format: KIND.format,
      firstDay: this.#firstDay,
      table: this.#written,
      site,
      pages,
      ...about,
    };
    const table = this.#table.bytes;
    for (const part of [table, ...indexEnd(KIND.magic, table, footer)]) this.#out.add(part);
    await this.flush();
  }

  /** Writes a visitor's days by page and kind. Allocates no arrays: there are millions of visitors. */
  #writeDays(): void {
    const [pages, kinds, days, out] = [this.#pages, this.#kinds, this.#days, this.#visitor];
    const first = kinds[0]!;
    let isOneKind = true;
    for (const kind of kinds) isOneKind &&= kind === first;
    out.varint(isOneKind ? first + 1 : 0);
    let pageBefore = 0;
    for (let from = 0; from < pages.length;) {
      const page = pages[from]!;
      let to = from + 1;
      while (pages[to] === page) to += 1;
      for (let at = from; at < to; at += 1) {
        const kind = kinds[at]!;
        if (kinds.indexOf(kind, from) < at) continue; // Written with the first of them.
        let own = 0;
        for (let i = at; i < to; i += 1) if (kinds[i] === kind) own += 1;
        out.varint((page - pageBefore) * 2 + (own > 1 ? 1 : 0));
        pageBefore = page;
        if (!isOneKind) out.varint(kind);
        if (own > 1) out.varint(own);
        let dayBefore = 0;
        for (let i = at; i < to; i += 1) {
          if (kinds[i] !== kind) continue;
          out.varint(days[i]! - dayBefore);
          dayBefore = days[i]!;
        }
      }
      from = to;
    }
    for (const list of [pages, kinds, days]) list.length = 0;
  }

  #endVisitor(): void {
    if (this.#pages.length === 0) return;
    this.#writeDays();
    if (this.#block.length === 0) {
      this.#blockHigh = this.#high;
      this.#blockLow = this.#low;
      this.#highBefore = this.#high;
    }
    this.#block.varint(this.#high - this.#highBefore);
    this.#highBefore = this.#high;
    this.#block.uint32(this.#low);
    this.#block.varint(this.#visitor.length);
    this.#block.add(this.#visitor.bytes);
    this.#visitor.length = 0;
    if (this.#block.length >= BLOCK_BYTES) this.#endBlock();
  }

  #endBlock(): void {
    const { bytes } = this.#block;
    if (bytes.length === 0) return;
    const table = this.#table;
    for (const value of [
      this.#blockHigh,
      this.#blockLow,
      this.#written >>> 0,
      Math.floor(this.#written / 2 ** 32),
      bytes.length,
      checksum(bytes),
    ])
      table.uint32(value);
    this.#out.add(bytes);
    this.#written += bytes.length;
    this.#blocks += 1;
    this.#block.length = 0;
  }
}
