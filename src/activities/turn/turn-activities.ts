import type { ActivityDeps } from '../deps.ts';
import { createModelActivities } from '../model/call-model.ts';
import { createPublishActivities } from '../publish/publish-turn.ts';
import { createRowActivities } from './row-activities.ts';
import { createStepActivities } from './step-activities.ts';

/** All activities of a job's workflow. Each is one side effect and safe to run twice, late, or beside itself. */
export function createTurnActivities(deps: ActivityDeps) {
  return {
    ...createRowActivities(deps),
    ...createModelActivities(deps),
    ...createStepActivities(deps),
    ...createPublishActivities(deps),
  };
}

export type TurnActivities = ReturnType<typeof createTurnActivities>;
