/**
 * The servers of the run. They start in the background (`services.ts`): importing this file waits until they
 * have started. It is a setup file of all projects but `unit`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { Services } from './services.ts';

/** @throws Error when they could not be started */
async function whenStarted(file: string): Promise<Services> {
  while (!existsSync(file)) await sleep(100);
  const { services, failure } = JSON.parse(readFileSync(file, 'utf8')) as { services?: Services; failure?: string };
  if (services) return services;
  throw new Error(`The servers of the tests did not start: ${failure}`);
}

export const services = await whenStarted(inject('servicesFile'));
