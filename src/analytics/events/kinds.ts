import type { ClassMapping } from '../../store/analytics-settings.ts';

export const EXPORT_KINDS = ['human', 'ai', 'total'] as const;

/**
 * The cube's kinds. `both` is `total` minus human and AI, below zero for visitors who were both; stored
 * instead of `total`, it takes almost no room.
 */
export const CUBE_KINDS = ['human', 'ai', 'both'] as const;

/** Words of our own as a list of SQL texts. */
export const sqlList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** Whether a `class` column is one of these. */
const isOneOf = (classes: readonly string[]) => (classes.length === 0 ? 'false' : `class IN (${sqlList(classes)})`);

/** Whether a `class` column counts as human, as AI, and in `total`. */
export const conditionsOf = ({ human, ai }: ClassMapping): Record<(typeof EXPORT_KINDS)[number], string> => ({
  human: isOneOf(human),
  ai: isOneOf(ai),
  total: isOneOf([...human, ...ai]),
});

const AGENTS = [
  `CASE WHEN class <> 'human' THEN 'class:' || class END`,
  `CASE WHEN agent IS NOT NULL THEN 'agent:' || class || ':' || agent END`,
  `CASE WHEN agent IS NOT NULL THEN CASE verified WHEN true THEN 'verified' WHEN false THEN 'failed' ELSE 'unknown' END
    || ':' || class || ':' || agent END`,
];

const list = (parts: readonly string[]) => `list_filter([${parts.join(', ')}], lambda kind: kind IS NOT NULL)`;

export type KindSet = 'export' | 'agents' | 'all';

/** SQL lists of a row's kinds (columns `class`, `agent`, `verified`): the export's, the agents', or all. */
export function kindsOf(mapping: ClassMapping): Record<KindSet, string> {
  const conditions = conditionsOf(mapping);
  const counted = EXPORT_KINDS.map((kind) => `CASE WHEN ${conditions[kind]} THEN '${kind}' END`);
  return { export: list(counted), agents: list(AGENTS), all: list([...counted, ...AGENTS]) };
}

export const KIND_FILTER: Record<Exclude<KindSet, 'all'>, string> = {
  export: `kind IN (${sqlList(EXPORT_KINDS)})`,
  agents: `kind LIKE '%:%'`,
};

/** The part of the cube that the export is counted from. */
export const IS_CUBE_KIND = `kind IN (${sqlList(CUBE_KINDS)})`;
