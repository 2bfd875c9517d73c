import path from 'node:path';
import { redact } from '../../platform/log.ts';
import { VERSION } from '../../platform/version.ts';
import { examine } from '../../operations/doctor/doctor.ts';
import type { Finding } from '../../platform/health.ts';
import { EXIT } from '@docent/base/terminal/failures';
import { readEnvironment } from '../../roles/environment.ts';
import { defaultHome } from '../../start/home.ts';
import { print, safe } from '@docent/base/terminal/terminal-text';

export interface DoctorCommandOptions {
  home?: string;
  network?: boolean;
  json?: boolean;
}

/** Carries out `docent doctor`. */
export async function runDoctor({ home, network = false, json }: DoctorCommandOptions): Promise<void> {
  const { config, temporal } = readEnvironment(process.env);
  const folder = path.resolve(home ?? config.home ?? defaultHome());
  // A driver's message may contain an address with its password.
  const findings = (await examine({ config, temporal, home: folder, network })).map((one) => ({
    ...one,
    what: redact(one.what),
  }));
  const worst = findings.some(({ status }) => status === 'wrong')
    ? 'wrong'
    : findings.some(({ status }) => status === 'warning')
      ? 'warning'
      : 'ok';
  print(json, { status: worst, version: VERSION, home: folder, findings }, () => findings.map(lineOf).join('\n'));
  if (worst === 'wrong') process.exitCode = EXIT.failed;
}

const WIDTH = 'warning'.length;

function lineOf({ status, what, todo, docs }: Finding): string {
  const indent = ' '.repeat(WIDTH + 2);
  const lines = [`${status.padEnd(WIDTH)}  ${safe(what)}`];
  if (todo !== null) lines.push(`${indent}${safe(todo)}${docs === null ? '' : ` (${docs})`}`);
  return lines.join('\n');
}
