import { randomUUID } from 'node:crypto';
import { detectResources, envDetector, resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { VERSION } from '../version.ts';

/** Another one for each process, and the same for all that the process tells. */
const INSTANCE = randomUUID();

/**
 * Who it is that tells of itself. What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say goes before.
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
