import { familySeconds } from './process-usage.ts';

/** Seconds of processor time by part. */
export type PartsUsage = Readonly<Record<string, number>>;

/** @param parts names and process ids; each counts with all that descend from it */
export async function usageOf(parts: Record<string, number | undefined>): Promise<PartsUsage> {
  const entries = Object.entries(parts).map(async ([name, pid]) => [name, await familySeconds(pid)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

export function spent(before: PartsUsage, after: PartsUsage): PartsUsage {
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}

export const total = (usage: PartsUsage): number => Object.values(usage).reduce((sum, seconds) => sum + seconds, 0);

export function usageText(usage: PartsUsage): string {
  const parts = Object.entries(usage).map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`);
  return `${total(usage).toFixed(1)} s (${parts.join(', ')})`;
}
