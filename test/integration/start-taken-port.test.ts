import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../src/roles/environment.ts';
import { GivenUpParts } from '@docent/servers/given-up-parts';
import { openHome } from '../../src/start/home.ts';
import { createLogView } from '../../src/start/log-view.ts';
import { temporalPart, type PartContext } from '../../src/start/start-parts.ts';
import { findTemporal } from '@docent/servers/temporal/find';
import { Reaper } from '@docent/servers/processes/reaper';
import { BARE_ENV } from '../support/bare-env.ts';
import { freePort } from '../support/free-port.ts';
import { services } from '../support/run-services.ts';
import { Refused } from '@docent/base/refused';

const reaper = new Reaper();
const signal = new AbortController().signal;
/** Another user's server, which took the port after the check. It answers as ours would. */
const others = services.temporalAddress;
let binary: string;
let context: PartContext;

beforeEach(async () => {
  ({ binary } = await findTemporal({ env: process.env, onProgress: () => {} }));
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-taken-port-'));
  const home = openHome(folder);
  onTestFinished(async () => {
    home.release();
    await rm(folder, { recursive: true, force: true });
  });
  const ports = { api: 0, temporal: Number(others.split(':')[1]), temporalUi: await freePort(), isUiAsked: false };
  const silent = { level: 'silent', json: true, verbose: true, file: () => {} };
  const view = createLogView({ write: () => true, isTTY: false }, silent);
  const { config } = readEnvironment({ ...BARE_ENV });
  context = { home, config, view, reaper, ports, givenUp: new GivenUpParts() };
});
afterAll(() => reaper.close());

test('a start whose Temporal port is taken at the last moment uses another port and its own server', async () => {
  const server = await temporalPart(context, binary).start(signal);
  onTestFinished(async () => void (await server.stop()));
  expect(context.temporal?.connection.address).toBe(`127.0.0.1:${context.ports.temporal}`);
  expect(context.temporal?.connection.address).not.toBe(others);
  expect(context.home.readState().temporalPort).toBe(context.ports.temporal);
});

test('once its address is announced to others, Temporal is not started elsewhere', async () => {
  context.temporal = { connection: { address: others }, namespace: 'default' };
  await expect(temporalPart(context, binary).start(signal)).rejects.toThrow(Refused);
});

test('a port of its page that was asked for is not exchanged', async () => {
  context.ports = { ...context.ports, temporalUi: context.ports.temporal, temporal: await freePort(), isUiAsked: true };
  await expect(temporalPart(context, binary).start(signal)).rejects.toThrow(/Port \d+ is in use .* with --ui-port/);
});
