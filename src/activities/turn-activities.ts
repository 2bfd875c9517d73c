import type { ActivityDeps } from './deps.ts';
import { createOpenActivities } from './open/open-activities.ts';
import { createEndActivities } from './publish/end-turn.ts';
import { createPublishActivities } from './publish/publish-turn.ts';
import { createModelActivities } from './step/call-model.ts';
import { createCheckActivities } from './step/check-docs.ts';
import { createToolActivities } from './step/run-tools.ts';

/** A job's activities: each is one side effect, safe to run twice, late, or concurrently. */
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
