import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';

const ROOTS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};
const BY_PARENT = 'parentbased_';

/**
 * Which traces are kept, by OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG: https://opentelemetry.io/docs/languages/sdk-configuration/general/
 * What they say wrong is said, and all traces are kept.
 */
export function samplerOf(env: NodeJS.ProcessEnv, log: Logger): Sampler {
  const { OTEL_TRACES_SAMPLER: name = `${BY_PARENT}always_on`, OTEL_TRACES_SAMPLER_ARG: given = '1' } = env;
  const ratio = Number(given);
  const root = ROOTS[name.replace(BY_PARENT, '')];
  const isRatio = ratio >= 0 && ratio <= 1;
  if (!root) log.warn(`OTEL_TRACES_SAMPLER is none that Docent knows (${KNOWN}): all traces are kept`);
  else if (!isRatio) log.warn('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all traces are kept');
  const sampler = root && isRatio ? root(ratio) : new AlwaysOnSampler();
  return name.startsWith(BY_PARENT) || !root ? new ParentBasedSampler({ root: sampler }) : sampler;
}

const KNOWN = Object.keys(ROOTS)
  .flatMap((name) => [name, BY_PARENT + name])
  .join(', ');
