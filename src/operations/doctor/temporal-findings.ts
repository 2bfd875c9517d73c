import { Connection } from '@temporalio/client';
import { messageOf } from '@docent/base/thrown';
import { missingSearchAttributes } from '../../temporal/search-attributes.ts';
import { askTemporal } from '../../temporal/temporal-health.ts';
import type { TemporalSettings } from '../../roles/temporal-settings.ts';
import { compareVersions, OLDEST_SERVER } from '@docent/servers/temporal/version';
import { DOCS, judgeWorkers, ok, warning, wrong, type Finding } from '../../platform/health.ts';

const ASK_MS = 5_000;

/** @param taskQueue of the jobs; null if the installation's id is not known */
export async function temporalFindings(
  { connection, namespace }: TemporalSettings,
  taskQueue: string | null,
): Promise<Finding[]> {
  let found: Connection;
  try {
    found = await Connection.connect({ ...connection, connectTimeout: ASK_MS });
  } catch (err) {
    const what = `Temporal at ${connection.address} cannot be reached: ${messageOf(err).split('\n')[0]}`;
    return [
      wrong('temporal', {
        what,
        todo: 'Start Temporal, and check TEMPORAL_ADDRESS. Jobs wait until then.',
        docs: DOCS.temporal,
      }),
    ];
  }
  try {
    return await connectionFindings(found, namespace, taskQueue);
  } catch (err) {
    const what = `Temporal at ${connection.address} cannot use the namespace ${namespace}: ${messageOf(err).split('\n')[0]}`;
    return [
      wrong('temporal', { what, todo: 'Create the namespace, or check TEMPORAL_NAMESPACE.', docs: DOCS.temporal }),
    ];
  } finally {
    await found.close();
  }
}

async function connectionFindings(
  connection: Connection,
  namespace: string,
  taskQueue: string | null,
): Promise<Finding[]> {
  const within = <T>(ask: () => Promise<T>) => connection.withDeadline(Date.now() + ASK_MS, ask);
  await within(() => connection.workflowService.describeNamespace({ namespace }));
  const { serverVersion, workers } = await askTemporal(
    connection,
    { namespace, taskQueue: taskQueue ?? 'docent' },
    ASK_MS,
  );
  const findings = [ok('temporal', `The namespace ${namespace} is available.`), versionOf(serverVersion)];
  const lacking = await within(() => missingSearchAttributes(connection, namespace));
  findings.push(
    lacking.length === 0
      ? ok('temporal-attributes', 'The search attributes are registered.')
      : warning('temporal-attributes', {
          what: `The search attributes ${lacking.join(' and ')} are missing, so you cannot search for jobs by them in the Web UI.`,
          todo: `temporal operator search-attribute create --namespace ${namespace} ${lacking.map((name) => `--name ${name} --type Keyword`).join(' ')}`,
          docs: DOCS.temporal,
        }),
  );
  if (taskQueue === null) return findings;
  return [...findings, judgeWorkers(workers)];
}

function versionOf(version: string | null): Finding {
  const found = version === null ? null : (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? null);
  if (found === null) {
    const what = 'Temporal does not report its version.';
    return warning('temporal-version', {
      what,
      todo: `Make sure that it is ${OLDEST_SERVER} or newer.`,
      docs: DOCS.temporal,
    });
  }
  if (compareVersions(found, OLDEST_SERVER) >= 0) return ok('temporal-version', `It is Temporal server ${found}.`);
  const what = `It is Temporal server ${found}.`;
  return wrong('temporal-version', { what, todo: `Upgrade it to ${OLDEST_SERVER} or newer.`, docs: DOCS.temporal });
}
