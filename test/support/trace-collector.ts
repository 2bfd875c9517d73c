import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  /** Who reported it: `docent-api` or `docent-worker`. */
  service: unknown;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
}

/** The form of OTLP in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Told {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[]; status: { code?: number } })[];
    }[];
  }[];
}
type Attribute = { key: string; value: Record<string, unknown> };

/** A collector of OpenTelemetry on loopback that takes traces in JSON, or does `otherwise`. */
export async function startCollector(otherwise?: (response: ServerResponse) => void) {
  const received: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() });
      if (otherwise) otherwise(response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Has a role send its traces here, and its metrics nowhere. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
    },
    received,
    text: () => received.map(({ body }) => body).join('\n'),
    spans: () => received.flatMap(({ body }) => spansIn(JSON.parse(body) as Told)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansIn({ resourceSpans }: Told): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        service: fieldsOf(resource.attributes)['service.name'],
        attributes: fieldsOf(span.attributes),
        failed: span.status.code === 2,
      })),
    ),
  );
}

function fieldsOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
