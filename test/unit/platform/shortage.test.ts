import { DrizzleQueryError } from 'drizzle-orm/errors';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../src/api/middleware/failure.ts';
import { isDiskFailing, Shortage, shortageOf } from '@docent/base/shortage';
import { createLogger } from '../../../src/platform/log.ts';
import { databaseProblem } from '../../../src/store/database-problem.ts';

const coded = (code: string, message = 'no', more = {}) => Object.assign(new Error(message), { code, ...more });

describe('short texts', () => {
  test.each([
    [coded('ENOSPC'), 'disk'],
    [coded('EDQUOT'), 'disk'],
    [coded('EMFILE'), 'handles'],
    [coded('ENFILE'), 'handles'],
    [new Error('wrapped', { cause: coded('ENOSPC') }), 'disk'],
    [new Error('fatal: write error: No space left on device'), 'disk'],
    [new Error('The child process of runStep ended with spawn /usr/bin/node EMFILE.'), 'handles'],
    [new Error('error: cannot fork() for index-pack: Resource temporarily unavailable'), 'handles'],
    [
      new Error(
        'Out of Memory Error: failed to offload data block (1.0 GiB/1.0 GiB used, limit via max_temp_directory_size)',
      ),
      'disk',
    ],
    [new Shortage('disk', 'full'), 'disk'],
    [coded('EACCES'), null],
    [new Error('the page "No space" is missing'), null],
    ['ENOSPC', null],
  ])('%s', (err, of) => expect(shortageOf(err)).toBe(of));

  test.each([
    [coded('EROFS'), true],
    [coded('EIO'), true],
    [new Error('fatal: read error: Input/output error'), true],
    [coded('ENOENT'), false],
  ])('a disk that fails: %s', (err, fails) => expect(isDiskFailing(err)).toBe(fails));
});

describe('answers problems of PostgreSQL with 503 and Retry-After', () => {
  const log = createLogger({ level: 'silent', name: 'test' });
  test.each([
    ['53100', 'could not extend file "base/5/16384": No space left on device', 'full'],
    ['XX000', 'could not write to file "base/pgsql_tmp/1.0": Disk quota exceeded', 'full'],
    ['53000', 'could not open file "base/5/1259": Too many open files in system', 'failing'],
    ['53200', 'out of memory', 'failing'],
    ['58030', 'could not read blocks 0..0 in file "base/5/1": Input/output error', 'failing'],
    ['25006', 'cannot execute INSERT in a read-only transaction', 'failing'],
    ['42501', 'could not open file "base/5/1": Read-only file system', 'failing'],
    ['57P03', 'the database system is in recovery mode', 'away'],
    ['57P02', 'terminating connection because of crash of another server process', 'away'],
    ['ECONNREFUSED', 'connect ECONNREFUSED /x/.s.PGSQL.5432', 'away'],
  ])('%s %s', (code, message, kind) => {
    const err = new DrizzleQueryError('INSERT', [], coded(code, message));
    expect(databaseProblem(err)?.kind).toBe(kind);
    expect(failureOf(err, () => log)).toMatchObject({ code: 'unavailable', retryAfterSeconds: expect.any(Number) });
  });

  test('a missing file is not a missing database, and a wrong query is not an outage', () => {
    expect(databaseProblem(coded('ENOENT', 'connect ENOENT', { syscall: 'connect' }))?.kind).toBe('away');
    for (const err of [coded('ENOENT', 'open', { syscall: 'open' }), coded('23505', 'duplicate key'), coded('EROFS')]) {
      expect(databaseProblem(err)).toBeNull();
    }
  });
});
