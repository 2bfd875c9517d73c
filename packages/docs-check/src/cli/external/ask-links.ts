import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import type { Answer, Unknown } from './answer.ts';
import { askLink } from './ask-link.ts';

export interface AskLinksOptions {
  fetch: GuardedFetch;
  acceptStatus: readonly number[];
  /** Time limit of one answer. */
  timeoutMs: number;
  /** Time limit of all answers. */
  totalMs: number;
  /** Milliseconds between two requests to one server. */
  pauseMs?: number;
  /** Milliseconds before each further try. */
  retryMs?: readonly number[];
  /** Called with each answer. It may be reinterpreted at the end, if no server name was found at all. */
  onAnswer?: (address: string, answer: Answer) => void;
  onProgress?: (done: number, all: number) => void;
}

const AT_ONCE = 16;
const PER_HOST = 2;
const PAUSE_MS = 300;
const RETRY_MS = [1_000, 4_000];
/** A server that asks for a longer wait is left alone. */
const MAX_WAIT_MS = 30_000;
/** After this many consecutive addresses without an answer, a server is no longer contacted. */
const MAX_FAILURES = 3;

interface Host {
  queue: PQueue;
  /** The time of its next request. */
  freeAt: number;
  failures: number;
  gaveUp: string | null;
}

/**
 * Requests each address once: at most 16 at a time, 2 per server, with a pause between requests to it.
 * Temporary failures are retried after the time that the server requests.
 * @returns an answer for each address, except those that were left at the time limit
 */
export async function askLinks(addresses: readonly string[], options: AskLinksOptions): Promise<Map<string, Answer>> {
  const { pauseMs = PAUSE_MS, retryMs = RETRY_MS, onAnswer, onProgress } = options;
  const signal = AbortSignal.timeout(options.totalMs);
  const all = new PQueue({ concurrency: AT_ONCE });
  const hosts = new Map<string, Host>();
  const answers = new Map<string, Answer>();

  const hostOf = (name: string): Host => {
    const known = hosts.get(name);
    if (known) return known;
    const host = { queue: new PQueue({ concurrency: PER_HOST }), freeAt: 0, failures: 0, gaveUp: null };
    hosts.set(name, host);
    return host;
  };
  /** Takes the next turn of a server, and waits for it. */
  const pause = async (name: string) => {
    const host = hostOf(name);
    const now = performance.now();
    const at = Math.max(now, host.freeAt);
    host.freeAt = at + pauseMs;
    if (at > now) await sleep(at - now, undefined, { signal });
    signal.throwIfAborted();
  };
  const ask = async (address: string, host: Host, name: string): Promise<Answer> => {
    for (let attempt = 0; ; attempt++) {
      if (host.gaveUp !== null) return { kind: 'unknown', why: host.gaveUp };
      await pause(name);
      const answer = await all.add(() => askLink(address, { ...options, signal, pause }));
      const wait = waitFor(answer, retryMs[attempt]);
      if (wait === null) return answer;
      host.freeAt = Math.max(host.freeAt, performance.now() + wait);
    }
  };
  const settle = async (address: string) => {
    const name = new URL(address).host;
    const host = hostOf(name);
    try {
      const answer = await ask(address, host, name);
      host.failures = answer.kind === 'unknown' && answer.retry ? host.failures + 1 : 0;
      if (host.failures >= MAX_FAILURES) host.gaveUp ??= (answer as Unknown).why;
      answers.set(address, answer);
      onAnswer?.(address, answer);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
    onProgress?.(answers.size, addresses.length);
  };
  await Promise.all(addresses.map((address) => hostOf(new URL(address).host).queue.add(() => settle(address))));
  return withoutNetwork(answers);
}

/** How long to wait before the next try; null if there is none. */
function waitFor(answer: Answer, usualMs: number | undefined): number | null {
  if (usualMs === undefined) return null;
  // A name may be temporarily unknown.
  if (isNameless(answer)) return usualMs;
  if (answer.kind !== 'unknown' || !answer.retry) return null;
  const wait = Math.max(usualMs, answer.retry.afterMs ?? 0);
  return wait <= MAX_WAIT_MS ? wait : null;
}

/** If no name is known at all, the network is down. */
function withoutNetwork(answers: Map<string, Answer>): Map<string, Answer> {
  if (![...answers.values()].every((answer) => isNameless(answer) || isUnreached(answer))) return answers;
  const why = 'could not be found, and no other server responded. Check your network connection';
  return new Map(
    [...answers].map(([address, answer]) => [address, isNameless(answer) ? { kind: 'unknown', why } : answer]),
  );
}

function isNameless(answer: Answer): boolean {
  return answer.kind === 'dead' && answer.by === 'name';
}

function isUnreached(answer: Answer): boolean {
  return answer.kind === 'unknown' && !answer.isReached;
}
