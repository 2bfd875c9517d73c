import type { Secret } from '../platform/secret.ts';
import { secret, text } from './readers.ts';
import { define, optional } from './setting.ts';

function isSmtpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname);
}

/** How reports and alerts are sent by e-mail. */
export const mailSettings = {
  smtpUrl: optional<Secret>({
    env: 'DOCENT_SMTP_URL',
    about:
      'The mail server for [reports and alerts](/analytics/reports): `smtp://USER:PASSWORD@HOST:PORT`, ' +
      'or `smtps://` for TLS from the first byte. Percent-encode special characters. Or ' +
      'DOCENT_SMTP_URL_FILE, the path of a file with it. Without it, Docent sends no e-mail.',
    read: text
      .refine(isSmtpUrl, 'must be an smtp:// or smtps:// address, such as smtp://user:password@mail.example.com:587')
      .pipe(secret),
    isSecret: true,
  }),
  mailFrom: define({
    env: 'DOCENT_MAIL_FROM',
    about: 'The sender of emails, such as `Docent <docent@example.com>`.',
    fallback: 'Docent <docent@localhost>',
    read: text.regex(
      /^[\p{L}\p{N} ._'-]*<?[^\s<>@,]+@[^\s<>@,]+>?$/u,
      'must be an address, such as Docent <docent@example.com>',
    ),
  }),
};
