import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';

const BY_PARENT = 'parentbased_';
/** For traces that begin here; null if the argument is wrong. */
const ROOTS: Readonly<Record<string, (argument: string) => Sampler | null>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (argument) =>
    Number(argument) >= 0 && Number(argument) <= 1 ? new TraceIdRatioBasedSampler(Number(argument)) : null,
};

/**
 * By OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG; if they are wrong, warns and keeps all traces.
 * https://opentelemetry.io/docs/languages/sdk-configuration/general/
 */
export function samplerOf(env: NodeJS.ProcessEnv, log: Logger): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || `${BY_PARENT}always_on`;
  const root = ROOTS[name.replace(BY_PARENT, '')]?.(env.OTEL_TRACES_SAMPLER_ARG || '1');
  if (root) return name.startsWith(BY_PARENT) ? new ParentBasedSampler({ root }) : root;
  log.warn(
    `OTEL_TRACES_SAMPLER must be one of ${KNOWN}, and OTEL_TRACES_SAMPLER_ARG a number from 0 to 1: keeping all traces`,
  );
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

const KNOWN = Object.keys(ROOTS)
  .flatMap((name) => [name, BY_PARENT + name])
  .join(', ');
