import { PROJECT_SETTINGS, type SaltPolicy, type VisitorClass } from '../config/project-settings.ts';

/** Which classes the answers call human, and which AI; none is both. `total` is the union. */
export interface ClassMapping {
  human: readonly VisitorClass[];
  ai: readonly VisitorClass[];
}

export const DEFAULT_MAPPING: ClassMapping = {
  human: PROJECT_SETTINGS.analyticsHumanClasses.fallback,
  ai: PROJECT_SETTINGS.analyticsAiClasses.fallback,
};

/** A mapping as the counts of a project's manifest were made with it, from a version on. */
export interface AppliedMapping extends ClassMapping {
  since: number;
}

/** With which mapping the counts of a version were made. @param applied oldest first */
export function mappingAt(applied: readonly AppliedMapping[], version: number): ClassMapping {
  const { human, ai } = applied.findLast(({ since }) => since <= version) ?? DEFAULT_MAPPING;
  return { human, ai };
}

/** The mapping that a project's settings ask for. */
export function wantedMapping(settings: {
  analyticsHumanClasses?: ClassMapping['human'];
  analyticsAiClasses?: ClassMapping['ai'];
}): ClassMapping {
  return {
    human: settings.analyticsHumanClasses ?? DEFAULT_MAPPING.human,
    ai: settings.analyticsAiClasses ?? DEFAULT_MAPPING.ai,
  };
}

export function isSameMapping(a: ClassMapping, b: ClassMapping): boolean {
  return isSameSet(a.human, b.human) && isSameSet(a.ai, b.ai);
}

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value) => b.includes(value));

/** A policy and the first day (since 1970, UTC) of events that it is for; null for the beginning. */
export interface SaltChange {
  policy: SaltPolicy;
  fromDay: number | null;
}

/** Oldest first; the first one has no day. */
export type SaltSchedule = readonly SaltChange[];

export const DEFAULT_SALTS: SaltSchedule = [{ policy: PROJECT_SETTINGS.analyticsSaltPolicy.fallback, fromDay: null }];

const DAY_MS = 86_400_000;
/** Requests that are being worked on at midnight. */
const MARGIN_MS = 600_000;

/**
 * A schedule with another policy from the first day on that no event can lie on by now: events may come up to
 * a day early, and what has its id keeps it. What was planned for such a day is dropped.
 * @param begun whether any event has an id yet; without, the policy holds from the beginning
 */
export function withSaltPolicy(
  schedule: SaltSchedule,
  policy: SaltPolicy,
  { now, begun }: { now: number; begun: boolean },
): SaltSchedule {
  if (!begun) return [{ policy, fromDay: null }];
  const fromDay = Math.floor((now + MARGIN_MS) / DAY_MS) + 2;
  const kept = schedule.filter((change) => change.fromDay === null || change.fromDay < fromDay);
  return kept.at(-1)?.policy === policy ? kept : [...kept, { policy, fromDay }];
}
