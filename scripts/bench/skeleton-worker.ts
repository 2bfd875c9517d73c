/**
 * Runs skeleton workflows: `node skeleton-worker.ts ADDRESS TASK_QUEUE`. Says `ready` on standard output, and
 * ends with its parent.
 */
import path from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: path.join(import.meta.dirname, 'skeleton-workflow.ts'),
  activities: { nothing: async () => {} },
  maxConcurrentActivityTaskExecutions: 10,
});
process.on('SIGTERM', () => worker.shutdown());
process.stdout.write('ready\n');
await worker.run();
process.exit(0);
