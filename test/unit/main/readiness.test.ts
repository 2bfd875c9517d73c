import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../../../src/platform/log.ts';
import { readiness, withChangesLogged, type ReadinessChecks } from '../../../src/roles/readiness.ts';

const WITHIN_MS = 50;
const silent = () => new Promise<never>(() => {});
const refuses = () => Promise.reject(new Error('refused'));
const WELL: ReadinessChecks = {
  temporal: async () => {},
  canWrite: async () => {},
  damagedFiles: async () => 0,
  analytics: { verifyFolder: async () => {}, countUncounted: async () => 0, bucketAnswers: () => null },
  ack: 'local',
};

test('is all well where everything answers', async () => {
  expect(await readiness(WELL, WITHIN_MS)).toEqual({
    temporal: true,
    database: true,
    analyticsFolder: true,
    bucket: null,
    damagedFiles: 0,
    setAsideFiles: 0,
  });
});

// An unhandled rejection would end the process, and fails this run.
test.each([
  ['refuses', 'is silent', refuses, silent],
  ['is silent', 'refuses', silent, refuses],
  ['refuses', 'refuses', refuses, refuses],
  ['is silent', 'is silent', silent, silent],
])('is an answer when Temporal %s and the database %s', async (_temporal, _database, temporal, database) => {
  const checks: ReadinessChecks = {
    ...WELL,
    temporal,
    canWrite: database,
    damagedFiles: database,
    analytics: { verifyFolder: database, countUncounted: database, bucketAnswers: () => null },
  };
  const begin = performance.now();
  expect(await readiness(checks, WITHIN_MS)).toEqual({
    temporal: false,
    database: false,
    databaseProblem: 'The database cannot be reached.',
    analyticsFolder: false,
    bucket: null,
    damagedFiles: null,
    setAsideFiles: null,
  });
  // All questions are asked at once.
  expect(performance.now() - begin).toBeLessThan(20 * WITHIN_MS);
});

test('says that page views cannot be accepted without the bucket where each has to be stored there', async () => {
  const checks: ReadinessChecks = {
    ...WELL,
    analytics: { ...WELL.analytics, bucketAnswers: () => false },
    ack: 'stored',
  };
  expect(await readiness(checks, WITHIN_MS)).toMatchObject({
    bucket: false,
    bucketProblem: expect.stringMatching(/bucket/),
    setAsideFiles: null,
  });
});

test('is logged when it changes, not each time someone asks', async () => {
  const logged: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      const { msg, reasons = '' } = JSON.parse(String(line)) as Record<string, string>;
      logged.push(`${msg} ${reasons}`.trim());
      done();
    },
  });
  const states = [WELL, { ...WELL, temporal: refuses }, { ...WELL, temporal: refuses }, WELL, WELL];
  const ask = withChangesLogged(
    async () => readiness(states.shift()!, WITHIN_MS),
    createLogger({ level: 'info', name: 'test' }, sink),
  );
  while (states.length > 0) await ask();
  expect(logged).toEqual(['not ready Temporal cannot be reached.', 'ready again']);
});
