import type { Endpoint } from '../contract.ts';
import { httpTransport } from './http.ts';
import { localTransport } from './local.ts';
import type { GitTransport } from './transport.ts';

export function transportOf(endpoint: Endpoint): GitTransport {
  return endpoint.kind === 'local' ? localTransport(endpoint.path) : httpTransport(endpoint);
}
