import { messageOf } from '@docent/base/thrown';
import { SecretBox, SecretKeyProblem } from '../../platform/secret-box.ts';
import type { Secret } from '../../platform/secret.ts';
import { plural } from '@docent/base/plural';
import { VERSION } from '../../platform/version.ts';
import { decryptCredential, listCodeHosts } from '../../store/code-hosts.ts';
import { databaseNow, type Database } from '../../store/database.ts';
import { asked, databaseFacts, knownProcesses } from '../../store/installation-health.ts';
import type { Migration } from '../../store/migration-files.ts';
import { readSchemaState, refuseMismatch, SchemaMismatch } from '../../store/schema-version.ts';
import { DOCS, ok, warning, wrong, type Finding } from './finding.ts';

const OLDEST_POSTGRES = 15;
/** Leases and signs of life go by the database's clock or by none; what people read goes by both. */
const SKEW_MS = 5_000;

/** Null where it cannot be reached. */
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
  const isOld = Number.parseInt(facts.version, 10) < OLDEST_POSTGRES;
  const old = {
    what: `PostgreSQL ${facts.version} is too old.`,
    todo: `Upgrade it to ${OLDEST_POSTGRES} or newer.`,
    docs: DOCS.roles,
  };
  findings.unshift(isOld ? wrong('database', old) : ok('database', `PostgreSQL ${facts.version} is reachable.`));
  findings.push(await schemaOf(database, migrations), connectionsOf(facts));
  if (facts.schemaLevel > 0) findings.push(...(await processesOf(database)));
  return { findings, isReachable: facts.schemaLevel > 0 };
}

async function skewOf({ db }: Database): Promise<Finding> {
  await databaseNow(db);
  const before = Date.now();
  const there = await databaseNow(db);
  const skew = there - (before + Date.now()) / 2;
  if (Math.abs(skew) < SKEW_MS) return ok('clocks', 'Its clock matches the clock of this machine.');
  const what = `Its clock is ${Math.abs(skew / 1_000).toFixed(0)} s ${skew > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  return warning('clocks', {
    what,
    todo: 'Synchronize the clocks of all machines, with chrony or systemd-timesyncd.',
    docs: DOCS.roles,
  });
}

async function schemaOf({ db }: Database, migrations: readonly Migration[]): Promise<Finding> {
  const state = await readSchemaState(db, migrations);
  try {
    refuseMismatch(state, migrations, VERSION);
  } catch (err) {
    if (!(err instanceof SchemaMismatch)) throw err;
    return wrong('schema', {
      what: err.message,
      todo: 'Run the Docent version that matches the database.',
      docs: DOCS.upgrade,
    });
  }
  if (state.pending.length === 0) return ok('schema', `The schema is up to date, at level ${state.level}.`);
  const what = `${plural(state.pending.length, 'change')} of the schema ${state.pending.length === 1 ? 'is' : 'are'} pending.`;
  return warning('schema', {
    what,
    todo: 'Run docent migrate, or start a role with DOCENT_MIGRATE=auto.',
    docs: DOCS.upgrade,
  });
}

function connectionsOf({ connections, maxConnections }: { connections: number; maxConnections: number }): Finding {
  const what = `${connections} of ${maxConnections} connections are in use.`;
  if (connections <= 0.9 * maxConnections) return ok('connections', what);
  return warning('connections', {
    what,
    todo: 'Raise max_connections in PostgreSQL, or run fewer processes.',
    docs: DOCS.sizing,
  });
}

/** Those that live, of which version they are, and those that ended without saying so. */
async function processesOf({ db }: Database): Promise<Finding[]> {
  const known = await asked(db, knownProcesses);
  const living = known.filter(({ alive }) => alive);
  const others = living.filter(({ version }) => version !== VERSION);
  const names = (list: typeof known) =>
    list
      .slice(0, 5)
      .map(({ name, host, pid }) => `${name} on ${host} (${pid})`)
      .join(', ');
  const missing = ['docent api', 'docent worker'].filter((role) => !living.some(({ name }) => name === role));
  const ended = known.filter(
    (one) => !one.alive && !living.some(({ name, host }) => name === one.name && host === one.host),
  );
  return [
    missing.length === 0
      ? ok('processes', `${plural(living.length, 'process', 'processes')} of Docent running.`)
      : warning('processes', {
          what: `No ${missing.join(' and no ')} is running.`,
          todo: 'Start it.',
          docs: DOCS.roles,
        }),
    others.length === 0
      ? ok('versions', `All run version ${VERSION}.`)
      : warning('versions', {
          what: `This is ${VERSION}, but other versions are running: ${others
            .slice(0, 5)
            .map(({ name, version }) => `${name} ${version}`)
            .join(', ')}.`,
          todo: 'This is expected during an upgrade. Otherwise, restart the old processes.',
          docs: DOCS.upgrade,
        }),
    ...(ended.length === 0
      ? []
      : [
          warning('ended', {
            what: `${plural(ended.length, 'process', 'processes')} stopped unexpectedly within the last day and ${ended.length === 1 ? 'was' : 'were'} not replaced: ${names(ended)}.`,
            todo: 'Check the log, and start it again.',
            docs: DOCS.roles,
          }),
        ]),
  ];
}

/** Whether what is stored encrypted can be read with the keys that are here. */
export async function keyFindings({ db }: Database, keys: readonly Secret[]): Promise<Finding[]> {
  const hosts = await listCodeHosts(db, { limit: 100 });
  if (hosts.length === 0) return [ok('secret-key', 'No credentials are stored.')];
  const box = new SecretBox(keys);
  const closed: string[] = [];
  let reason = '';
  for (const host of hosts) {
    try {
      decryptCredential(box, host);
    } catch (err) {
      if (!(err instanceof SecretKeyProblem)) throw err;
      closed.push(host.id);
      reason = err.message;
    }
  }
  if (closed.length === 0)
    return [ok('secret-key', `It decrypts the ${plural(hosts.length, 'credential')} of code hosts.`)];
  const what = `The credentials of ${closed.join(', ')} cannot be read: ${reason}`;
  const todo = 'Restore the previous secret key, or enter the credentials again with `docent host update`.';
  return [wrong('secret-key', { what, todo, docs: DOCS.save })];
}
