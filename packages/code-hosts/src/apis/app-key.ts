import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * The problem with a GitHub App's private key, in a sentence without any of its content; null if it can sign.
 * GitHub issues RSA keys in PEM
 * (https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/managing-private-keys-for-github-apps).
 * Only GitHub knows whether the key belongs to the App.
 */
export function appKeyProblem(text: string): string | null {
  const pem = withLineBreaks(text);
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1];
  if (label === undefined) {
    return (
      'this is not a private key. Use the whole .pem file that GitHub created for the App, from ' +
      '"-----BEGIN" on. For a token, omit the App id.'
    );
  }
  if (!label.endsWith('PRIVATE KEY')) {
    return `this is a ${label.toLowerCase()}. Give the App's private key: the .pem file that GitHub made for it.`;
  }
  const key = readKey(pem);
  if (key === null) {
    return 'this private key cannot be read: it is truncated, damaged or has a passphrase. Use the whole .pem file that GitHub created.';
  }
  if (key.asymmetricKeyType !== 'rsa') {
    return `this is a private key of another kind (${key.asymmetricKeyType}). The keys of GitHub Apps are RSA keys.`;
  }
  return null;
}

/** The key as GitHub's client takes it. Throws where {@link appKeyProblem} finds something. */
export function appKeyPem(text: string): string {
  return createPrivateKey(withLineBreaks(text)).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** In environment variables and JSON, line breaks may be `\n`. */
function withLineBreaks(text: string): string {
  return text.replace(/\\n/g, '\n').trim();
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
