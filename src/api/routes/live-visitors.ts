import { operatorOf } from '@docent/access-log/agents/agent-rules';
import type { VisitorClass } from '@docent/access-log/event-kind';
import type { Handler } from '../contract/handler.ts';

/** Until an event that was taken counts: it is sealed after 1.5 s, and that takes a moment. */
const DELAY_SECONDS = 2;

export const getLiveVisitors: Handler<'getLiveVisitors'> = async ({ path }, { analytics }) => {
  const { asOf, mapping, minutes, agents, ...counted } = await analytics().live(path.projectId);
  return {
    status: 200,
    body: {
      asOf: new Date(asOf).toISOString(),
      delaySeconds: DELAY_SECONDS,
      ...counted,
      minutes: minutes.map(({ start, ...counts }) => ({ start: new Date(start).toISOString(), ...counts })),
      agents: agents.map(({ agent, class: visitorClass, ...counts }) => ({
        agent,
        operator: operatorOf(agent),
        class: visitorClass as VisitorClass,
        ...counts,
      })),
      mapping: { human: [...mapping.human], ai: [...mapping.ai] },
    },
  };
};
