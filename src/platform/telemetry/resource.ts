import { randomUUID } from 'node:crypto';
import { detectResources, envDetector, resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { VERSION } from '../version.ts';

/** Unique per process, and the same for all its telemetry. */
const INSTANCE = randomUUID();

/**
 * This process. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
 * @param name `docent api` or `docent worker`
 */
export function resourceOf(name: string): Resource {
  const own = resourceFromAttributes({
    'service.name': name.replace(' ', '-'),
    'service.version': VERSION,
    'service.instance.id': INSTANCE,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}
