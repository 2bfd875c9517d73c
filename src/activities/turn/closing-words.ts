import { readEntries } from '../../agent/transcript.ts';
import type { Queryable } from '../../store/database.ts';
import { readTurnTranscript } from '../../store/transcript.ts';

/** The agent's last text in the turn, with what Docent itself has to say of it; null if the agent said nothing. */
export async function closingWords(q: Queryable, jobId: string, turnNo: number): Promise<string | null> {
  const rows = await readTurnTranscript(q, jobId, turnNo);
  const entries = rows.flatMap((row) => (row.part === 'compact' ? [] : readEntries(row.entries)));
  const last = entries.findLast((entry) => entry.role === 'assistant' && entry.text.trim() !== '');
  if (last?.role !== 'assistant') return null;
  const remarks = entries.flatMap((entry) => (entry.role === 'notice' ? (entry.forSummary ?? []) : []));
  return [last.text, ...remarks].join('\n\n');
}
