import { LRUCache } from 'lru-cache';
import { readMark, type CompactionMark } from '@docent/agent/compaction';
import { jsonLength } from '@docent/agent/json-length';
import { readEntries, type TranscriptEntry } from '@docent/models/conversation/transcript';
import type { Queryable } from '../../store/database.ts';
import { readTranscript, readTranscriptFrom, recordedBefore, type TranscriptRow } from '../../store/jobs/transcript.ts';

/** The parsed record of one half of a step: entries of the conversation, or where it was shortened. */
export interface RecordedPart extends Pick<TranscriptRow, 'turnNo' | 'stepNo' | 'createdAt'> {
  entries: TranscriptEntry[];
  mark: CompactionMark | null;
}

/** Approximate JSON length. */
const MAX_CHARACTERS = 16_000_000;

/** Caches transcripts: valid if the database has as many records with the same times. */
export class TranscriptMemory {
  readonly #jobs: LRUCache<string, readonly RecordedPart[]>;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#jobs = new LRUCache({ maxSize: maxCharacters, sizeCalculation: charactersOf });
  }

  /** All records in order. Shared rows: do not change them. @throws ZodError */
  async read(q: Queryable, jobId: string): Promise<readonly RecordedPart[]> {
    const known = this.#jobs.get(jobId);
    const rows = (known && (await continued(q, jobId, known))) ?? (await readTranscript(q, jobId)).map(recordedPart);
    this.#jobs.set(jobId, rows);
    return rows;
  }
}

/** At least 1: the cache takes no entry of no size. */
function charactersOf(rows: readonly RecordedPart[]): number {
  return rows.reduce((sum, row) => sum + jsonLength(row.entries), 1);
}

/** The known rows and the new ones, or null if the database begins differently. */
async function continued(q: Queryable, jobId: string, known: readonly RecordedPart[]): Promise<RecordedPart[] | null> {
  const newest = known.at(-1);
  if (!newest) return null;
  const { rows, before } = await readTranscriptFrom(q, jobId, newest);
  const kept = known.filter(({ turnNo, stepNo }) => turnNo !== newest.turnNo || stepNo !== newest.stepNo);
  const same = recordedBefore(kept);
  const isContinued = rows.length > 0 && same.count === before.count && same.times === before.times;
  return isContinued ? [...kept, ...rows.map(recordedPart)] : null;
}

function recordedPart({ turnNo, stepNo, part, createdAt, entries }: TranscriptRow): RecordedPart {
  return part === 'compact'
    ? { turnNo, stepNo, createdAt, entries: [], mark: readMark(entries) }
    : { turnNo, stepNo, createdAt, entries: readEntries(entries), mark: null };
}
