import { messageOf } from '@docent/base/thrown';
import { RepositoryProblem } from '../repository-problem.ts';
import type { ExchangeOptions } from './transport.ts';

/** Enforces the limits. On a limit or the signal, calls `stop` once, which must end a pending read. */
export async function* watched(
  source: AsyncIterable<Uint8Array>,
  { signal, limits }: ExchangeOptions,
  stop: (reason: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let ended: { reason: unknown } | null = null;
  const end = (reason: unknown) => {
    if (ended) return;
    ended = { reason };
    stop(reason);
  };
  const total = setTimeout(() => end(late('did not finish its answer within', limits.totalMs)), limits.totalMs);
  const idle = setTimeout(() => end(late('said nothing for', limits.idleMs)), limits.idleMs);
  const onAbort = () => end(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let bytes = 0;
  try {
    signal?.throwIfAborted();
    for await (const chunk of source) {
      if (ended) break;
      idle.refresh();
      bytes += chunk.length;
      if (bytes > limits.maxBytes) {
        end(
          new RepositoryProblem(
            'repository_unsupported',
            `The repository's server sent more than ${Math.round(limits.maxBytes / 1_048_576)} MB in one answer.`,
          ),
        );
        break;
      }
      yield chunk;
    }
  } catch (err) {
    end(err);
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    signal?.removeEventListener('abort', onAbort);
  }
  if (ended) throw asError((ended as { reason: unknown }).reason);
}

function late(what: string, ms: number): RepositoryProblem {
  return new RepositoryProblem('unreachable', `The repository's server ${what} ${Math.round(ms / 1000)} seconds.`);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(messageOf(reason));
}
