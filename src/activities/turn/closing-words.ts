import type { Queryable } from '../../store/database.ts';
import { readTurnEntries } from './turn-entries.ts';

/** The agent's last text in the turn, or null if it said nothing. */
export async function closingWords(q: Queryable, jobId: string, turnNo: number): Promise<string | null> {
  const entries = await readTurnEntries(q, jobId, turnNo);
  const last = entries.findLast((entry) => entry.role === 'assistant' && entry.text.trim() !== '');
  return last?.role === 'assistant' ? last.text : null;
}
