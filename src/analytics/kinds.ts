import type { VisitorClass } from './event.ts';

/** Which classes of visitors the API calls human, which it calls AI; `total` is the union. Others stand outside. */
const HUMAN: readonly VisitorClass[] = ['human'];
const AI: readonly VisitorClass[] = ['assistant'];

/** What the export counts. */
export const EXPORT_KINDS = ['human', 'ai', 'total'] as const;

const sqlList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** Whether a `class` column counts in `total`. */
export const COUNTS = `class IN (${sqlList([...HUMAN, ...AI])})`;

const EXPORT = [
  `CASE WHEN class IN (${sqlList(HUMAN)}) THEN 'human' END`,
  `CASE WHEN class IN (${sqlList(AI)}) THEN 'ai' END`,
  `CASE WHEN ${COUNTS} THEN 'total' END`,
];
const AGENTS = [
  `CASE WHEN class <> 'human' THEN 'class:' || class END`,
  `CASE WHEN agent IS NOT NULL THEN 'agent:' || class || ':' || agent END`,
];

const list = (parts: readonly string[]) => `list_filter([${parts.join(', ')}], lambda kind: kind IS NOT NULL)`;

/** The kinds of a row with the columns `class` and `agent`, as a list of SQL: those of the export, of the agents, or all. */
export const KINDS = { export: list(EXPORT), agents: list(AGENTS), all: list([...EXPORT, ...AGENTS]) } as const;
export type KindSet = keyof typeof KINDS;

/** Which kinds of the cube a set asks for. */
export const KIND_FILTER: Record<KindSet, string> = {
  export: `kind IN (${sqlList(EXPORT_KINDS)})`,
  agents: `(kind LIKE 'agent:%' OR kind LIKE 'class:%')`,
  all: 'true',
};
