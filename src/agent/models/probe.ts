import { APICallError } from '@ai-sdk/provider';
import { providerProblem, type Asked } from './provider-errors.ts';

const WAIT_MS = 5_000;
const MAX_BODY = 10_000;

/**
 * Asks a provider whether it has a model and accepts the key; free of charge. Only a clear refusal counts:
 * many servers have no such route, and one that is down may be back when a job needs it.
 * @throws ModelProblem `model_key` or `model_unknown`
 */
export async function probe(
  { asked, headers, fetch: fetcher }: { asked: Asked; headers: Record<string, string>; fetch: typeof fetch },
  signal: AbortSignal,
): Promise<void> {
  const url = `${asked.baseUrl}/models/${encodeURIComponent(asked.model)}`;
  let status: number;
  let responseBody: string;
  try {
    const response = await fetcher(url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]),
    });
    status = response.status;
    responseBody = (await response.text()).slice(0, MAX_BODY);
  } catch {
    // No response: a job will find out.
    signal.throwIfAborted();
    return;
  }
  const isNo =
    status === 401 || status === 403 || (status === 404 && /"(?:not_found_error|model_not_found)"/.test(responseBody));
  if (!isNo) return;
  throw providerProblem(
    new APICallError({ message: '', url, requestBodyValues: {}, statusCode: status, responseBody }),
    asked,
  );
}
