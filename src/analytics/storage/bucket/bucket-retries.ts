import { setTimeout as sleep } from 'node:timers/promises';
import { isProblem } from './bucket-problem.ts';

const FIRST_PAUSE_MS = 150;
const FACTOR = 4;

/** Retries an unreachable bucket after 0.15, 0.6 and 2.4 s, plus up to half as much. */
export async function retried<T>(attempts: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (err) {
      if (attempt >= attempts || !isProblem(err, 'away')) throw err;
    }
    await sleep(FIRST_PAUSE_MS * FACTOR ** (attempt - 1) * (1 + Math.random() / 2));
  }
}
