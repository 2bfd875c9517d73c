import { readEntries, type TranscriptEntry } from '../../agent/transcript.ts';
import type { Queryable } from '../../store/database.ts';
import { readTurnTranscript } from '../../store/transcript.ts';

type Closing = Pick<Extract<TranscriptEntry, { role: 'assistant' }>, 'text' | 'outcome'>;

/** The agent's last text in the turn, and what it says of the turn's outcome; null if it said nothing. */
export async function closingOf(q: Queryable, jobId: string, turnNo: number): Promise<Closing | null> {
  const rows = await readTurnTranscript(q, jobId, turnNo);
  const entries = rows.flatMap((row) => (row.part === 'compact' ? [] : readEntries(row.entries)));
  const last = entries.findLast((entry) => entry.role === 'assistant' && entry.text.trim() !== '');
  return last?.role === 'assistant' ? last : null;
}

/** The agent's last text in the turn, or null if it said nothing. */
export async function closingWords(q: Queryable, jobId: string, turnNo: number): Promise<string | null> {
  return (await closingOf(q, jobId, turnNo))?.text ?? null;
}
