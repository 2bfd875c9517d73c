import { HostProblem } from '../host-problem.ts';
import { AddressRefused } from '../../net/address-guard.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import { networkReason } from '../../net/network-reason.ts';

/**
 * A `fetch` for the API of one code host that throws HostProblem where no answer came: `host_unavailable`, or `address_refused`.
 * @param guarded has a deadline and bounds, and follows redirects (renamed repositories) on the API's own origin alone
 */
export function createHostFetch(apiUrl: string, guarded: GuardedFetch): GuardedFetch {
  const { host } = new URL(apiUrl);

  return async function hostFetch(input, init) {
    try {
      const answer = await guarded(input, init);
      const { status, statusText, headers, url } = answer;
      // Read here, so that an answer that breaks off is told from one that a client cannot understand.
      const body = answer.body === null ? null : await answer.arrayBuffer();
      const whole = new Response(body, { status, statusText, headers });
      return Object.defineProperty(whole, 'url', { value: url });
    } catch (err) {
      if (err instanceof AddressRefused) throw new HostProblem(err.code, err.message);
      throw new HostProblem('host_unavailable', `${host} could not be reached (${reasonOf(err)}).`);
    }
  };
}

function reasonOf(err: unknown): string {
  if (err instanceof Error && err.name === 'TimeoutError') return 'no answer in time';
  return networkReason(err);
}
