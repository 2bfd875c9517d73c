import type { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { AddressLimit } from '../../platform/net/address-limit.ts';

const SAID_MS = 60_000;

/**
 * Limits how often one address (for IPv6, one /64 network) may try invalid keys and operator tokens. Valid
 * ones always pass, regardless of other clients with the same address: they have at least 32 characters and
 * cannot be guessed, so a lock would only help to shut people out. In memory: each API process counts
 * separately.
 */
export class SignInLimit {
  readonly #addresses: AddressLimit;
  readonly #log: Logger;
  #saidAt = -Infinity;

  constructor(perMinute: number, log: Logger) {
    this.#addresses = new AddressLimit({ perMinute });
    this.#log = log;
  }

  /**
   * Counts a failed attempt.
   * @param address null counts as one address
   * @returns the refusal, or `rate_limited`
   */
  failed(address: string | null, refusal: AppError): AppError {
    const tooMany = this.#addresses.refusal(
      'sign-ins',
      address ?? '',
      `${refusal.message} Too many failed attempts from your address: wait before the next one. Valid credentials are still accepted.`,
    );
    if (!tooMany) return refusal;
    const now = performance.now();
    if (now - this.#saidAt > SAID_MS) {
      this.#saidAt = now;
      this.#log.warn('repeated requests with invalid keys or operator tokens; this is logged once a minute');
    }
    return tooMany;
  }
}
