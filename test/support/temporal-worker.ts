/** Workers in the process of a test. The SDK of Temporal prints errors alone: in tests, activities fail. */
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { turnSinks } from '../../src/temporal/worker-traces.ts';
import { workflowBundle } from './caches.ts';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: {
    logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
  },
});

export { NativeConnection } from '@temporalio/worker';
export { Worker };

/** @throws if the present workflows do something else than this history tells */
export async function replay(history: Parameters<typeof Worker.runReplayHistory>[1]): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle(), sinks: turnSinks }, history);
}
