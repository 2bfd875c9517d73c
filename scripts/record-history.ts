import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/**
 * Saves a workflow's history for the replay test: `npm run record-history -- --workflow-id ID --name what-it-shows
 * [--run-id RUN] [--address localhost:7233] [--namespace default]`. Prompts are in it: record jobs whose words may be public.
 */
const { values } = parseArgs({
  options: {
    'workflow-id': { type: 'string' },
    'run-id': { type: 'string' },
    name: { type: 'string' },
    address: { type: 'string', default: 'localhost:7233' },
    namespace: { type: 'string', default: 'default' },
  },
});
const { 'workflow-id': workflowId, name } = values;
if (!workflowId || !name || !/^[a-z0-9-]+$/.test(name)) {
  process.stderr.write(
    'Usage: npm run record-history -- --workflow-id ID --name lower-case-name [--run-id RUN] [--address HOST:PORT]\n',
  );
  process.exit(2);
}

const connection = await Connection.connect({ address: values.address });
try {
  const client = new Client({ connection, namespace: values.namespace });
  const history = await client.workflow.getHandle(workflowId, values['run-id']).fetchHistory();
  const folder = path.join(import.meta.dirname, '..', 'test', 'fixtures', 'histories');
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.json`);
  // Whose machine it was is nobody's business.
  const text = historyToJSON(history)
    .replaceAll(path.join(import.meta.dirname, '..'), '/docent')
    .replaceAll(/"identity": "[^"]*"/g, '"identity": "worker"');
  await writeFile(file, `${text}\n`);
  process.stdout.write(`${path.relative(process.cwd(), file)}: ${history.events?.length ?? 0} events\n`);
} finally {
  await connection.close();
}
