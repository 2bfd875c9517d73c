import { AGENT_RULES } from './classify/agent-rules.ts';
import { classify } from './classify/classify.ts';
import type { EventRules } from './event.ts';
import { normalisePath } from './normalise-path.ts';

/** What paths and user agents mean to Docent. */
export const DOCENT_RULES: EventRules = { normalisePath, classify };

const OPERATORS = new Map(AGENT_RULES.map(({ agent, operator }) => [agent, operator]));

/** Who runs an agent, or null where the tables do not say. */
export const operatorOf = (agent: string): string | null => OPERATORS.get(agent) ?? null;
