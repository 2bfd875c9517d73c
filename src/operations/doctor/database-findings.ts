import { messageOf } from '@docent/base/thrown';
import { SecretBox } from '../../platform/secret-box.ts';
import type { Secret } from '../../platform/secret.ts';
import { plural } from '@docent/base/plural';
import { VERSION } from '../../platform/version.ts';
import { decryptCredential, listCodeHosts, type CodeHostRow } from '../../store/hosts/code-hosts.ts';
import { databaseNow, type Database } from '../../store/database.ts';
import { asked, databaseFacts, knownProcesses } from '../../store/installation/installation-health.ts';
import type { Migration } from '../../store/installation/migration-files.ts';
import { listSealedSecrets } from '../../store/installation/sealed-secrets.ts';
import { readSchemaState, refuseMismatch } from '../../store/installation/schema-version.ts';
import {
  DOCS,
  judgeConnections,
  judgePostgres,
  judgeProcesses,
  judgeSchema,
  ok,
  warning,
  wrong,
  type Finding,
} from '../../platform/health.ts';
import { Refused } from '@docent/base/refused';
import { isExpected } from '../../platform/errors.ts';

/** Leases and heartbeats only use the database's clock; times for people use both. */
const SKEW_MS = 5_000;

/** Null if it cannot be reached. */
export async function databaseFindings(
  database: Database,
  migrations: readonly Migration[],
): Promise<{ findings: Finding[]; isReachable: boolean }> {
  const findings: Finding[] = [];
  try {
    findings.push(await skewOf(database));
  } catch (err) {
    const todo = 'Start PostgreSQL, and check DATABASE_URL. The PostgreSQL log shows why a connection is refused.';
    const what = `The database cannot be reached: ${messageOf(err)}`;
    return { findings: [wrong('database', { what, todo, docs: DOCS.roles })], isReachable: false };
  }
  const facts = await asked(database.db, databaseFacts);
  findings.unshift(judgePostgres(facts.version));
  findings.push(await schemaOf(database, migrations), judgeConnections(facts));
  if (facts.schemaLevel > 0) findings.push(...judgeProcesses(await asked(database.db, knownProcesses), VERSION));
  return { findings, isReachable: facts.schemaLevel > 0 };
}

async function skewOf({ db }: Database): Promise<Finding> {
  await databaseNow(db);
  const before = Date.now();
  const there = await databaseNow(db);
  const skew = there - (before + Date.now()) / 2;
  if (Math.abs(skew) < SKEW_MS) return ok('clocks', 'The clocks of the database and this machine agree.');
  const what = `The database clock is ${Math.abs(skew / 1_000).toFixed(0)} s ${skew > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  return warning('clocks', {
    what,
    todo: 'Synchronize the clocks of all machines, for example with chrony or systemd-timesyncd.',
    docs: DOCS.roles,
  });
}

async function schemaOf({ db }: Database, migrations: readonly Migration[]): Promise<Finding> {
  const state = await readSchemaState(db, migrations);
  try {
    refuseMismatch(state, migrations, VERSION);
  } catch (err) {
    if (!(err instanceof Refused)) throw err;
    return wrong('schema', {
      what: err.message,
      todo: 'Run the Docent version that matches the database.',
      docs: DOCS.upgrade,
    });
  }
  return judgeSchema({ level: state.level, pending: state.pending.length });
}

/** Whether stored secrets can be decrypted with the available keys. */
export async function keyFindings({ db }: Database, keys: readonly Secret[]): Promise<Finding[]> {
  const box = new SecretBox(keys);
  const [hosts, sealed] = [await listCodeHosts(db, { limit: 100 }), await listSealedSecrets(db)];
  const closed = hosts.flatMap((host) => whyClosed(box, host));
  const unreadable = sealed.filter(({ keyId }) => !box.hasKey(keyId));
  if (closed.length + unreadable.length > 0) {
    const names = closed.map(({ id }) => id).join(', ');
    const kinds = unreadable.map(({ kind, count }) => plural(count, kind)).join(', ');
    const what = [
      ...(closed[0] ? [`The credentials of ${names} cannot be read: ${closed[0].reason}`] : []),
      ...(kinds === '' ? [] : [`These cannot be read with the secret key: ${kinds}.`]),
    ].join(' ');
    const todo =
      'Restore the previous secret key. Or enter them again: credentials with `docent host update`, ' +
      'model keys with `docent model key set`.';
    return [wrong('secret-key', { what, todo, docs: DOCS.save })];
  }
  const count = hosts.length + sealed.reduce((sum, each) => sum + each.count, 0);
  return [
    ok('secret-key', count === 0 ? 'No secrets are stored.' : `The secret key decrypts ${plural(count, 'secret')}.`),
  ];
}

function whyClosed(box: SecretBox, host: CodeHostRow): { id: string; reason: string }[] {
  try {
    decryptCredential(box, host);
    return [];
  } catch (err) {
    if (!isExpected(err, 'secret_key')) throw err;
    return [{ id: host.id, reason: err.message }];
  }
}
