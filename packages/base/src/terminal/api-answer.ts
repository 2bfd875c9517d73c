import { z } from 'zod';
import { networkReason } from '../net/network-reason.ts';
import { ServerRefusal, ServerUnreachable } from './failures.ts';

/** The error of the server, or of a proxy before it, which has another form. */
const ErrorBody = z
  .object({
    error: z.string().optional(),
    code: z.string().optional(),
    requestId: z.string().optional(),
    param: z.string().nullable().optional(),
    errors: z.array(z.object({ param: z.string().nullable(), message: z.string(), code: z.string() })).optional(),
    docs: z.string().optional(),
  })
  .catch({});

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * The body of an answer.
 * @throws ServerRefusal for an answer that is an error, ServerUnreachable if there is none
 */
export async function answerOf<Data>(url: string, answer: Promise<Answer<Data>>): Promise<Data> {
  let settled: Answer<Data>;
  try {
    settled = await answer;
  } catch (err) {
    throw new ServerUnreachable(`Docent is not reachable at ${url} (${networkReason(err)}).`, { cause: err });
  }
  const { data, error, response } = settled;
  if (response.ok) return data as Data;
  const body = ErrorBody.parse(error);
  throw new ServerRefusal(
    body.error ?? `The server returned ${response.status} ${response.statusText}.`,
    body.code ?? `http_${response.status}`,
    body.requestId ?? response.headers.get('x-request-id') ?? 'unknown',
    { param: body.param ?? null, errors: body.errors ?? [], docs: addressOf(body.docs, response.url || url) },
  );
}

/** The URL that explains the code: the server sends its path. */
function addressOf(docs: string | undefined, server: string): string | null {
  return docs !== undefined && URL.canParse(docs, server) ? new URL(docs, server).href : null;
}
