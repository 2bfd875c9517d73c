import type { Queryable } from '../../store/database.ts';
import { readTurnEntries } from './turn-entries.ts';

/** The agent's last text in the turn, with what Docent itself has to say of it; null if the agent said nothing. */
export async function closingWords(q: Queryable, jobId: string, turnNo: number): Promise<string | null> {
  const entries = await readTurnEntries(q, jobId, turnNo);
  const last = entries.findLast((entry) => entry.role === 'assistant' && entry.text.trim() !== '');
  if (last?.role !== 'assistant') return null;
  const remarks = entries.flatMap((entry) => (entry.role === 'notice' ? (entry.forSummary ?? []) : []));
  return [last.text, ...remarks].join('\n\n');
}
