import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { describeNamespace } from '../../src/main/start/temporal-server/describe-namespace.ts';

const started: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});

/** A server that answers as gRPC does. @returns its address */
async function server(answer: (stream: ServerHttp2Stream, body: Buffer) => void): Promise<string> {
  const made = createServer().listen(0, '127.0.0.1');
  started.push(made);
  made.on('stream', (stream, headers) => {
    expect(headers[':path']).toBe('/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace');
    void stream.toArray().then((chunks: Buffer[]) => answer(stream, Buffer.concat(chunks)));
  });
  await once(made, 'listening');
  return `127.0.0.1:${(made.address() as AddressInfo).port}`;
}

test('a server that describes the namespace is ready; it is asked for that one', async () => {
  let asked: Buffer | undefined;
  const address = await server((stream, body) => {
    asked = body;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  await describeNamespace(address, 'docs', 5_000);
  expect(asked).toEqual(Buffer.from([0, 0, 0, 0, 6, 0x0a, 4, ...Buffer.from('docs')]));
});

test('a server that does not know it yet, that says nothing, that hangs up, or that is not there, is not', async () => {
  const unknown = await server((stream) => stream.respond({ ':status': 200, 'grpc-status': '5' }, { endStream: true }));
  await expect(describeNamespace(unknown, 'docs', 5_000)).rejects.toThrow('gRPC status 5');
  const silent = await server(() => {});
  await expect(describeNamespace(silent, 'docs', 50)).rejects.toThrow('aborted');
  const broken = await server((stream) => stream.session?.destroy());
  await expect(describeNamespace(broken, 'docs', 5_000)).rejects.toThrow();
  await expect(describeNamespace('127.0.0.1:9', 'docs', 5_000)).rejects.toThrow();
});
