import { readEntries, type TranscriptEntry } from '../../agent/transcript.ts';
import type { Queryable } from '../../store/database.ts';
import { readTurnTranscript } from '../../store/transcript.ts';

/** What was recorded of the turn's conversation, in order. */
export async function readTurnEntries(q: Queryable, jobId: string, turnNo: number): Promise<TranscriptEntry[]> {
  const rows = await readTurnTranscript(q, jobId, turnNo);
  return rows.flatMap((row) => (row.part === 'compact' ? [] : readEntries(row.entries)));
}
