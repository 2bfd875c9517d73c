import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a role with `--import`: has DNS answer for one name with the address that a file has now.
 * What is under test does not know of it.
 */
const { CHANGING_NAME: name, CHANGING_NAME_FILE: file = '' } = process.env;

const lookup = dns.lookup as (hostname: string, ...rest: unknown[]) => void;

dns.lookup = Object.assign((hostname: string, ...rest: unknown[]) => {
  if (hostname !== name) return lookup(hostname, ...rest);
  const [options, callback] = rest as [{ all?: boolean }, (err: null, ...found: unknown[]) => void];
  const address = readFileSync(file, 'utf8').trim();
  if (options.all) callback(null, [{ address, family: 4 }]);
  else callback(null, address, 4);
}, dns.lookup);
syncBuiltinESMExports();
