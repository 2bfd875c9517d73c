/**
 * Compares a cluster's acknowledgements with its data, with SQL, git and HTTP, and without any of Docent's
 * code:
 *
 * DOCENT_TEST_PROOF_TOKEN=… node test/faults/proof/checker/check.ts --ledger FILE --database URL --repository
 * DIR --files DIR --api URL --contract FILE
 *
 * Prints what it found as JSON. Ends with 1 where something is wrong.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { checkAnswers } from './contract.ts';
import { checkAutomations } from './automations.ts';
import { checkFiles } from './files.ts';
import type { Findings, LedgerFile } from './ledger-file.ts';
import { checkRepository } from './repository.ts';
import { checkRows } from './rows.ts';
import { checkViews } from './views.ts';

const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({
  options: { ledger: text, database: text, repository: text, files: text, api: text, contract: text },
});
const ledger = JSON.parse(await readFile(values.ledger, 'utf8')) as LedgerFile;
const database = new Client({ connectionString: values.database });
await database.connect();
const token = process.env.DOCENT_TEST_PROOF_TOKEN ?? '';
const findings: Findings[] = [
  { wrong: ledger.complaints, looked: {} },
  await checkAnswers(values.contract, ledger.answers),
  await checkRows(database, ledger.projectId, ledger.jobs),
  await checkAutomations(database, values.repository, ledger),
  await checkRepository(values.repository, ledger.jobs),
  await checkViews({ url: values.api, token }, ledger),
  await checkFiles(database, values.files),
];
await database.end();
const wrong = findings.flatMap((each) => each.wrong);
process.stdout.write(
  JSON.stringify({ wrong, looked: Object.assign({}, ...findings.map((each) => each.looked)) }, null, 2),
);
process.exitCode = wrong.length === 0 ? 0 : 1;
