import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { readBucketUrl, type BucketPlace } from '../platform/bucket-place.ts';
import { fitsHeader, UNFIT_FOR_HEADER } from '@docent/base/net/header-value';
import { isIpAddress } from '@docent/base/net/ip-address';
import { messageOf } from '@docent/base/thrown';
import { readKey } from '../platform/secret-box.ts';
import { Secret } from '../platform/secret.ts';
import { isPgpKey } from '@docent/git/signing/signing-key';
import { readSshKey } from '@docent/git/signing/ssh-key';

/**
 * Parse the text of a variable or option. Messages continue a sentence with its name. The API's schemas
 * derive from those of project settings.
 */
export const text = z.string();

export function wholeNumber(from: number, to: number): z.ZodType<number, string> {
  const sentence = `must be a whole number from ${from} to ${to}`;
  return text
    .regex(/^\d{1,15}$/, sentence)
    .transform(Number)
    .pipe(z.int().min(from, sentence).max(to, sentence));
}

/** An amount of money, in full units. */
export const amount: z.ZodType<number, string> = text
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount such as 5 or 0.25')
  .transform(Number)
  .pipe(z.number().gt(0, 'must be more than 0').max(1_000_000_000));

export const bucketPlace: z.ZodType<BucketPlace, string> = text
  .transform(readBucketUrl)
  .refine((place) => place !== null, 'must be s3://BUCKET or s3://BUCKET/PREFIX');

export const onOff: z.ZodType<boolean, string> = text
  .regex(/^(on|off)$/, 'must be "on" or "off"')
  .transform((value) => value === 'on')
  .pipe(z.boolean());

export const secret = text.transform((value) => new Secret(value));

/** A secret that is sent in a header of HTTP requests. */
export const headerSecret = text.refine(fitsHeader, UNFIT_FOR_HEADER).pipe(secret);

export const secretKeys = text
  .transform((value) => value.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.every((key) => readKey(key) !== null),
    'must be 32 bytes in hex or base64, as `openssl rand -hex 32` prints them, or several such keys with commas between them',
  )
  .transform((keys): readonly Secret[] => keys.map((key) => new Secret(key)));

export const postgresUrl = text
  .refine(
    (value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
    'must be a postgresql:// connection string',
  )
  .transform((value) => new Secret(value));

export const httpUrl = text
  .refine((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  }, 'must be an http:// or https:// address without user, query and fragment')
  .transform((value) => value.replace(/\/+$/, ''));

const entriesOf = text.transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);

export function listOf(isValid: (entry: string) => boolean, sentence: string): z.ZodType<readonly string[], string> {
  return entriesOf.refine((entries) => entries.every(isValid), sentence);
}

/** Entries with commas between them. */
export function several<T extends string>(entry: z.ZodType<T, string>, max: number): z.ZodType<T[], string> {
  return entriesOf.pipe(entries(entry, max));
}

/** As {@link several}, without the same entry twice. */
export function setOf<T extends string>(entry: z.ZodType<T, string>, max: number): z.ZodType<T[], string> {
  const isSet = (given: readonly T[]) => new Set(given).size === given.length;
  return entriesOf.pipe(
    entries(entry, max).refine(isSet, 'must not hold the same entry twice').meta({ uniqueItems: true }),
  );
}

const entries = <T extends string>(entry: z.ZodType<T, string>, max: number) =>
  z.array(entry).max(max, `must have at most ${max} entries`);

export const hostName = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

export const listenHost = text.refine(
  (value) => hostName.test(value) || isIpAddress(value),
  'must be an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0',
);

/**
 * A private key that signs commits. What is in one of OpenPGP, `assertSigningKey` reads when a worker starts.
 */
export const signingKey = text
  .superRefine((value, context) => {
    try {
      if (!isPgpKey(value)) readSshKey(value);
    } catch (err) {
      context.addIssue(`must be an unencrypted Ed25519 key in OpenSSH format, or an OpenPGP key. ${messageOf(err)}`);
    }
  })
  .pipe(secret);

export const absolutePath = text.refine((value) => isAbsolute(value), 'must be an absolute path');

export const author = text
  .regex(/^[^<>\n]+ <[^<>\s]+>$/, 'must look like "Name <address@example.com>"')
  .transform((value) => {
    const at = value.lastIndexOf(' <');
    return { name: value.slice(0, at).trim(), email: value.slice(at + 2, -1) };
  });
