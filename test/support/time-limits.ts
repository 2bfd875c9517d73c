/**
 * A setup file of all tests: how long they may take. A test that needs longer sets its own time-out, with a
 * reason.
 */
import { expect, vi } from 'vitest';
import { partOf } from './test-costs.ts';

const UNIT_MS = 10_000;
/** With servers. */
const USUAL_MS = 60_000;
/** Some wait for Temporal to notice a dead worker, or for a server that is started again. */
const FAULTS_MS = 180_000;
/** The machines of CI systems are slower, and shared. */
const SLOWER = process.env.CI === undefined ? 1 : 2;
/** A poll asks a server or a browser, which takes the processor from what is waited for. */
const POLL_MS = 150;

const part = partOf(expect.getState().testPath ?? '');
const limitMs = { unit: UNIT_MS, faults: FAULTS_MS, cluster: FAULTS_MS }[part] ?? USUAL_MS;
const ms = limitMs * SLOWER;
/** A little less, so that a test fails with what it waited for. */
const patienceMs = ms * 0.9;

process.env.DOCENT_TEST_PATIENCE_MS = String(patienceMs);
vi.setConfig({
  // Random inputs that are tried more often take longer.
  testTimeout: ms * Number(process.env.DOCENT_TEST_TIMES ?? 1),
  hookTimeout: ms,
  expect: { poll: { timeout: patienceMs, interval: part === 'unit' ? 20 : POLL_MS } },
});
