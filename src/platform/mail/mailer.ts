import { isIpAddress } from '@docent/base/net/ip-address';
import { messageOf } from '@docent/base/thrown';
import type { Secret } from '../secret.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for a repeat, so that mail programs show one. Without angle brackets. */
  messageId: string;
}

export interface Mailer {
  /**
   * Resolves when the server took the message. @throws Error otherwise, or without an answer within a minute
   */
  send(mail: Mail): Promise<void>;
}

const CONNECT_MS = 15_000;
const ANSWER_MS = 60_000;

/**
 * Sends plain-text mail by SMTP. Credentials are sent over TLS only, except to this machine.
 * @param url `smtp://` (STARTTLS where offered) or `smtps://`, with user and password if needed
 */
export function createMailer({ url, from }: { url: Secret; from: string }): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url.reveal());
  const isSecure = protocol === 'smtps:';
  const host = hostname.replaceAll(/[[\]]/g, '');
  const isLocal = host === 'localhost' || host === '::1' || (isIpAddress(host) && host.startsWith('127.'));
  const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const options = {
    host,
    port: port ? Number(port) : isSecure ? 465 : 587,
    secure: isSecure,
    requireTLS: !isSecure && username !== '' && !isLocal,
    ...(username ? { auth: credentials } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    // A message has a text and nothing that names a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send({ to, subject, text, messageId }) {
      // Loaded when mail is sent: most installations send none.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(options);
      try {
        await transport.sendMail({
          from,
          // As an object, so that no text is parsed as several addresses.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${messageId}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (err) {
        // oxlint-disable-next-line preserve-caught-error -- the cause has the server's answer as it was
        throw new Error(withoutSecrets(messageOf(err), credentials));
      } finally {
        transport.close();
      }
    },
  };
}

/** Some servers repeat what they got in their answers: the password as it is, or the command with it. */
function withoutSecrets(text: string, { user, pass }: { user: string; pass: string }): string {
  if (pass === '') return text;
  const encoded = [`\0${user}\0${pass}`, pass].map((secret) => Buffer.from(secret).toString('base64'));
  return [pass, ...encoded].reduce((all, secret) => all.replaceAll(secret, '***'), text);
}
