import { readCitations } from '@docent/agent/citations/read-citations';
import { readEntries, type TranscriptEntry } from '@docent/models/conversation/transcript';
import type { Queryable } from '../../store/database.ts';
import { readTurnTranscript } from '../../store/jobs/transcript.ts';

/** The recorded entries of the turn's conversation, in order. */
export async function readTurnEntries(q: Queryable, jobId: string, turnNo: number): Promise<TranscriptEntry[]> {
  const rows = await readTurnTranscript(q, jobId, turnNo);
  return rows.flatMap((row) => (row.part === 'compact' ? [] : readEntries(row.entries)));
}

type Closing = Pick<Extract<TranscriptEntry, { role: 'assistant' }>, 'text' | 'outcome'>;

/** The turn's last text without citations, with Docent's remarks, and the outcome; or null. */
export async function closingOf(q: Queryable, jobId: string, turnNo: number): Promise<Closing | null> {
  const entries = await readTurnEntries(q, jobId, turnNo);
  const last = entries.findLast((entry) => entry.role === 'assistant' && entry.text.trim() !== '');
  if (last?.role !== 'assistant') return null;
  const remarks = entries.flatMap((entry) => (entry.role === 'notice' ? (entry.forSummary ?? []) : []));
  const { text } = readCitations(last.text);
  return { text: [text, ...remarks].filter((part) => part !== '').join('\n\n'), outcome: last.outcome };
}

/** The text of {@link closingOf}. */
export async function closingText(q: Queryable, jobId: string, turnNo: number): Promise<string | null> {
  return (await closingOf(q, jobId, turnNo))?.text ?? null;
}
