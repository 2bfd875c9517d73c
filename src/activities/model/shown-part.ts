import { hideSecrets } from '../publish/outgoing-secrets.ts';

/** What begins a secret over several lines: from there on nothing is shown until the answer is whole. */
const LONG_SECRET = /-----BEGIN|"type"\s*:\s*"service_account"/;

/**
 * What may be shown of words that are still being written. The last word is held back, since it may be the beginning of a secret, and
 * so is everything from the beginning of a key of several lines. Of secrets that are whole, `[secret]` is shown.
 * @param allowed ids of secrets that the project lets through
 */
export async function shownPart(text: string, allowed: readonly string[]): Promise<string> {
  const begins = LONG_SECRET.exec(text)?.index ?? text.length;
  const known = text.slice(0, begins);
  const end = /\s(?=\S*$)/.exec(known)?.index;
  return end === undefined ? '' : hideSecrets(known.slice(0, end), allowed);
}
