import { AddressLimit } from '../../platform/net/address-limit.ts';
import { Attempts } from './attempt.ts';
import { OpenIdProvider, type OpenIdConfig } from './provider.ts';

/** Returning browsers per address and minute: each has Docent ask the provider. */
const RETURNS_PER_MINUTE = 60;

/** What a sign-in with an identity provider needs. */
export interface OpenIdSignIn {
  provider: OpenIdProvider;
  attempts: Attempts;
  returns: AddressLimit;
}

/** Null if the settings name no provider. */
export function openIdSignIn(config: OpenIdConfig, publicUrl: () => string): OpenIdSignIn | null {
  if (config.openIdIssuer === undefined) return null;
  return {
    provider: new OpenIdProvider(config.openIdIssuer, config),
    attempts: new Attempts(publicUrl),
    returns: new AddressLimit({ perMinute: RETURNS_PER_MINUTE }),
  };
}
