import { networkReason } from '../platform/net/network-reason.ts';
import { ServerRefusal, ServerUnreachable } from './failures.ts';

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * The body of an answer.
 * @throws ServerRefusal for an answer that is an error, ServerUnreachable where there is none
 */
export async function answerOf<Data>(url: string, answer: Promise<Answer<Data>>): Promise<Data> {
  let settled: Answer<Data>;
  try {
    settled = await answer;
  } catch (err) {
    throw new ServerUnreachable(`Docent does not answer at ${url} (${networkReason(err)}).`, { cause: err });
  }
  const { data, error, response } = settled;
  if (response.ok) return data as Data;
  const body = (typeof error === 'object' && error !== null ? error : {}) as Partial<Record<string, string>>;
  throw new ServerRefusal(
    body.error ?? `The server answered ${response.status} ${response.statusText}.`,
    body.code ?? `http_${response.status}`,
    body.requestId ?? response.headers.get('x-request-id') ?? 'unknown',
  );
}
