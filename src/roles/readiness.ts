import type { Readiness } from '../api/services.ts';
import type { Config } from '../config/config.ts';
import { judgeReadiness } from '../platform/health.ts';
import type { Logger } from '../platform/log.ts';
import { databaseProblem } from '../store/database-problem.ts';

/** The checks of `/readyz`. Each may reject, or never answer. */
export interface ReadinessChecks {
  temporal: (withinMs: number) => Promise<void>;
  /** Rejects when the database cannot be written to. */
  canWrite: () => Promise<void>;
  damagedFiles: () => Promise<number>;
  analytics: {
    verifyFolder(): Promise<void>;
    countUncounted(): Promise<number>;
    bucketAnswers(): boolean | null;
  };
  ack: Config['analyticsAck'];
}

/** A load balancer asks every few seconds, and expects an answer. */
const CHECK_MS = 2_500;
const BUCKET_NEEDED = 'The bucket for page views is unavailable, so page views cannot be accepted.';

/** Asks everything at once, within `withinMs`. Never rejects: a failed question is an answer. */
export async function readiness(checks: ReadinessChecks, withinMs = CHECK_MS): Promise<Readiness> {
  const { analytics, ack } = checks;
  const orNull = (count: Promise<number>) => within(withinMs, count).catch(() => null);
  const succeeds = (work: Promise<unknown>) =>
    within(withinMs, work).then(
      () => true,
      () => false,
    );
  const bucket = analytics.bucketAnswers();
  const [temporal, problem, analyticsFolder, damagedFiles, setAsideFiles] = await Promise.all([
    succeeds(checks.temporal(withinMs)),
    within(withinMs, checks.canWrite()).then(
      () => null,
      (err: unknown) => databaseProblem(err)?.sentence ?? 'The database cannot be reached.',
    ),
    succeeds(analytics.verifyFolder()),
    orNull(checks.damagedFiles()),
    bucket === false ? null : orNull(analytics.countUncounted()),
  ]);
  return {
    temporal,
    database: problem === null,
    ...(problem === null ? {} : { databaseProblem: problem }),
    analyticsFolder,
    bucket,
    ...(bucket === false && ack === 'stored' ? { bucketProblem: BUCKET_NEEDED } : {}),
    damagedFiles,
    setAsideFiles,
  };
}

/** Logs when the reasons change for which Docent is not ready, not each time someone asks. */
export function withChangesLogged(ask: () => Promise<Readiness>, log: Logger): () => Promise<Readiness> {
  let before = '';
  return async () => {
    const found = await ask();
    const reasons = judgeReadiness({ ...found, isLeaving: false }).join(' ');
    if (reasons !== before) {
      if (reasons) log.error({ reasons }, 'not ready');
      else log.info('ready again');
    }
    before = reasons;
    return found;
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no response in time')), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
