import { compileGlob } from '@docent/base/glob';
import type { SettingsForm } from '../known/settings-form.ts';

/** How external links are checked. */
export interface ExternalSettings {
  /** Whether they are checked by default. */
  always: boolean;
  isExcluded: (address: string) => boolean;
  /** Statuses besides 2xx that are fine. Sorted. */
  acceptStatus: readonly number[];
  /** Time limit of one answer. */
  timeoutMs: number;
  /** Time limit of all answers. */
  totalMs: number;
}

const DEFAULT_TIMEOUT_SECONDS = 15;
const DEFAULT_MINUTES = 10;

/** @param wrong called for each invalid glob, with its position in the list */
export function externalSettings(
  said: SettingsForm['external'] = false,
  wrong: (index: number, message: string) => void = () => undefined,
): ExternalSettings {
  const form = typeof said === 'boolean' ? { check: said } : said;
  const excluded = (form.exclude ?? []).flatMap((glob, i) => {
    try {
      return [compileAddressGlob(glob)];
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      wrong(i, thrown.message);
      return [];
    }
  });
  return {
    always: form.check ?? false,
    isExcluded: (address) => excluded.some((matches) => matches(new URL(address))),
    acceptStatus: (form.acceptStatus ?? []).toSorted((a, b) => a - b),
    timeoutMs: (form.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    totalMs: (form.minutes ?? DEFAULT_MINUTES) * 60_000,
  };
}

/**
 * A test of addresses: without a slash the glob is for the host, with one for host, path and query; with
 * `https://` in front for that scheme only.
 * @throws RangeError with a sentence
 */
function compileAddressGlob(glob: string): (address: URL) => boolean {
  const [scheme = ''] = /^https?:\/\//i.exec(glob) ?? [];
  const rest = glob.slice(scheme.length);
  const matches = compileGlob(rest);
  const isFor = ({ protocol }: URL) => scheme === '' || scheme.toLowerCase() === `${protocol}//`;
  if (rest.includes('/'))
    return (address) => isFor(address) && matches(address.host + address.pathname + address.search);
  return (address) => isFor(address) && (matches(address.hostname) || matches(address.host));
}
