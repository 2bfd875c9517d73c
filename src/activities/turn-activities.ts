import type { ActivityDeps } from './deps.ts';
import { createOpenActivities } from './open/open-activities.ts';
import { createEndActivities } from './publish/end-turn.ts';
import { createPublishActivities } from './publish/publish-turn.ts';
import { createModelActivities } from './step/call-model.ts';
import { createCheckActivities } from './step/check-docs.ts';
import { createToolActivities } from './step/run-tools.ts';

/**
 * All activities of a job's workflow. Each is one side effect and safe to run twice, late, or beside itself.
 */
export function createTurnActivities(deps: ActivityDeps) {
  return {
    ...createOpenActivities(deps),
    ...createModelActivities(deps),
    ...createToolActivities(deps),
    ...createCheckActivities(deps),
    ...createPublishActivities(deps),
    ...createEndActivities(deps),
  };
}

export type TurnActivities = ReturnType<typeof createTurnActivities>;
