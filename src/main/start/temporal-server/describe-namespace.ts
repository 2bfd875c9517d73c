import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';

const CALL = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/**
 * Asks a Temporal server on this machine whether it knows a namespace, as gRPC: a request of one field over HTTP/2. Loading the SDK for this
 * one call would take a fifth of a second of a processor at each start, which knows no other.
 * @throws Error where it does not answer in time, or does not know the namespace (yet)
 */
export async function describeNamespace(address: string, namespace: string, timeoutMs: number): Promise<void> {
  const session = connect(`http://${address}`);
  const signal = AbortSignal.timeout(timeoutMs);
  const broken = once(session, 'error', { signal }).then(([err]) => Promise.reject(err as Error));
  try {
    await Promise.race([ask(), broken]);
  } finally {
    broken.catch(() => {}); // Of the closing.
    session.destroy();
  }

  async function ask(): Promise<void> {
    const stream = session.request({
      ':method': 'POST',
      ':path': CALL,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', () => {}); // Also told by the session, or by the missing status.
    // Where a call fails at once, the status is among the headers.
    let status: string | undefined;
    const look = (headers: IncomingHttpHeaders) => (status = headers['grpc-status']?.toString() ?? status);
    stream.on('response', look).on('trailers', look).resume();
    stream.end(messageOf(namespace));
    await once(stream, 'close', { signal });
    if (status !== '0') throw new Error(`it answers with gRPC status ${status ?? 'none'}`);
  }
}

/** Five bytes of gRPC (not compressed, length), then field 1, a string. */
function messageOf(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  if (name.length > 127) throw new Error('The name of the namespace is too long.');
  const field = Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(field.length, 1);
  return Buffer.concat([frame, field]);
}
