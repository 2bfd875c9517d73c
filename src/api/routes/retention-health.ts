import type { RetentionRule } from '../../store/retention-schema.ts';
import { readRetention, type RetentionState } from '../../store/retention.ts';
import { asked } from '../../store/installation-health.ts';
import type { components } from '../generated/openapi.ts';
import type { ApiServices } from '../services.ts';

type RetentionHealth = components['schemas']['RetentionHealth'];

/** It runs every ten minutes. */
const LATE_MS = 60 * 60_000;
const NAMES: Record<RetentionRule, string> = {
  transcripts: 'transcripts',
  job_events: 'events of jobs',
  jobs: 'jobs',
  audit_log: 'audit log',
  temporal: "Temporal's histories",
};

/** How long what is over is kept, and how that is carried out. */
export async function retentionPart({ db }: ApiServices): Promise<RetentionHealth> {
  const states = await asked(db, readRetention);
  const rules = states.map(({ ranAt, ...state }) => ({ ...state, lastRunAt: ranAt.toISOString() }));
  return { ...said(states), rules };
}

function said(states: readonly RetentionState[]): Pick<RetentionHealth, 'status' | 'message'> {
  const problem = states.find((state) => state.problem !== null)?.problem;
  if (problem) return { status: 'degraded', message: problem };
  const bounded = states.filter(({ keepDays }) => keepDays !== null);
  const late = bounded.filter(({ ranAt }) => Date.now() - ranAt.getTime() > LATE_MS).map(({ rule }) => NAMES[rule]);
  if (late.length > 0) {
    const message = `Not carried out for more than an hour: ${late.join(', ')}. Is there a worker?`;
    return { status: 'degraded', message };
  }
  if (states.length === 0) return { status: 'ok', message: 'Not carried out yet: a worker does within ten minutes.' };
  const kept = bounded.map(({ rule, keepDays }) => `${NAMES[rule]} ${keepDays} days`).join(', ');
  return { status: 'ok', message: kept === '' ? 'All is kept for ever.' : `Kept: ${kept}. All else for ever.` };
}
