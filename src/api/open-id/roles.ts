import { printable } from '@docent/base/one-line';
import type { Config } from '../../config/config.ts';

/** What a person may do, and where; null means all projects. */
export interface Grant {
  role: 'viewer' | 'editor' | 'admin';
  projectIds: string[] | null;
}

/** A person according to a provider. Nothing here is a secret. */
export interface Identity {
  subject: string;
  name: string | null;
  /** In lower case. Null unless the provider reports it as verified. */
  email: string | null;
  /** There is an address, but it is not verified, so nothing may depend on it. */
  hasUnverifiedEmail: boolean;
  /** The values of the claim with groups or roles. */
  groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME = 200;
/** RFC 5321, 4.5.3.1. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const ROLES = ['viewer', 'editor', 'admin'] as const;

/** Reads claims of any shape. @param rolesClaim the dotted path of the claim with groups */
export function identityOf(claims: Claims, rolesClaim: string): Identity {
  const address = typeof claims.email === 'string' && EMAIL.test(claims.email) ? claims.email.toLowerCase() : null;
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  return {
    subject: String(claims.sub),
    name: nameOf(claims.name) ?? nameOf(claims.preferred_username),
    email: isVerified ? address : null,
    hasUnverifiedEmail: address !== null && !isVerified,
    groups: groupsIn(claims, rolesClaim),
  };
}

function nameOf(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  const name = printable(claim.slice(0, MAX_NAME).toWellFormed(), ' ').trim();
  return name === '' ? null : name;
}

function groupsIn(claims: Claims, path: string): string[] {
  // A name with dots in it, such as an address, may be the claim itself.
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce<unknown>(stepInto, claims);
  return [found].flat().filter((value) => typeof value === 'string');
}

function stepInto(at: unknown, name: string): unknown {
  return typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Claims)[name] : undefined;
}

/** The highest role of all matching entries, for its projects; else the default. Null: no sign-in. */
export function grantOf(
  { email, groups }: Pick<Identity, 'email' | 'groups'>,
  { openIdRoles, openIdDefaultRole }: Pick<Config, 'openIdRoles' | 'openIdDefaultRole'>,
): Grant | null {
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  const fitting = openIdRoles.filter(({ by, value }) => {
    if (by === 'claim') return groups.includes(value);
    return value === (by === 'email' ? email : domain);
  });
  const role = ROLES.findLast((each) => fitting.some((rule) => rule.role === each));
  if (role === undefined) return openIdDefaultRole === 'none' ? null : { role: openIdDefaultRole, projectIds: null };
  const given = fitting.filter((rule) => rule.role === role).map(({ projectId }) => projectId);
  const projectIds = given.filter((id) => id !== null);
  return { role, projectIds: projectIds.length < given.length ? null : [...new Set(projectIds)].toSorted() };
}
