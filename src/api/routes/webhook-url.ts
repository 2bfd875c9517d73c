import { AppError } from '../../platform/errors.ts';
import { AddressGuard, AddressRefused } from '@docent/base/net/address-guard';
import { isIpAddress } from '@docent/base/net/ip-address';

/**
 * The normalized URL. Names are resolved and checked at each delivery.
 * @param field in the error
 * @throws AppError `bad_request`
 */
export function checkedWebhookUrl(given: string, field: string, privateHosts: readonly string[]): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new AppError('bad_request', `\`${field}\` must be an http:// or https:// URL.`, { param: field });
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('bad_request', `\`${field}\` contains credentials. Remove them: messages are signed.`, {
      param: field,
    });
  }
  url.hash = '';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIpAddress(hostname)) {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    try {
      new AddressGuard(privateHosts).check(hostname, port, [hostname]);
    } catch (err) {
      if (!(err instanceof AddressRefused)) throw err;
      throw new AppError('bad_request', `\`${field}\`: ${err.message}`, { cause: err, param: field });
    }
  }
  return url.href;
}

const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** @throws AppError `bad_request` */
export function checkedWebhookSecret(secret: string, field: string): string {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length;
  if (bytes >= MIN_BYTES && bytes <= MAX_BYTES) return secret;
  throw new AppError('bad_request', `\`${field}\` must have ${MIN_BYTES} to ${MAX_BYTES} bytes. It has ${bytes}.`, {
    param: field,
  });
}
