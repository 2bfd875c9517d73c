import type { Connection } from '@temporalio/client';
import { messageOf } from '@docent/base/thrown';
import { SEARCH_ATTRIBUTES } from '../workflows/contract.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of temporal.api.enums.v1. */
const KEYWORD = 2;

/**
 * Registers the search attributes of jobs. Idempotent.
 * @throws Error with a sentence if the cluster refuses
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  } catch (err) {
    if ((await missingSearchAttributes(connection, namespace)).length === 0) return;
    throw new Error(
      `Temporal did not register the search attributes ${missing.join(' and ')} (${messageOf(err)}). ` +
        'Register them as Keyword yourself, or set DOCENT_SEARCH_ATTRIBUTES=off.',
      { cause: err },
    );
  }
}

/** Names that the namespace does not know yet: starting a workflow with one of them would fail. */
export async function missingSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES).filter((name) => customAttributes?.[name] === undefined);
}
