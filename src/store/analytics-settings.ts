import { DAY_MS } from '@docent/base/time';
import type { VisitorClass } from '@docent/access-log/event-kind';
import { PROJECT_SETTINGS, type SaltPolicy } from '../config/project-settings.ts';

/** The classes that answers count as human, and as AI; none is both. `total` is the union. */
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

/** The mapping behind the counts of a version. @param applied oldest first */
export function mappingAt(applied: readonly AppliedMapping[], version: number): ClassMapping {
  const { human, ai } = applied.findLast(({ since }) => since <= version) ?? DEFAULT_MAPPING;
  return { human, ai };
}

/** The mapping in a project's settings. */
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

/** Requests that are being worked on at midnight. */
const MARGIN_MS = 600_000;

/**
 * A schedule with another policy, from the first day that can have no events yet: events may arrive up to a
 * day early, and existing ids stay. Drops plans for such days.
 * @param begun whether any event has an id yet; if not, the policy holds from the beginning
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
